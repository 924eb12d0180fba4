/// Entries whenever clocks in a zone show what a cron rule says, by a policy for the days on which they are changed.
///
/// A rule that fixes the time of the day (``CronExpression/fixesTimeOfDay``) obeys the policy; every other rule
/// follows real time, so that `*/30` comes every half hour through every change. Entries lie on whole seconds.
public struct CronSchedule: Sendable, Hashable {
  /// What clocks must show.
  public let expression: CronExpression
  /// Whose clocks.
  public let zone: Zone
  /// What a change of the clocks does to a rule that fixes the time of the day.
  public let daylightSaving: DaylightSavingPolicy

  /// Makes the schedule; without a policy what falls into a gap runs at its end, and what comes twice runs first.
  public init(
    expression: CronExpression, zone: Zone, daylightSaving: DaylightSavingPolicy = DaylightSavingPolicy()
  ) {
    self.expression = expression
    self.zone = zone
    self.daylightSaving = daylightSaving
  }
}

extension CronSchedule: Schedule {
  /// The entry that is showing at `start`, then every later one; the mode changes nothing.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> Entries {
    Entries(from: latest(atOrBefore: start) ?? next(after: start), of: self)
  }

  /// The first entry strictly later than `instant`, or `nil` when there is none any more; never allocates.
  ///
  /// Usually one step. The longest search, for a rule that a policy of `skip` leaves out every time it comes, looks
  /// at every month once and at every change of the clocks, some 7,000 and 500, and ends with the range of instants.
  public func next(after instant: WallInstant) -> WallInstant? { search.next(after: instant) }

  /// The last entry that is not later than `instant`, or `nil` when there is none yet; never allocates.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? { search.latest(atOrBefore: instant) }

  /// How many entries lie in (`start`, `end`], one step for each month and each change of the clocks in between.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    search.count(after: start, through: end)
  }

  /// The same, seen as any rule on the clocks of a zone.
  var search: CivilSearch<CronExpression> {
    CivilSearch(rule: expression, zone: zone, daylightSaving: daylightSaving)
  }
}

extension CronSchedule {
  /// The entries from some instant on.
  public struct Entries: Sequence, IteratorProtocol, Sendable {
    private var upcoming: WallInstant?
    private var cursor: CronCursor?
    private let schedule: CronSchedule

    init(from first: WallInstant?, of schedule: CronSchedule) {
      upcoming = first
      self.schedule = schedule
      cursor = first.flatMap { CronCursor(behind: $0, of: schedule) }
    }

    /// The next entry, or `nil` after the last.
    public mutating func next() -> WallInstant? {
      guard let entry = upcoming else { return nil }
      if let second = cursor?.next() {
        upcoming = WallInstant(nanosecondsSinceEpoch: Int64(second) * 1_000_000_000)
      } else {
        search(behind: entry)
      }
      return entry
    }

    private mutating func search(behind entry: WallInstant) {
      upcoming = schedule.next(after: entry)
      cursor = upcoming.flatMap { CronCursor(behind: $0, of: schedule) }
    }
  }
}

extension CronSchedule: CustomStringConvertible {
  /// The rule for people, such as `cron 30 2 * * * in Europe/Berlin`.
  public var description: String { "cron \(expression) in \(zone.name)" }
}
