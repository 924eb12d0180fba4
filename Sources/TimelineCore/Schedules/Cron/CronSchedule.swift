/// Entries at the times that a cron rule gives for the clocks of a zone, with a policy for clock changes.
///
/// A rule that fixes the time of the day (``CronExpression/fixesTimeOfDay``) obeys the policy; every other rule
/// follows real time, so that `*/30` comes every half hour through every change. Entries lie on whole seconds.
public struct CronSchedule: Sendable {
  private let storage: Storage

  private final class Storage: Sendable {
    let search: CivilSearch<CronExpression>

    init(_ search: CivilSearch<CronExpression>) {
      self.search = search
    }
  }

  /// The rule for the date and the time that clocks show.
  public var expression: CronExpression { search.rule }
  /// The time zone.
  public var zone: Zone { search.zone }
  /// The policy for clock changes, for a rule that fixes the time of the day.
  public var daylightSaving: DaylightSavingPolicy { search.daylightSaving }

  /// The search for entries, shared by all rules on the clocks of a zone.
  var search: CivilSearch<CronExpression> { storage.search }

  /// Makes the schedule. By default, times in a gap run at its end, and repeated times run the first time.
  public init(
    expression: CronExpression, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    storage = Storage(CivilSearch(zone: zone, rule: expression, daylightSaving: daylightSaving))
  }
}

extension CronSchedule: Schedule {
  /// The last entry not later than `start`, then every later entry. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? next(after: start), of: .cron(self))
  }

  /// The first entry strictly later than `instant`, or `nil` if there is none; never allocates.
  ///
  /// Usually one step. The longest search is for a rule whose times are all left out by the policy `skip`: it looks
  /// once at each of about 7,000 months and 500 clock changes, to the end of the range of instants.
  public func next(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  /// The last entry that is not later than `instant`, or `nil` if there is none; never allocates.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }

  /// Returns the number of entries in (`start`, `end`], in one step for each month and each clock change in between.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    search.count(after: start, through: end)
  }
}

extension CronSchedule: Hashable {
  /// Whether rule, zone and policy are the same.
  public static func == (left: CronSchedule, right: CronSchedule) -> Bool {
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

extension CronSchedule: CivilRuleKind {
  static var name: ScheduleRule.KindName { .cron }
  var words: String { expression.words }
  var canonicalForm: String { expression.description }

  var grids: [EntryGrid] {
    let bits = expression.secondBits
    return (0..<60).filter { bits >> UInt64($0) & 1 == 1 }.map { .everyMinute(at: Int64($0) * 1_000_000_000) }
  }

  var portable: PortableSchedule? {
    let text = canonicalForm
    guard expression.isPlain, text.utf8.count <= PortableSchedule.lengthMax else { return nil }
    return .cron(text, zone: zone.name)
  }

  func emptyDay(after start: WallInstant, through end: WallInstant) -> ClockChangeEffect? {
    expression.hourBits == CronField.hour.all ? nil : search.emptyDay(after: start, through: end)
  }
}

extension CronSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `cron 30 2 * * * in Europe/Berlin`.
  public var description: String { "cron \(expression) in \(zone.name)" }
}
