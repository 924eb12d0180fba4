/// Entries at the times that a calendar rule gives for the clocks of a zone, with a policy for clock changes.
///
/// A rule that fixes the time of the day (``CalendarExpression/fixesTimeOfDay``) obeys the policy; every other rule
/// follows real time, so that `*:00/30` comes every half hour through every change. Entries lie on whole microseconds.
public typealias CalendarSchedule = RuleSchedule<CalendarExpression>

extension RuleSchedule where Rule == CalendarExpression {
  /// The rule for the date and the time that clocks show.
  public var expression: CalendarExpression { rule }

  /// Makes the schedule. By default, times in a gap run at its end, and repeated times run the first time.
  public init(
    expression: CalendarExpression, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    self.init(rule: expression, zone: zone, daylightSaving: daylightSaving)
  }

  @usableFromInline
  func ownNext(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  @usableFromInline
  func ownLatest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }
}

extension CalendarExpression {
  /// Returns the schedule as a rule of the kind `calendar`.
  @inlinable
  public static func scheduleRule(_ schedule: CalendarSchedule) -> ScheduleRule { .calendar(schedule) }

  /// Returns the rule on one line, such as `calendar *-*-* 02:30:00 in Europe/Berlin`.
  public func summary(in zone: Zone) -> String {
    zoneName == nil ? "calendar \(self) in \(zone.name)" : "calendar \(self)"
  }

  static var kindName: ScheduleRule.KindName { .calendar }
  var hasMoreThanOneEntryPerSecond: Bool { isFinerThanSeconds }

  var grids: [EntryGrid] {
    let seconds = storage.seconds
    return (0..<seconds.count).map { .everyMinute(at: Int64(seconds[$0]) * 1_000) }
  }

  var isOnWholeSeconds: Bool {
    let seconds = storage.seconds
    return (0..<seconds.count).allSatisfy { seconds[$0] % 1_000_000 == 0 }
  }

  func portable(in zone: Zone) -> PortableSchedule? {
    // The zone is exported beside the rule.
    let zoneLength = zoneName.map { $0.utf8.count + 1 } ?? 0
    let text = String(description.dropLast(zoneLength))
    return text.utf8.count <= PortableSchedule.lengthMax ? .calendar(text, zone: zone.name) : nil
  }
}
