internal import CTimelineSystem
internal import Glibc

/// A process that another process has started, identified by a handle that was passed to this process. It is watched and
/// signaled, never reaped.
///
/// Its number may belong to another process once its parent has reaped it. So a group is signaled only if the handle shows
/// that the number still belongs to this process or to none.
package final class ForeignProcess {
  /// Also the number of its process group.
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

  package var hasEnded: Bool { timeline_wait_ready(handle.rawValue, 0, 0) == 1 }

  /// Returns ``ProcessEnd/unobserved`` once the process has ended, `nil` while it runs.
  ///
  /// If `killingGroup` is true, all other processes of its group are killed, unless the number belongs to another process now.
  package func reap(killingGroup: Bool) -> ProcessEnd? {
    guard hasEnded else { return nil }
    if killingGroup, isNumberFree { _ = Glibc.kill(-pid, SIGKILL) }
    return .unobserved
  }

  /// Waits until the process has ended.
  package func wait() -> ProcessEnd {
    // Only an interrupted wait may be repeated: any other failure would recur at once, forever.
    while timeline_wait_ready(handle.rawValue, 0, -1) != 1, errno == EINTR {}
    return .unobserved
  }

  /// Sends a signal to the process alone. Returns whether the process still existed. Throws `EPERM` if it may not be signaled.
  @discardableResult
  package func signal(_ signal: Signal) throws(SystemError) -> Bool {
    let number = handle.rawValue
    return try reached("pidfd_send_signal") { timeline_pidfd_signal(number, signal.rawValue) }
  }

  /// Sends a signal to the process and to all processes that are still in its group. Returns whether there were any.
  @discardableResult
  package func signalGroup(_ signal: Signal) throws(SystemError) -> Bool {
    guard isNumberFree else { return false }
    return try reached("kill") { Glibc.kill(-pid, signal.rawValue) }
  }

  /// Kills the process, all processes in its group, and its descendants in any group or session.
  ///
  /// Kills in the same order as ``ChildProcess/killTree()``. Does nothing once the process has ended.
  package func killTree() {
    guard !hasEnded else { return }
    let below = ProcessTree.descendants(of: pid)
    _ = try? signalGroup(.kill)
    _ = try? signal(.kill)
    ProcessTree.killAll(below)
  }

  /// Whether no other process has `pid`, so that `kill(-pid)` reaches this group.
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
