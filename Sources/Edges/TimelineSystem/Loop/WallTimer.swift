internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// One wake-up at a wall instant. It also reports that the wall clock was set.
///
/// The timer is absolute: after a clock step or a resume from suspend it still goes off when the clock shows its instant. It
/// reports steps even while it is disarmed (`TFD_TIMER_CANCEL_ON_SET`; the kernel also counts a resume as a step). Releasing the
/// timer ends it.
package final class WallTimer {
  /// The event that a timer reports.
  package enum Event: Sendable, Hashable {
    /// The armed instant has come; the timer is disarmed.
    case due
    /// The wall clock was set, or the machine was resumed; the timer is still armed.
    case clockStepped
  }

  private let descriptor: FileDescriptor
  private let loop: EventLoop
  private let handler: (Event) -> Void
  private var watch: Watch?

  /// The instant for which the timer is armed; `nil` if it is disarmed.
  package private(set) var deadline: WallInstant?

  /// Makes a disarmed timer; `handler` is called on the loop's thread.
  package init(loop: EventLoop, handler: @escaping (Event) -> Void) throws(SystemError) {
    self.descriptor = FileDescriptor(
      owning: try SystemCall.check("timerfd_create") { timeline_timer_create_wall() })
    self.loop = loop
    self.handler = handler
    watch = try loop.watch(descriptor.rawValue, for: .reading) { [weak self] _ in self?.expire() }
    set(nil)
  }

  deinit { watch?.cancel() }

  /// Arms the timer for `instant` in place of any other, or disarms it if `instant` is `nil`. An instant in the past fires at
  /// once.
  package func arm(at instant: WallInstant?) {
    guard instant != deadline else { return }
    set(instant)
  }

  private func set(_ instant: WallInstant?) {
    deadline = instant
    let number = descriptor.rawValue
    // A timer armed for the end of time never fires, but still notices steps. A disarmed timer might not.
    let nanoseconds = (instant ?? .max).nanosecondsSinceEpoch
    do {
      try SystemCall.check("timerfd_settime") { timeline_timer_arm(number, nanoseconds, 1) }
    } catch  where error.code == ECANCELED {
      // The clock was set since the last read. The timer is armed, but no later read would report the step.
      loop.atEndOfTurn { [weak self] in self?.handler(.clockStepped) }
    } catch {
      fatalError("\(error)")
    }
  }

  private func expire() {
    let number = descriptor.rawValue
    var count: UInt64 = 0
    do {
      let size = try SystemCall.attempt("read", about: "a timer") {
        unsafe read(number, &count, MemoryLayout<UInt64>.size)
      }
      // Re-arming between the wake-up and this read leaves nothing to read.
      guard size != nil, deadline != nil else { return }
      deadline = nil
      handler(.due)
    } catch  where error.code == ECANCELED {
      handler(.clockStepped)
    } catch {
      fatalError("\(error)")
    }
  }
}
