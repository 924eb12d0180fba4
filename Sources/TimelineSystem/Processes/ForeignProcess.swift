internal import CTimelineSystem
internal import Glibc

/// A process that another has started, known by a handle that was passed on: watched and signalled, never reaped.
///
/// Its number may belong to somebody else once its parent has reaped it, so a group is signalled only while the handle
/// says that the number is still its own, or that it is nobody's.
package final class ForeignProcess {
  /// Its number, and that of its process group.
  package let pid: CInt
  private let handle: FileDescriptor

  /// A descriptor that becomes readable when the process has ended.
  package var handleRawValue: CInt { handle.rawValue }

  /// Takes over a handle (`pidfd_open`) of process `pid`, the leader of its group.
  package init(pid: CInt, handle: consuming FileDescriptor) {
    precondition(pid > 1, "A process of number \(pid) would be all of them.")
    self.pid = pid
    self.handle = handle
  }

  /// Whether it has ended.
  package var hasEnded: Bool { timeline_wait_ready(handle.rawValue, 0, 0) == 1 }

  /// ``ProcessEnd/unobserved`` once the process has ended, `nil` while it runs.
  ///
  /// With `killingGroup` everything else in its process group is killed, unless the number is another's by now.
  package func reap(killingGroup: Bool) -> ProcessEnd? {
    guard hasEnded else { return nil }
    if killingGroup, isNumberFree { _ = Glibc.kill(-pid, SIGKILL) }
    return .unobserved
  }

  /// Waits until the process has ended.
  package func wait() -> ProcessEnd {
    // Nothing but a signal may be waited for again: any other failure would come at once and for ever.
    while timeline_wait_ready(handle.rawValue, 0, -1) != 1, errno == EINTR {}
    return .unobserved
  }

  /// Sends a signal to the process alone; whether it was still there. Throws `EPERM` when it may not be signalled.
  @discardableResult
  package func signal(_ signal: Signal) throws(SystemError) -> Bool {
    let number = handle.rawValue
    return try reached("pidfd_send_signal") { timeline_pidfd_signal(number, signal.rawValue) }
  }

  /// Sends a signal to the process and to all in its group that did not leave it; whether there were any.
  @discardableResult
  package func signalGroup(_ signal: Signal) throws(SystemError) -> Bool {
    guard isNumberFree else { return false }
    return try reached("kill") { Glibc.kill(-pid, signal.rawValue) }
  }

  /// Kills the process, all in its group, and all that it and they have started, in whatever session that is now.
  ///
  /// In the same order as ``ChildProcess/killTree()``. Nothing happens once it has ended.
  package func killTree() {
    guard !hasEnded else { return }
    let below = ProcessTree.descendants(of: pid)
    _ = try? signalGroup(.kill)
    _ = try? signal(.kill)
    ProcessTree.killAll(below)
  }

  /// Whether nobody but this process has its number: what is left of its group is found by it.
  private var isNumberFree: Bool {
    if timeline_pidfd_signal(handle.rawValue, 0) == 0 || errno == EPERM { return true }
    return Glibc.kill(pid, 0) == -1 && errno == ESRCH
  }

  private func reached(_ call: StaticString, _ body: () -> CInt) throws(SystemError) -> Bool {
    do {
      try SystemCall.check(call, about: "process \(pid)", body)
      return true
    } catch  where error.code == ESRCH {
      return false
    }
  }
}
