// Schedules by the names of SwiftUI, for use as arguments of type `some Schedule`.
//
// The arguments of these members are written in source code, so that a wrong argument is a programming error and
// traps. The initializers of the schedules throw instead; they are for values from elsewhere.

extension Schedule where Self == PeriodicSchedule {
  /// The schedule of `start`, `start + interval`, and so on.
  ///
  /// - Precondition: `interval` is positive. ``PeriodicSchedule/init(from:by:)`` throws instead.
  public static func periodic(from start: WallInstant, by interval: ElapsedTime) -> PeriodicSchedule {
    unlessRefused(try PeriodicSchedule(from: start, by: interval))
  }

  /// The schedule of `start` and every `interval` seconds after it.
  ///
  /// - Precondition: `interval` is half a nanosecond at least.
  @_disfavoredOverload
  public static func periodic(from start: WallInstant, by interval: Double) -> PeriodicSchedule {
    .periodic(from: start, by: .seconds(interval))
  }
}

extension Schedule where Self == EveryMinuteSchedule {
  /// The schedule of every minute of UTC, which since 1972 is every minute of each zone.
  public static var everyMinute: EveryMinuteSchedule { EveryMinuteSchedule(zone: .utc) }

  /// The schedule of every civil minute of `zone`.
  public static func everyMinute(in zone: Zone) -> EveryMinuteSchedule { EveryMinuteSchedule(zone: zone) }
}

extension Schedule where Self == ExplicitSchedule {
  /// The schedule of `dates` and no others.
  ///
  /// - Precondition: Each date is later than the one before it. ``ExplicitSchedule/init(_:)`` throws instead.
  public static func explicit(_ dates: some Sequence<WallInstant>) -> ExplicitSchedule {
    unlessRefused(try ExplicitSchedule(Array(dates)))
  }
}

extension Schedule where Self == AnimationSchedule {
  /// The schedule of an animation that runs at ``AnimationSchedule/defaultInterval``.
  public static var animation: AnimationSchedule { .animation() }

  /// The schedule of an animation that has at most one entry in each `minimumInterval`, and none when `paused`.
  ///
  /// - Precondition: `minimumInterval` is positive. ``AnimationSchedule/init(minimumInterval:isPaused:)`` throws instead.
  public static func animation(
    minimumInterval: ElapsedTime? = nil, paused: Bool = false
  ) -> AnimationSchedule {
    unlessRefused(try AnimationSchedule(minimumInterval: minimumInterval, isPaused: paused))
  }

  /// The schedule of an animation that has at most one entry in each `minimumInterval` seconds, and none when `paused`.
  ///
  /// - Precondition: `minimumInterval` is half a nanosecond at least.
  @_disfavoredOverload
  public static func animation(minimumInterval: Double?, paused: Bool = false) -> AnimationSchedule {
    .animation(minimumInterval: minimumInterval.map { ElapsedTime.seconds($0) }, paused: paused)
  }
}

extension Schedule where Self == CronSchedule {
  /// The schedule of a cron rule on the clocks of `zone`.
  ///
  /// - Throws: ``TextError`` with the place of the error in `rule`.
  public static func cron(
    _ rule: String, in zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws(TextError) -> CronSchedule {
    CronSchedule(expression: try CronExpression(parsing: rule), zone: zone, daylightSaving: daylightSaving)
  }
}

extension Schedule where Self == CalendarSchedule {
  /// The schedule of a calendar rule of systemd on the clocks of `zone`.
  ///
  /// - Throws: ``TextError`` with the place of the error in `rule`.
  public static func calendar(
    _ rule: String, in zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) throws(TextError) -> CalendarSchedule {
    CalendarSchedule(
      expression: try CalendarExpression(parsing: rule), zone: zone, daylightSaving: daylightSaving)
  }
}

extension Schedule where Self == CivilSchedule {
  /// The schedule of a recurrence on the clocks of `zone`.
  public static func civil(
    _ recurrence: CivilRecurrence, in zone: Zone,
    daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) -> CivilSchedule {
    CivilSchedule(recurrence: recurrence, zone: zone, daylightSaving: daylightSaving)
  }
}

extension Schedule where Self == RecurrenceSchedule {
  /// The schedule of an RRULE on the clocks of `zone`.
  public static func recurrence(
    _ rule: RecurrenceRule, in zone: Zone,
    daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy(gap: .shift, fold: .first)
  ) -> RecurrenceSchedule {
    RecurrenceSchedule(recurrence: rule, zone: zone, daylightSaving: daylightSaving)
  }
}

/// Returns the schedule that `make` makes; traps with the reason if it throws.
private func unlessRefused<Made: Schedule>(_ make: @autoclosure () throws(ScheduleError) -> Made) -> Made {
  do {
    return try make()
  } catch {
    preconditionFailure("\(error)")
  }
}
