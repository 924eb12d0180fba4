import TimelineCore

// Advice about valid rules that probably do not have the intended meaning.
extension ScheduleReader {
  /// Returns the text of a rule. An array of several rules is refused, and the help shows the `any` for them.
  func ruleText(_ item: Item, expected: String) -> String? {
    guard case .array(let values) = item.value.content, values.count > 1 else {
      return reading.string(item, expected: expected)
    }
    reading.wrongKind(item, expected: expected, help: [Self.union(of: values, as: item.key)])
    return nil
  }

  /// Returns a sentence with the `any` for a list of several rules. It contains the rules themselves if they are at most
  /// eight.
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

  /// Warns about a coming day on which a rule that follows elapsed time has no entry, because a clock change skips all its
  /// times.
  func warnOfEmptyDay(_ item: Item, of rule: ScheduleRule, help: @autoclosure () -> String) {
    guard let now = reading.context.now,
      let change = rule.emptyDay(after: now, years: ConfigurationLimits.changeYears)
    else { return }
    reading.log.warning(
      "`\(item.path)` has no entry on a day on which clocks are changed: \(change.words)", at: item.place,
      help: [help()])
  }

  /// Warns about an interval of a day or a week whose local time moves at a coming clock change. A calendar rule would keep
  /// it.
  func warnOfMoves(_ item: Item, of schedule: PeriodicSchedule) {
    let isWeek = schedule.interval == .days(7)
    guard isWeek || schedule.interval == .days(1), let zone, let now = reading.context.now else { return }
    let explanation = ScheduleRule.periodic(schedule).explanation(
      from: now, years: ConfigurationLimits.changeYears, on: zone)
    guard let change = explanation.changes.first, let next = schedule.next(after: now) else { return }
    let local = zone.civil(at: next)
    let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let day = isWeek ? weekdays[(local.date.daysSinceEpoch + 3) % 7] + " " : ""
    reading.log.warning(
      "`\(item.path)` keeps no time of the day: \(change.words)", at: item.place,
      help: ["a calendar rule keeps it: { calendar = \"\(day)\(local.time)\" }"])
  }
}
