internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// Wakes one thread when another one has been busy for too long.
///
/// Setting an alarm costs a microsecond; waking a thread costs ten.
package final class Alarm: Sendable {
  private let timer: FileDescriptor

  /// Makes an alarm that is not set. Its descriptor has a high number, because foreign code takes the lowest free numbers. Throws
  /// if the process has too many descriptors.
  package init() throws(SystemError) {
    let timer = FileDescriptor(
      owning: try SystemCall.check("timerfd_create") { timeline_timer_create_monotonic() })
    guard let copy = CurrentProcess.raisedCopy(of: timer.rawValue) else {
      throw SystemError(code: EMFILE, call: "fcntl")
    }
    self.timer = FileDescriptor(owning: copy)
  }

  /// The descriptor that becomes readable when the alarm goes off. ``wait()`` then returns at once and clears it.
  package var rawValue: CInt { timer.rawValue }

  /// Sets the alarm to go off once, `elapsed` from now, in place of any earlier setting. Returns `false` if foreign code has
  /// closed its descriptor.
  package func set(after elapsed: ElapsedTime) -> Bool {
    timeline_timer_arm(timer.rawValue, (SystemTime.monotonic() + elapsed).nanosecondsSinceBoot, 0) == 0
  }

  /// Waits until the alarm goes off. Returns `false` if foreign code has closed its descriptor. Like any wait, it may return
  /// early.
  package func wait() -> Bool {
    var entry = pollfd(fd: timer.rawValue, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, -1) > 0 else { return true }
    var count: UInt64 = 0
    let length = unsafe read(timer.rawValue, &count, MemoryLayout<UInt64>.size)
    return length >= 0 || errno == EAGAIN || errno == EINTR
  }
}
