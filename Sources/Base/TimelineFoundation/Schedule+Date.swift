public import FoundationEssentials
public import TimelineCore

// The questions of a schedule in dates.
extension Schedule {
  /// Returns the dates at which a view that appears at `start` is updated, ascending; the first may precede `start`.
  public func entries(from start: Date, mode: Mode) -> LazyMapSequence<Entries, Date> {
    entries(from: WallInstant(start), mode: mode).lazy.map { .init($0) }
  }

  /// The first entry strictly later than `date`, or `nil` when there is none any more.
  public func next(after date: Date) -> Date? { next(after: WallInstant(date)).map { .init($0) } }

  /// The last entry that is not later than `date`, or `nil` when there is none yet.
  public func latest(atOrBefore date: Date) -> Date? {
    latest(atOrBefore: WallInstant(date)).map { .init($0) }
  }
}

extension Schedule where Self == PeriodicSchedule {
  /// The schedule of `start` and every `interval` seconds after it.
  ///
  /// - Precondition: `interval` is half a nanosecond at least.
  public static func periodic(from start: Date, by interval: TimeInterval) -> PeriodicSchedule {
    .periodic(from: WallInstant(start), by: ElapsedTime(timeInterval: interval))
  }
}

extension Schedule where Self == ExplicitSchedule {
  /// The schedule of `dates` and no others.
  ///
  /// - Precondition: Each date is later than the one before it, by a nanosecond at least.
  public static func explicit(_ dates: some Sequence<Date>) -> ExplicitSchedule {
    .explicit(dates.map { WallInstant($0) })
  }
}

extension Schedule where Self == AnimationSchedule {
  /// The schedule of an animation that has at most one entry in each `minimumInterval` seconds, and none when `paused`.
  ///
  /// - Precondition: `minimumInterval` is half a nanosecond at least.
  public static func animation(minimumInterval: TimeInterval, paused: Bool = false) -> AnimationSchedule {
    .animation(minimumInterval: ElapsedTime(timeInterval: minimumInterval), paused: paused)
  }
}
