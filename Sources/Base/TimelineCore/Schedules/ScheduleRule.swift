/// Any of the rules that a job can have, stored by kind so that the engine's path needs no existential.
///
/// Large parts lie in storage that copies share: a rule has 17 bytes, and a copy retains one object at most. A new kind of rule
/// is a new case here, in each `switch` below and in ``ScheduleEntries``. All other properties of a kind are in `RuleKind`.
public enum ScheduleRule: Sendable, Hashable {
  /// From a start by an interval.
  case periodic(PeriodicSchedule)
  /// Entries at the requested rate, with one run at a time.
  case animation(AnimationSchedule)
  /// At given instants.
  case explicit(ExplicitSchedule)
  /// At every civil minute of a zone.
  case everyMinute(EveryMinuteSchedule)
  /// Entries at the times that a cron rule names.
  case cron(CronSchedule)
  /// Entries at the times that a calendar rule of systemd names.
  case calendar(CalendarSchedule)
  /// Every n days, weeks, months or years at times of the day.
  case civil(CivilSchedule)
  /// At the times of an RRULE.
  case recurrence(RecurrenceSchedule)
  /// Entries at the times that any of several rules names and that lie in open windows.
  case composed(ComposedSchedule)
}

extension ScheduleRule {
  /// Names of the kinds of rules in a configuration.
  package enum KindName: String, Sendable, CaseIterable {
    case periodic, animation, explicit
    case everyMinute = "every-minute"
    case cron, calendar, civil
    case recurrence = "rrule"
    case composed = "any"
  }

  /// The rule as its kind, for properties that are not needed for each entry.
  var kind: any RuleKind {
    switch self {
    case .periodic(let schedule): schedule
    case .animation(let schedule): schedule
    case .explicit(let schedule): schedule
    case .everyMinute(let schedule): schedule
    case .cron(let schedule): schedule
    case .calendar(let schedule): schedule
    case .civil(let schedule): schedule
    case .recurrence(let schedule): schedule
    case .composed(let schedule): schedule
    }
  }

  /// Whether the next entry depends on the end of the last run, and not on the rule alone.
  public var isClosedLoop: Bool { if case .animation = self { true } else { false } }

  package var isStartOfMachine: Bool {
    if case .explicit(let schedule) = self { schedule.isStartOfMachine } else { false }
  }

  /// Whether the start of the machine is an entry of the rule, alone or in a union.
  package var namesStartOfMachine: Bool {
    if case .composed(let schedule) = self { schedule.hasStartOfMachine } else { isStartOfMachine }
  }
}

extension ScheduleRule: Schedule {
  /// Returns the entries of the rule's own schedule.
  public func entries(from start: WallInstant, mode: ScheduleMode) -> ScheduleEntries {
    switch self {
    case .periodic(let schedule): schedule.entries(from: start, mode: mode)
    case .animation(let schedule): schedule.entries(from: start, mode: mode)
    case .explicit(let schedule): ScheduleEntries(from: schedule.instants.first, of: self)
    case .everyMinute(let schedule): schedule.entries(from: start, mode: mode)
    case .cron(let schedule): schedule.entries(from: start, mode: mode)
    case .calendar(let schedule): schedule.entries(from: start, mode: mode)
    case .civil(let schedule): schedule.entries(from: start, mode: mode)
    case .recurrence(let schedule): schedule.entries(from: start, mode: mode)
    case .composed(let schedule): schedule.entries(from: start, mode: mode)
    }
  }

  /// The first entry strictly later than `instant`, or `nil` if there is none; never allocates.
  @inlinable
  public func next(after instant: WallInstant) -> WallInstant? {
    switch self {
    case .periodic(let schedule): schedule.next(after: instant)
    case .animation(let schedule): schedule.next(after: instant)
    case .explicit(let schedule): schedule.next(after: instant)
    case .everyMinute(let schedule): schedule.next(after: instant)
    case .cron(let schedule): schedule.ownNext(after: instant)
    case .calendar(let schedule): schedule.ownNext(after: instant)
    case .civil(let schedule): schedule.ownNext(after: instant)
    case .recurrence(let schedule): schedule.ownNext(after: instant)
    case .composed(let schedule): schedule.next(after: instant)
    }
  }

  /// The last entry that is not later than `instant`, or `nil` if there is none; never allocates.
  @inlinable
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    switch self {
    case .periodic(let schedule): schedule.latest(atOrBefore: instant)
    case .animation(let schedule): schedule.latest(atOrBefore: instant)
    case .explicit(let schedule): schedule.latest(atOrBefore: instant)
    case .everyMinute(let schedule): schedule.latest(atOrBefore: instant)
    case .cron(let schedule): schedule.ownLatest(atOrBefore: instant)
    case .calendar(let schedule): schedule.ownLatest(atOrBefore: instant)
    case .civil(let schedule): schedule.ownLatest(atOrBefore: instant)
    case .recurrence(let schedule): schedule.ownLatest(atOrBefore: instant)
    case .composed(let schedule): schedule.latest(atOrBefore: instant)
    }
  }

  /// Returns the number of entries in (`start`, `end`].
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    switch self {
    case .periodic(let schedule): schedule.count(after: start, through: end)
    case .animation(let schedule): schedule.count(after: start, through: end)
    case .explicit(let schedule): schedule.count(after: start, through: end)
    case .everyMinute(let schedule): schedule.count(after: start, through: end)
    case .cron(let schedule): schedule.search.count(after: start, through: end)
    case .calendar(let schedule): schedule.search.count(after: start, through: end)
    case .civil(let schedule): schedule.search.count(after: start, through: end)
    case .recurrence(let schedule): schedule.search.count(after: start, through: end)
    case .composed(let schedule): schedule.count(after: start, through: end)
    }
  }
}
