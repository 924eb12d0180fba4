internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// Wakes one thread when another one has been busy for too long.
///
/// To set it costs a microsecond, where waking a thread costs ten.
package final class Alarm: Sendable {
  private let timer: FileDescriptor

  /// Makes an alarm that is not set, with a descriptor out of the way of foreign code; throws when the process has too many descriptors.
  package init() throws(SystemError) {
    let timer = FileDescriptor(
      owning: try SystemCall.check("timerfd_create") { timeline_timer_create_monotonic() })
    guard let copy = CurrentProcess.raisedCopy(of: timer.rawValue) else {
      throw SystemError(code: EMFILE, call: "fcntl")
    }
    self.timer = FileDescriptor(owning: copy)
  }

  /// The descriptor that becomes readable when it goes off; ``wait()`` then returns at once and clears it.
  package var rawValue: CInt { timer.rawValue }

  /// Makes it go off once, `elapsed` from now and not when it was set to before; `false` when foreign code has closed its descriptor.
  package func set(after elapsed: ElapsedTime) -> Bool {
    timeline_timer_arm(timer.rawValue, (SystemTime.monotonic() + elapsed).nanosecondsSinceBoot, 0) == 0
  }

  /// Waits until it goes off; `false` when foreign code has closed its descriptor. Now and then it returns without a reason, as any wait
  /// may.
  package func wait() -> Bool {
    var entry = pollfd(fd: timer.rawValue, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, -1) > 0 else { return true }
    var count: UInt64 = 0
    let length = unsafe read(timer.rawValue, &count, MemoryLayout<UInt64>.size)
    return length >= 0 || errno == EAGAIN || errno == EINTR
  }
}
