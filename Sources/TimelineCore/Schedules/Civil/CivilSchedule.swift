/// Entries every n days, weeks, months or years at times of the day, on the clocks of a zone, with a policy for clock changes.
///
/// The rule fixes the time of the day, so that the policy applies. Entries lie on whole seconds.
public struct CivilSchedule: Sendable {
  private let storage: Storage

  private final class Storage: Sendable {
    let search: CivilSearch<CivilRecurrence>

    init(_ search: CivilSearch<CivilRecurrence>) {
      self.search = search
    }
  }

  /// The rule for the date and the time that clocks show.
  public var recurrence: CivilRecurrence { search.rule }
  /// The time zone.
  public var zone: Zone { search.zone }
  /// The policy for clock changes.
  public var daylightSaving: DaylightSavingPolicy { search.daylightSaving }

  /// The search for entries, shared by all rules on the clocks of a zone.
  var search: CivilSearch<CivilRecurrence> { storage.search }

  /// Makes the schedule. By default, times in a gap run at its end, and repeated times run the first time.
  public init(
    recurrence: CivilRecurrence, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    storage = Storage(CivilSearch(zone: zone, rule: recurrence, daylightSaving: daylightSaving))
  }
}

extension CivilSchedule: Schedule {
  /// The last entry not later than `start`, then every later entry. `mode` has no effect.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    ScheduleEntries(from: latest(atOrBefore: start) ?? next(after: start), of: .civil(self))
  }

  /// The first entry strictly later than `instant`, or `nil` if there is none; never allocates.
  ///
  /// Usually one step. The longest search is for a rule whose times are all left out by the policy `skip`.
  public func next(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  /// The last entry that is not later than `instant`, or `nil` if there is none; never allocates.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }

  /// Returns the number of entries in (`start`, `end`], in one step for each clock change in between, and for months that
  /// are left out one for each month.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    search.count(after: start, through: end)
  }
}

extension CivilSchedule: Hashable {
  /// Whether the rule's canonical form, zone and policy are the same.
  public static func == (left: CivilSchedule, right: CivilSchedule) -> Bool {
    left.storage === right.storage
      || left.canonicalForm == right.canonicalForm && left.zone == right.zone
        && left.daylightSaving == right.daylightSaving
  }

  /// Feeds the rule's canonical form, zone and policy into `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalForm)
    hasher.combine(zone)
    hasher.combine(daylightSaving)
  }
}

extension CivilSchedule: CivilRuleKind {
  static var name: ScheduleRule.KindName { .civil }
  var words: String { recurrence.words }
  var canonicalForm: String { recurrence.description }

  var grids: [EntryGrid] {
    Set(recurrence.seconds.map { $0 % 60 }).map { .everyMinute(at: Int64($0) * 1_000_000_000) }
  }
}

extension CivilSchedule: CustomStringConvertible {
  /// Readable form of the rule, such as `civil every 2 weeks from 2026-01-05 on Mon,Thu at 09:00 in Europe/Berlin`.
  public var description: String { "civil \(recurrence.summary) in \(zone.name)" }
}
