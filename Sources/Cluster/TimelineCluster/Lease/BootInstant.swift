package import TimelineCore

/// An instant on `CLOCK_BOOTTIME`, which cannot be set and which includes time in suspend.
///
/// Leases are measured on this clock, because a lease also ends while the machine is suspended.
package struct BootInstant: Sendable, Comparable {
  package var nanosecondsSinceBoot: Int64

  package init(nanosecondsSinceBoot: Int64) {
    self.nanosecondsSinceBoot = nanosecondsSinceBoot
  }

  /// Orders instants from past to future.
  package static func < (left: BootInstant, right: BootInstant) -> Bool {
    left.nanosecondsSinceBoot < right.nanosecondsSinceBoot
  }

  /// The instant `elapsed` later, saturating.
  package static func + (instant: BootInstant, elapsed: ElapsedTime) -> BootInstant {
    BootInstant(
      nanosecondsSinceBoot: (ElapsedTime(nanoseconds: instant.nanosecondsSinceBoot) + elapsed).nanoseconds)
  }

  /// The time from `earlier` to `later`, saturating.
  package static func - (later: BootInstant, earlier: BootInstant) -> ElapsedTime {
    ElapsedTime(nanoseconds: later.nanosecondsSinceBoot)
      - ElapsedTime(nanoseconds: earlier.nanosecondsSinceBoot)
  }
}

/// One moment on both clocks of a machine.
package struct NodeTime: Sendable, Equatable {
  package var boot: BootInstant
  package var wall: WallInstant

  package init(boot: BootInstant, wall: WallInstant) {
    (self.boot, self.wall) = (boot, wall)
  }
}
