/// A rule for the dates and times that clocks show, such as ``CronExpression``. It makes a ``RuleSchedule`` with a ``Zone``.
///
/// The rules of this module conform. A schedule for other rules implements ``Schedule``.
public protocol LocalTimeRule: Hashable, CustomStringConvertible, Sendable {
  /// Returns `schedule` as one of the rules that a job can have.
  static func scheduleRule(_ schedule: RuleSchedule<Self>) -> ScheduleRule

  /// The zone of a rule whose matches are seconds of UTC; `nil` for a rule that matches times that clocks show.
  var ownZone: Zone? { get }

  /// Returns the rule and its zone on one line, short enough for a column of a table.
  func summary(in zone: Zone) -> String
}

/// Entries at the times that a rule names for the clocks of a zone, with a policy for clock changes.
///
/// A rule that fixes the time of the day obeys the policy. Every other rule follows real time, so that `*/30` comes every half
/// hour through every change. The kinds are ``CronSchedule``, ``CalendarSchedule``, ``CivilSchedule`` and
/// ``RecurrenceSchedule``.
public struct RuleSchedule<Rule: LocalTimeRule>: Sendable {
  private let storage: Storage

  private final class Storage: Sendable {
    let search: CivilSearch<Rule>

    init(_ search: CivilSearch<Rule>) {
      self.search = search
    }
  }

  /// The rule for the date and the time that clocks show.
  public var rule: Rule { search.rule }
  /// The time zone; the zone that the rule names, if it names one.
  public var zone: Zone { rule.ownZone ?? search.zone }
  /// The policy for clock changes, for a rule that fixes the time of the day.
  public var daylightSaving: DaylightSavingPolicy { search.daylightSaving }

  /// The search for entries, shared by all rules on the clocks of a zone.
  var search: CivilSearch<Rule> { storage.search }

  init(rule: Rule, zone: Zone, daylightSaving: DaylightSavingPolicy) {
    storage = Storage(CivilSearch(zone: zone, rule: rule, daylightSaving: daylightSaving))
  }
}

// `ScheduleRule` has specialized code for each kind. A caller in another module reaches it by what can be inlined here.
extension RuleSchedule: Schedule {
  @inlinable var scheduleRule: ScheduleRule { Rule.scheduleRule(self) }

  /// The last entry not later than `start`, then every later entry. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? next(after: start), of: scheduleRule)
  }

  /// The first entry strictly later than `instant`, or `nil` if there is none; never allocates.
  ///
  /// Usually one step. The longest search is for a rule whose times are all left out by the policy `skip`: it looks
  /// once at each of about 7,000 months and 500 clock changes, to the end of the range of instants.
  @inlinable
  public func next(after instant: WallInstant) -> WallInstant? { scheduleRule.next(after: instant) }

  /// The last entry that is not later than `instant`, or `nil` if there is none; never allocates.
  @inlinable
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    scheduleRule.latest(atOrBefore: instant)
  }

  /// Returns the number of entries in (`start`, `end`], in one step for each clock change in between, and for most rules one
  /// for each month.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    scheduleRule.count(after: start, through: end)
  }
}

extension RuleSchedule: Hashable {
  /// Whether rule, zone and policy are the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.storage === right.storage
      || left.rule == right.rule && left.zone == right.zone && left.daylightSaving == right.daylightSaving
  }

  /// Feeds rule, zone and policy into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(rule)
    hasher.combine(zone)
    hasher.combine(daylightSaving)
  }
}

extension RuleSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `cron 30 2 * * * in Europe/Berlin`.
  public var description: String { rule.summary(in: zone) }
}

// For reports, checks and explanations: the program has one copy for all kinds of rules.
extension RuleSchedule: RuleKind where Rule: CivilRule {
  static var name: ScheduleRule.KindName { Rule.kindName }
  var hasMoreThanOneEntryPerSecond: Bool { rule.hasMoreThanOneEntryPerSecond }
  var isOnWholeSeconds: Bool { rule.isOnWholeSeconds }
  var grids: [EntryGrid] { rule.grids }
  var undescribedParts: [String] { daylightSaving.parts }
  var portable: PortableSchedule? { rule.portable(in: zone) }
  var mayOmit: Bool { search.mayOmit }

  func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] {
    scheduleRule.omissions(after: start, through: end)
  }

  func explanation(
    after start: WallInstant, through end: WallInstant, on clocks: Zone
  ) -> ScheduleExplanation {
    ScheduleExplanation(
      words: "\(rule.words), in \(zone.name)", canonicalForm: rule.description,
      daylightSaving: policyWords, changes: effects(after: start, through: end))
  }
}
