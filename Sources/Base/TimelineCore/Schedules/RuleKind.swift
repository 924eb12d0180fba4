/// A kind of rule: its properties besides the entries, for reports, checks and explanations.
///
/// A requirement is called at most once for each run, and a kind fits into the existential without an allocation. Most kinds
/// implement only some requirements. The defaults describe a rule that omits nothing and that clock changes do not affect.
protocol RuleKind: CustomStringConvertible, Sendable {
  /// The kind's name in a configuration.
  static var name: ScheduleRule.KindName { get }

  /// See ``ScheduleRule/hasMoreThanOneEntryPerSecond``.
  var hasMoreThanOneEntryPerSecond: Bool { get }

  var isOnWholeSeconds: Bool { get }

  /// Grids that contain the entries of a rule that is not fast by itself. A grid can have further instants. A schedule of dates
  /// has no grid.
  var grids: [EntryGrid] { get }

  /// The time between any two neighboring entries; `nil` if it differs, or if the entries depend on runs.
  var period: ElapsedTime? { get }

  /// See ``ScheduleRule/undescribedParts``.
  var undescribedParts: [String] { get }

  /// The schedule in a portable form; `nil` if there is no equivalent.
  var portable: PortableSchedule? { get }

  /// The words for entries whose instants are not known in advance; `nil` for a schedule without these entries.
  var occasion: String? { get }

  /// See ``ScheduleRule/mayOmit``.
  var mayOmit: Bool { get }

  /// See ``ScheduleRule/omissions(after:through:)``.
  func omissions(after start: WallInstant, through end: WallInstant) -> [Omission]

  /// Explains the rule, with the clock changes in (`start`, `end`]. The clock changes of `clocks` apply to an interval, which
  /// has no zone of its own.
  func explanation(after start: WallInstant, through end: WallInstant, on clocks: Zone) -> ScheduleExplanation

  /// Returns the first clock change in (`start`, `end`] that leaves a day without entries.
  func emptyDay(after start: WallInstant, through end: WallInstant) -> ClockChangeEffect?

  /// Returns the rule with the instant of the start of the machine; `nil` for a rule without it.
  func resolved(startOfMachine instant: WallInstant) -> ScheduleRule?
}

extension RuleKind {
  var hasMoreThanOneEntryPerSecond: Bool { false }
  var isOnWholeSeconds: Bool { true }
  var period: ElapsedTime? { nil }
  var undescribedParts: [String] { [] }
  var portable: PortableSchedule? { nil }
  var occasion: String? { nil }
  var mayOmit: Bool { false }
  func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] { [] }
  func emptyDay(after start: WallInstant, through end: WallInstant) -> ClockChangeEffect? { nil }
  func resolved(startOfMachine instant: WallInstant) -> ScheduleRule? { nil }

  func explanation(
    after start: WallInstant, through end: WallInstant, on clocks: Zone
  ) -> ScheduleExplanation {
    ScheduleExplanation(words: description, canonicalForm: nil, daylightSaving: nil, changes: [])
  }
}

extension ScheduleRule {
  package var kindName: KindName { type(of: kind).name }

  /// The time between any two neighboring entries; `nil` if it differs, or if the entries depend on runs.
  package var period: ElapsedTime? { kind.period }

  /// Whether two entries can repeatedly be less than a second apart, so that they are counted and not listed. Windows
  /// and bounds of a union are ignored, and so are dates: there are few of them.
  public var hasMoreThanOneEntryPerSecond: Bool { kind.hasMoreThanOneEntryPerSecond }

  /// The parts of the rule that ``description`` leaves out: two rules that agree in both have the same entries.
  ///
  /// A zone counts by its name: another edition of its rules moves entries of the same rule.
  public var undescribedParts: [String] { kind.undescribedParts }

  /// The schedule in a portable form; `nil` if there is no equivalent. Windows, dates, fractions of a second, and
  /// days that only some programs support have none.
  package var portable: PortableSchedule? { kind.portable }

  /// The words to show for a schedule that has no next entry.
  package var wordsWithoutNext: String { occasion ?? "never again" }

  /// The words for entries whose instants are not known in advance; `nil` for a schedule without these entries.
  package var occasion: String? { kind.occasion }

  /// Whether ``omissions(after:through:)`` can return anything; most rules leave nothing out.
  public var mayOmit: Bool { kind.mayOmit }

  /// Returns the instants in (`start`, `end`] that the rule names but at which it does not run, ascending. An omission ends at
  /// a change of the reason, or at an entry.
  ///
  /// Times in a gap have no instant. They are reported at the instant of the clock change, unless an entry has that instant. If
  /// the policy runs them at the end of the gap, they are one entry, and nothing is omitted. Takes one step per clock change in
  /// the range.
  public func omissions(after start: WallInstant, through end: WallInstant) -> [Omission] {
    // The engine calls this for each entry.
    switch self {
    case .cron(let schedule): schedule.search.omissions(after: start, through: end)
    case .calendar(let schedule): schedule.search.omissions(after: start, through: end)
    case .civil(let schedule): schedule.search.omissions(after: start, through: end)
    case .recurrence(let schedule): schedule.search.omissions(after: start, through: end)
    default: kind.omissions(after: start, through: end)
    }
  }

  /// Explains the rule, with the clock changes within `years` of 365.25 days after `start`. The clock changes of
  /// `clocks` apply to an interval, which has no zone of its own.
  public func explanation(from start: WallInstant, years: Int, on clocks: Zone = .utc) -> ScheduleExplanation
  {
    kind.explanation(after: start, through: ScheduleExplanation.end(of: years, after: start), on: clocks)
  }

  /// Returns the first clock change within `years` of 365.25 days after `start` that leaves a day without entries,
  /// for a rule that follows real time. `nil` for a rule of fixed times, to which its policy applies, and for a union
  /// of several rules.
  public func emptyDay(after start: WallInstant, years: Int) -> ClockChangeEffect? {
    // Computed for each job that is read, and most jobs have a cron rule of fixed times.
    if case .cron(let schedule) = self, !schedule.rule.canSkipDay { return nil }
    return kind.emptyDay(after: start, through: ScheduleExplanation.end(of: years, after: start))
  }

  /// Returns the rule with the instant of the start of the machine, alone or in a union; `nil` for a rule without it.
  package func resolved(startOfMachine instant: WallInstant) -> ScheduleRule? {
    kind.resolved(startOfMachine: instant)
  }
}

extension ScheduleRule: CustomStringConvertible {
  /// Readable form of the rule, short enough for a column of a table.
  public var description: String { kind.description }
}
