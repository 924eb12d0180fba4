internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// Wakes one thread when another one has been busy for too long.
///
/// To set it costs a microsecond, where waking a thread costs ten.
package final class Alarm: Sendable {
  private let timer: FileDescriptor

  /// Makes an alarm that is not set; throws when the process has too many descriptors.
  package init() throws(SystemError) {
    timer = FileDescriptor(
      owning: try SystemCall.check("timerfd_create") { timeline_timer_create_monotonic() })
  }

  /// The descriptor that becomes readable when it goes off; ``wait()`` then returns at once and clears it.
  package var rawValue: CInt { timer.rawValue }

  /// Makes it go off once, `elapsed` from now and not when it was set to before.
  package func set(after elapsed: ElapsedTime) {
    let (number, deadline) = (timer.rawValue, SystemTime.monotonic() + elapsed)
    SystemCall.mustSucceed("timerfd_settime") {
      timeline_timer_arm(number, deadline.nanosecondsSinceBoot, 0)
    }
  }

  /// Waits until it goes off. Now and then it returns without that, as any wait may: look for the reason.
  package func wait() {
    var entry = pollfd(fd: timer.rawValue, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&entry, 1, -1) > 0 else { return }
    var count: UInt64 = 0
    _ = unsafe read(timer.rawValue, &count, MemoryLayout<UInt64>.size)
  }
}
