internal import CTimelineSystem
internal import Glibc

/// The identity and the rights of this process.
package enum CurrentProcess {
  package static var pid: CInt { getpid() }

  /// 0 is root.
  package static var effectiveUser: UInt32 { geteuid() }

  package static var effectiveGroup: UInt32 { getegid() }

  /// Its environment. Read it before other threads change it. An entry without `=` is left out; of two entries with one name, the
  /// first counts.
  package static var environment: [String: String] {
    var result: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let pair = unsafe String(cString: text).split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair.count == 2, result[String(pair[0])] == nil { result[String(pair[0])] = String(pair[1]) }
      unsafe entry += 1
    }
    return result
  }

  /// Makes a write to a closed pipe an error instead of the end of the process. The C function is `signal`.
  package static func ignoreBrokenPipes() {
    SystemCall.mustSucceed("signal") { timeline_survive_writes() }
  }

  /// Lets the kernel delay this thread's waits by at most `nanoseconds` instead of the usual 50,000. 0 restores the default.
  ///
  /// Timers of a loop need no change, because timer descriptors have no slack. The C call is `prctl(PR_SET_TIMERSLACK)`.
  package static func setTimerSlack(nanoseconds: UInt64) {
    SystemCall.mustSucceed("prctl") { timeline_set_timer_slack(nanoseconds) }
  }

  /// Permanently forbids this process and its descendants to gain privileges by executing a file.
  package static func setNoNewPrivileges() throws(SystemError) {
    try SystemCall.check("prctl", about: "no_new_privs") { timeline_set_no_new_privileges() }
  }

  /// Changes the user of this process to `user`, with all their groups, permanently. Needs root, unless `user` is its user
  /// already.
  package static func become(_ user: UserRecord) throws(SystemError) {
    try SystemCall.check("setresuid", about: "user '\(user.name)'") {
      unsafe timeline_become_user(user.name, user.user, user.group)
    }
    precondition(
      geteuid() == user.user && getegid() == user.group, "The kernel changed the user only in part.")
  }

  /// Returns freed memory to the kernel, which takes milliseconds after much was freed. The C function is `malloc_trim`.
  package static func returnUnusedMemory() { timeline_return_unused_memory() }

  /// Ends the process at once, without running destructors or exit handlers. The C function is `_exit`.
  package static func exitNow(_ status: CInt) -> Never { _exit(status) }
}
