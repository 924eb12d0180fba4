internal import CTimelineSystem
internal import Glibc
package import TimelineCore

/// The system's clocks. No code outside this module reads them.
package enum SystemTime {
  /// Returns the time of the wall clock; it can be set, forwards and backwards. The C clock is `CLOCK_REALTIME`.
  package static func now() -> WallInstant {
    WallInstant(nanosecondsSinceEpoch: timeline_now_wall())
  }

  /// Returns the time of the clock that cannot be set and that stops during suspend. The C clock is `CLOCK_MONOTONIC`.
  package static func monotonic() -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: timeline_now_monotonic())
  }
}

extension SystemTime {
  /// Returns the time since the machine's start, time in suspend included. The C clock is `CLOCK_BOOTTIME`.
  package static func sinceBoot() -> ElapsedTime { .nanoseconds(timeline_now_boot()) }

  /// Whether a service such as NTP keeps the wall clock right; `nil` if the kernel does not report it to this process. The
  /// C function is `adjtimex`.
  package static var isWallClockSynchronized: Bool? {
    switch timeline_clock_is_synchronized() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}

/// An instant of the monotonic clock, for lengths of time and timeouts; it has no meaning for people.
///
/// It is not a ``WallInstant`` and cannot be mixed with one.
package struct MonotonicInstant: Sendable, Hashable, Comparable {
  /// Nanoseconds since some point near the machine's start, time in suspend not counted.
  package var nanosecondsSinceBoot: Int64

  package init(nanosecondsSinceBoot: Int64) {
    self.nanosecondsSinceBoot = nanosecondsSinceBoot
  }

  /// Orders instants from past to future.
  package static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    left.nanosecondsSinceBoot < right.nanosecondsSinceBoot
  }

  /// The instant `elapsed` later, saturating.
  package static func + (instant: MonotonicInstant, elapsed: ElapsedTime) -> MonotonicInstant {
    MonotonicInstant(
      nanosecondsSinceBoot: instant.nanosecondsSinceBoot.addingSaturating(elapsed.nanoseconds))
  }

  /// The time from `earlier` to `later`, saturating.
  package static func - (later: MonotonicInstant, earlier: MonotonicInstant) -> ElapsedTime {
    ElapsedTime(
      nanoseconds: later.nanosecondsSinceBoot.subtractingSaturating(earlier.nanosecondsSinceBoot))
  }
}

extension SystemTime {
  /// Blocks this thread until the wall clock shows `instant`, through clock steps; for programs that have nothing else to do.
  ///
  /// The C function is `clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME)`.
  package static func sleep(until instant: WallInstant) {
    let (seconds, nanoseconds) = (
      instant.nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000_000),
      instant.nanosecondsSinceEpoch
    )
    var deadline = timespec(
      tv_sec: Int(seconds), tv_nsec: Int(nanoseconds - seconds * 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &deadline, nil) == EINTR {}
  }
}

extension SystemTime {
  /// Blocks this thread for `elapsed`; returns at once if `elapsed` is not positive. Steps of the wall clock have no effect.
  ///
  /// The C function is `clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME)`.
  package static func pause(for elapsed: ElapsedTime) {
    guard elapsed > .zero else { return }
    let end = (monotonic() + elapsed).nanosecondsSinceBoot
    var deadline = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    while unsafe clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nil) == EINTR {}
  }

  /// Blocks this thread for `elapsed` and adjusts `margin` to the lateness of the wake-up.
  package static func pause(for elapsed: ElapsedTime, teaching margin: inout SleepMargin) {
    guard elapsed > .zero else { return }
    let end = monotonic() + elapsed
    pause(for: elapsed)
    margin.learn(monotonic() - end)
  }

  /// Blocks this thread until `instant`, for at most `limit`, accurately even if wake-ups are late. Sleeps until the longer of
  /// `rest` and `margin` before `instant`, regardless of the thread's slack, and spins for the rest of the time.
  ///
  /// On a busy processor the thread runs as soon as it wakes up. Afterwards it has the usual slack and slice again, because
  /// executed programs inherit both.
  package static func wait(
    until instant: MonotonicInstant, atMost limit: ElapsedTime, spinning rest: ElapsedTime = .zero,
    margin: inout SleepMargin
  ) {
    let time = min(instant - monotonic(), limit)
    guard time > .zero else { return }
    let end = monotonic() + time
    CurrentProcess.setTimerSlack(nanoseconds: 1)
    TimeSlice.short { pause(for: time - max(rest, margin.length), teaching: &margin) }
    CurrentProcess.setTimerSlack(nanoseconds: 0)
    while monotonic() < end {}
  }

  /// Spins until the wall clock shows `instant`, for at most `limit`, even if the clock is set.
  package static func spin(until instant: WallInstant, atMost limit: ElapsedTime) {
    let end = monotonic() + limit
    while now() < instant, monotonic() < end {}
  }
}
