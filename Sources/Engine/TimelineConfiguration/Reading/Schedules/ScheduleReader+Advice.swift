import TimelineCore

// Advice about valid rules that are probably a mistake.
extension ScheduleReader {
  /// Returns the text of a rule. Refuses an array of several rules, with an equivalent `any` as help.
  func ruleText(_ item: Item, expected: String) -> String? {
    guard case .array(let values) = item.value.content, values.count > 1 else {
      return reading.string(item, expected: expected)
    }
    reading.wrongKind(item, expected: expected, help: [Self.union(of: values, as: item.key)])
    return nil
  }

  /// Returns a sentence with the equivalent `any` for a list of rules. The sentence contains the rules if they are at
  /// most eight.
  static func union(of values: TOMLArray, as kind: String? = nil) -> String {
    let rules = values.map { value -> String? in
      guard case .string(let text) = value.content else { return nil }
      let isCalendar = (try? CalendarExpression(parsing: text)) != nil
      guard isCalendar || (try? CronExpression(parsing: text)) != nil else { return nil }
      return "{ \(isCalendar ? "calendar" : "cron") = \"\(text)\" }"
    }
    guard (1...8).contains(rules.count), !rules.contains(nil) else {
      return "several rules are an `any`, such as " + Self.unionExample
    }
    return "several rules are an `any`: { any = [\(rules.compactMap(\.self).joined(separator: ", "))] }"
  }

  private static let unionExample =
    "{ any = [{ cron = \"0 2 * * *\" }, { calendar = \"Mon..Fri 08:00\" }] }"

  /// Reports the warnings about a rule.
  func warn(_ warnings: [RuleWarning], about item: Item, _ text: String) {
    for warning in warnings {
      reading.log.warning(
        "`\(item.path)`: \(warning.message)",
        at: place(of: warning.offset, length: warning.length, in: text, item), help: warning.help)
    }
  }

  /// Warns about a coming day without an entry. A clock change on this day skips all times of a rule that follows
  /// elapsed time.
  func warnOfEmptyDay(_ item: Item, of rule: ScheduleRule, help: @autoclosure () -> String) {
    guard let now = reading.context.now,
      let change = rule.emptyDay(after: now, years: ConfigurationLimits.changeYears)
    else { return }
    reading.log.warning(
      "`\(item.path)` has no entry on a day on which clocks are changed: \(change.words)", at: item.place,
      help: [help()])
  }

  /// Warns about an interval of half a day or of whole days, whose local time moves at a clock change. Only changes
  /// between the first and last entry of `whole`, the schedule with the rule, count. The help has the equivalent
  /// calendar rule, or the civil rule.
  func warnOfMoves(_ item: Item, of rule: ScheduleRule, within whole: ScheduleRule) {
    guard case .periodic(let schedule) = rule, let zone, let now = reading.context.now else { return }
    let isHalfDay = schedule.interval == .hours(12)
    guard isHalfDay || schedule.interval.nanoseconds % ElapsedTime.days(1).nanoseconds == 0 else { return }
    let changes = rule.explanation(from: now, years: ConfigurationLimits.changeYears, on: zone).changes
    let change = changes.first {
      whole.next(after: $0.instant) != nil && whole.latest(atOrBefore: $0.instant) != nil
    }
    guard let change, let next = schedule.next(after: now) else { return }
    let local = zone.civil(at: next)
    let time = "\(local.time)"
    var calendar: String?
    if isHalfDay {
      let hour = local.time.hour % 12
      calendar = "\(hour < 10 ? "0" : "")\(hour),\(hour + 12)\(time.dropFirst(2))"
    } else if schedule.interval == .days(7) {
      let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
      calendar = "\(weekdays[(local.date.daysSinceEpoch + 3) % 7]) \(time)"
    } else if schedule.interval == .days(1) {
      calendar = time
    }
    var help = calendar.map { ["a calendar rule keeps it: { calendar = \"\($0)\" }"] } ?? []
    let dayCount = Int(schedule.interval.nanoseconds / ElapsedTime.days(1).nanoseconds)
    if calendar == nil, dayCount <= CivilRecurrence.everyMax, local.time.nanosecond == 0 {
      let interval =
        dayCount % 7 == 0
        ? CivilRecurrence.interval(dayCount / 7, .weeks) : CivilRecurrence.interval(dayCount, .days)
      help = [
        "a civil rule keeps it: { civil = { every = \"\(interval)\", from = \(local.date), at = [\"\(time)\"] } }"
      ]
    }
    reading.log.warning(
      "`\(item.path)` keeps no time of the day: \(change.words)", at: item.place, help: help)
  }
}
