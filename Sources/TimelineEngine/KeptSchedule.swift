import TimelineCore

/// A schedule in one word, for whoever keeps very many: one that takes more lies in an object of its own.
enum KeptSchedule: Sendable {
  /// A periodic rule or an animation, whose numbers do not fit into a word.
  case numbers(Numbers)
  case explicit(ExplicitSchedule)
  case everyMinute(EveryMinuteSchedule)
  case cron(CronSchedule)
  case calendar(CalendarSchedule)
  case composed(ComposedSchedule)

  /// Any rule, in an object.
  final class Numbers: Sendable {
    let rule: ScheduleRule

    init(_ rule: ScheduleRule) {
      self.rule = rule
    }
  }

  /// Keeps a rule.
  init(_ rule: ScheduleRule) {
    self =
      switch rule {
      case .periodic, .animation: .numbers(Numbers(rule))
      case .explicit(let schedule): .explicit(schedule)
      case .everyMinute(let schedule): .everyMinute(schedule)
      case .cron(let schedule): .cron(schedule)
      case .calendar(let schedule): .calendar(schedule)
      case .composed(let schedule): .composed(schedule)
      }
  }

  /// The rule that is kept.
  var rule: ScheduleRule {
    switch self {
    case .numbers(let numbers): numbers.rule
    case .explicit(let schedule): .explicit(schedule)
    case .everyMinute(let schedule): .everyMinute(schedule)
    case .cron(let schedule): .cron(schedule)
    case .calendar(let schedule): .calendar(schedule)
    case .composed(let schedule): .composed(schedule)
    }
  }

  /// The first entry strictly later than `instant`, asked where the rule lies; `nil` when there is none any more.
  @inline(__always)
  func next(after instant: WallInstant) -> WallInstant? {
    switch self {
    case .numbers(let numbers): numbers.rule.next(after: instant)
    case .explicit(let schedule): schedule.next(after: instant)
    case .everyMinute(let schedule): schedule.next(after: instant)
    case .cron(let schedule): schedule.next(after: instant)
    case .calendar(let schedule): schedule.next(after: instant)
    case .composed(let schedule): schedule.next(after: instant)
    }
  }
}
