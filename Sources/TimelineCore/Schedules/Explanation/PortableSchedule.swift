/// A schedule in a form that other programs can read, such as monitoring services.
package enum PortableSchedule: Sendable, Hashable {
  /// Five fields as in crontab(5), read in the zone with that IANA name.
  case cron(String, zone: String)
  /// A rule of systemd.time(7), read in the zone with that IANA name.
  case calendar(String, zone: String)
  /// The whole seconds from one entry to the next.
  case period(seconds: Int64)

  /// The longest rule that is exported, in bytes: it shares a message with other facts.
  package static let lengthMax = 512
}

extension ScheduleRule {
  /// The schedule in a portable form; `nil` if there is no equivalent. Windows, dates, fractions of a second, and
  /// days that only some programs support have none.
  package var portable: PortableSchedule? {
    switch self {
    case .periodic(let schedule):
      let (seconds, rest) = schedule.interval.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
      return rest == 0 ? .period(seconds: seconds) : nil
    case .everyMinute(let schedule): return .cron("* * * * *", zone: schedule.zone.name)
    case .cron(let schedule):
      let text = "\(schedule.expression)"
      guard schedule.expression.isPlain, text.utf8.count <= PortableSchedule.lengthMax else { return nil }
      return .cron(text, zone: schedule.zone.name)
    case .calendar(let schedule):
      let text = schedule.expression.textWithoutZone
      return text.utf8.count <= PortableSchedule.lengthMax ? .calendar(text, zone: schedule.zone.name) : nil
    case .animation, .explicit, .composed: return nil
    }
  }
}

extension CalendarExpression {
  /// The rule in its canonical form, without the zone that it names.
  fileprivate var textWithoutZone: String {
    guard let zoneName else { return description }
    return String(description.dropLast(zoneName.utf8.count + 1))
  }
}
