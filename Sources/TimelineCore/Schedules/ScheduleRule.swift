/// Any of the rules that a job can have, stored by kind so that the engine's path needs no existential.
///
/// Large parts lie in storage that copies share: a rule has 17 bytes, and a copy retains one object at most.
/// A new kind of rule is a new case here and in each `switch` below.
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
  /// Entries at the times that any of several rules names and that lie in open windows.
  case composed(ComposedSchedule)
}

extension ScheduleRule {
  /// Kinds of rules, under the names that they have in a configuration.
  package enum Kind: String, Sendable, CaseIterable {
    case periodic, animation, explicit
    case everyMinute = "every-minute"
    case cron, calendar
    case composed = "any"
  }

  /// The kind of the rule.
  package var kind: Kind {
    switch self {
    case .periodic: .periodic
    case .animation: .animation
    case .explicit: .explicit
    case .everyMinute: .everyMinute
    case .cron: .cron
    case .calendar: .calendar
    case .composed: .composed
    }
  }

  /// Whether the next entry depends on when the last run ended, and not on the rule alone.
  public var isClosedLoop: Bool {
    switch self {
    case .animation: true
    case .periodic, .explicit, .everyMinute, .cron, .calendar, .composed: false
    }
  }

  /// Whether two entries can repeatedly be less than a second apart, so that they are counted and not listed. Windows
  /// and bounds of a union are ignored, and so are dates: there are few of them.
  public var hasMoreThanOneEntryPerSecond: Bool {
    switch self {
    case .periodic(let schedule): schedule.interval < .seconds(1)
    case .animation(let schedule): !schedule.isPaused && schedule.interval < .seconds(1)
    case .explicit, .everyMinute, .cron: false
    case .calendar(let schedule): schedule.expression.isFinerThanSeconds
    case .composed(let schedule): schedule.storage.isFast
    }
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
    case .cron(let schedule): schedule.next(after: instant)
    case .calendar(let schedule): schedule.next(after: instant)
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
    case .cron(let schedule): schedule.latest(atOrBefore: instant)
    case .calendar(let schedule): schedule.latest(atOrBefore: instant)
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
    case .cron(let schedule): schedule.count(after: start, through: end)
    case .calendar(let schedule): schedule.count(after: start, through: end)
    case .composed(let schedule): schedule.count(after: start, through: end)
    }
  }
}

extension ScheduleRule {
  /// The parts of the rule that ``description`` leaves out: two rules that agree in both have the same entries.
  ///
  /// A zone counts by its name: another edition of its rules moves entries of the same rule.
  public var undescribedParts: [String] {
    switch self {
    case .periodic, .animation, .everyMinute: []
    // The rule of the start of the machine stays the same after a restart.
    case .explicit(let schedule): schedule.isStartOfMachine ? [] : schedule.instants.map(\.description)
    case .cron(let schedule): schedule.daylightSaving.parts
    case .calendar(let schedule): schedule.daylightSaving.parts
    case .composed(let schedule): schedule.undescribedParts
    }
  }
}

extension ScheduleRule {
  /// Whether the rule is the start of the machine.
  package var isStartOfMachine: Bool {
    if case .explicit(let schedule) = self { schedule.isStartOfMachine } else { false }
  }

  /// Whether the start of the machine is an entry of the rule, alone or in a union.
  package var namesStartOfMachine: Bool {
    if case .composed(let schedule) = self { schedule.hasStartOfMachine } else { isStartOfMachine }
  }

  /// Returns the rule with the instant of the start of the machine, alone or in a union; `nil` for a rule without it.
  package func resolved(startOfMachine instant: WallInstant) -> ScheduleRule? {
    switch self {
    case .explicit(let schedule):
      return schedule.delayAfterStart.map {
        .explicit(ExplicitSchedule(startOfMachine: instant, delay: $0))
      }
    case .composed(let schedule):
      return schedule.resolved(startOfMachine: instant).map(ScheduleRule.composed)
    case .periodic, .animation, .everyMinute, .cron, .calendar: return nil
    }
  }
}

extension ScheduleRule: CustomStringConvertible {
  /// The rule for people, short enough for a column of a table.
  public var description: String {
    switch self {
    case .periodic(let schedule): schedule.description
    case .animation(let schedule): schedule.description
    case .explicit(let schedule): schedule.description
    case .everyMinute(let schedule): schedule.description
    case .cron(let schedule): schedule.description
    case .calendar(let schedule): schedule.description
    case .composed(let schedule): schedule.description
    }
  }
}
