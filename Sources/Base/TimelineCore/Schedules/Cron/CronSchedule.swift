/// Entries at the times that a cron rule gives for the clocks of a zone, with a policy for clock changes.
///
/// A rule that fixes the time of the day (``CronExpression/fixesTimeOfDay``) obeys the policy; every other rule
/// follows real time, so that `*/30` comes every half hour through every change. Entries lie on whole seconds.
public typealias CronSchedule = RuleSchedule<CronExpression>

extension RuleSchedule where Rule == CronExpression {
  /// The rule for the date and the time that clocks show.
  public var expression: CronExpression { rule }

  /// Makes the schedule. By default, times in a gap run at its end, and repeated times run the first time.
  public init(
    expression: CronExpression, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    self.init(rule: expression, zone: zone, daylightSaving: daylightSaving)
  }

  @usableFromInline
  func ownNext(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  @usableFromInline
  func ownLatest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }
}

extension CronExpression {
  /// Returns the schedule as a rule of the kind `cron`.
  @inlinable
  public static func scheduleRule(_ schedule: CronSchedule) -> ScheduleRule { .cron(schedule) }

  static var kindName: ScheduleRule.KindName { .cron }
  var canSkipDay: Bool { !fixesTimeOfDay && hourBits != CronField.hour.all }

  var grids: [EntryGrid] {
    let bits = secondBits
    return (0..<60).filter { bits >> UInt64($0) & 1 == 1 }.map { .everyMinute(at: Int64($0) * 1_000_000_000) }
  }

  func portable(in zone: Zone) -> PortableSchedule? {
    let text = description
    guard isPlain, text.utf8.count <= PortableSchedule.lengthMax else { return nil }
    return .cron(text, zone: zone.name)
  }
}
