import TimelineCore

// Advice about rules that are right and hardly mean what they seem to.
extension ScheduleReader {
  /// The text of a rule; several of them are refused with the `any` that holds them.
  func ruleText(_ item: Item, expected: String) -> String? {
    guard case .array(let values) = item.value.content, values.count > 1 else {
      return reading.string(item, expected: expected)
    }
    reading.wrongKind(item, expected: expected, help: [Self.union(of: values, as: item.key)])
    return nil
  }

  /// The `any` for several rules in a list, as a sentence; with the rules themselves where they are few.
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

  /// Warns of a day to come on which a rule that follows real time has no entry, since clocks skip all its times.
  func warnOfEmptyDay(_ item: Item, of rule: ScheduleRule, help: @autoclosure () -> String) {
    guard let now = reading.context.now,
      let change = rule.emptyDay(after: now, years: ConfigurationLimits.changeYears)
    else { return }
    reading.log.warning(
      "`\(item.path)` has no entry on a day on which clocks are changed: \(change.words)", at: item.place,
      help: [help()])
  }

  /// Warns of an interval of a day or a week whose local time moves at a clock change to come: a calendar rule keeps it.
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
