/// Entries every n days, weeks, months or years at times of the day, on the clocks of a zone, with a policy for clock changes.
///
/// The rule fixes the time of the day, so that the policy applies. Entries lie on whole seconds.
public typealias CivilSchedule = RuleSchedule<CivilRecurrence>

extension RuleSchedule where Rule == CivilRecurrence {
  /// The rule for the date and the time that clocks show.
  public var recurrence: CivilRecurrence { rule }

  /// Makes the schedule. By default, times in a gap run at its end, and repeated times run the first time.
  public init(
    recurrence: CivilRecurrence, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    self.init(rule: recurrence, zone: zone, daylightSaving: daylightSaving)
  }

  @usableFromInline
  func ownNext(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  @usableFromInline
  func ownLatest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }
}

extension CivilRecurrence {
  /// Returns the schedule as a rule of the kind `civil`.
  @inlinable
  public static func scheduleRule(_ schedule: CivilSchedule) -> ScheduleRule { .civil(schedule) }

  /// Returns the rule on one line, such as `civil every 2 weeks from 2026-01-05 on Mon,Thu at 09:00 in Europe/Berlin`.
  public func summary(in zone: Zone) -> String { "civil \(summary) in \(zone.name)" }

  static var kindName: ScheduleRule.KindName { .civil }

  var grids: [EntryGrid] {
    Set(seconds.map { $0 % 60 }).map { .everyMinute(at: Int64($0) * 1_000_000_000) }
  }
}

extension CivilRecurrence: Hashable {
  /// Whether the canonical form is the same.
  public static func == (left: CivilRecurrence, right: CivilRecurrence) -> Bool {
    left.description == right.description
  }

  /// Feeds the canonical form into `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
