/// Entries at the times that a calendar rule gives for the clocks of a zone, with a policy for clock changes.
///
/// A rule that fixes the time of the day (``CalendarExpression/fixesTimeOfDay``) obeys the policy; every other rule
/// follows real time, so that `*:00/30` comes every half hour through every change. Entries lie on whole microseconds.
public struct CalendarSchedule: Sendable {
  private let storage: Storage

  private final class Storage: Sendable {
    let search: CivilSearch<CalendarExpression>

    init(_ search: CivilSearch<CalendarExpression>) {
      self.search = search
    }
  }

  /// The rule for the date and the time that clocks show.
  public var expression: CalendarExpression { search.rule }
  /// The time zone; the zone that the rule names, if it names one.
  public var zone: Zone { search.zone }
  /// The policy for clock changes, for a rule that fixes the time of the day.
  public var daylightSaving: DaylightSavingPolicy { search.daylightSaving }

  /// The search for entries, shared by all rules on the clocks of a zone.
  var search: CivilSearch<CalendarExpression> { storage.search }

  /// Makes the schedule. By default, times in a gap run at its end, and repeated times run the first time.
  public init(
    expression: CalendarExpression, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    storage = Storage(CivilSearch(zone: zone, rule: expression, daylightSaving: daylightSaving))
  }
}

extension CalendarSchedule: Schedule {
  /// The last entry not later than `start`, then every later entry. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? next(after: start), of: .calendar(self))
  }

  /// The first entry strictly later than `instant`, or `nil` if there is none; never allocates.
  ///
  /// Usually one step. The longest search looks once at each of about 7,000 months and 500 clock changes.
  public func next(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  /// The last entry that is not later than `instant`, or `nil` if there is none; never allocates.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }

  /// Returns the number of entries in (`start`, `end`], in one step for each month and each clock change in between.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    search.count(after: start, through: end)
  }
}

extension CalendarSchedule: Hashable {
  /// Whether rule, zone and policy are the same.
  public static func == (left: CalendarSchedule, right: CalendarSchedule) -> Bool {
    left.storage === right.storage
      || left.expression == right.expression && left.zone == right.zone
        && left.daylightSaving == right.daylightSaving
  }

  /// Feeds rule, zone and policy into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(expression)
    hasher.combine(zone)
    hasher.combine(daylightSaving)
  }
}

extension CalendarSchedule: CivilRuleKind {
  static var name: ScheduleRule.KindName { .calendar }
  var hasMoreThanOneEntryPerSecond: Bool { expression.isFinerThanSeconds }
  var words: String { expression.words }
  var canonicalForm: String { expression.description }

  var grids: [EntryGrid] {
    let seconds = expression.storage.seconds
    return (0..<seconds.count).map { .everyMinute(at: Int64(seconds[$0]) * 1_000) }
  }

  var isOnWholeSeconds: Bool {
    let seconds = expression.storage.seconds
    return (0..<seconds.count).allSatisfy { seconds[$0] % 1_000_000 == 0 }
  }

  var portable: PortableSchedule? {
    // The zone is exported beside the rule.
    let zoneLength = expression.zoneName.map { $0.utf8.count + 1 } ?? 0
    let text = String(canonicalForm.dropLast(zoneLength))
    return text.utf8.count <= PortableSchedule.lengthMax ? .calendar(text, zone: zone.name) : nil
  }
}

extension CalendarSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `calendar *-*-* 02:30:00 in Europe/Berlin`.
  public var description: String {
    expression.zoneName == nil ? "calendar \(expression) in \(zone.name)" : "calendar \(expression)"
  }
}
