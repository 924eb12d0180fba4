package import TimelineCore

/// Remedies for a text that is not a rule of the expected language, but may be a rule of the other language.
package enum RuleHelp {
  /// Returns remedies for a text that is not a calendar rule.
  package static func calendar(_ text: String, _ error: TextError) -> [String] {
    let isCron = (try? CronExpression(parsing: text)) != nil
    if isCron { return ["it is a cron rule: { cron = \"\(text)\" }"] }
    if let rule = recurrence(text) { return [rule] }
    guard text.hasPrefix("every "), let distance = CivilDistance.resembling(text), distance.every > 1 else {
      return error.help
    }
    let interval = CivilRecurrence.interval(distance.every, distance.unit)
    let rule = "{ civil = { every = \"\(interval)\", from = 2026-01-05, at = [\"09:00\"] } }"
    return ["at local time it is \(rule)"] + error.help
  }

  /// Returns remedies for a text that is not a cron rule.
  package static func cron(_ text: String, _ error: TextError) -> [String] {
    if let rule = recurrence(text) { return [rule] }
    let isCalendar = (try? CalendarExpression(parsing: text)) != nil
    return isCalendar ? ["it is a calendar rule: { calendar = \"\(text)\" }"] : error.help
  }

  /// Returns the remedy for a text that is an RRULE; `nil` for another text.
  package static func recurrence(_ text: String) -> String? {
    guard text.hasPrefix("FREQ=") || text.hasPrefix("RRULE:") else { return nil }
    let rule = text.hasPrefix("FREQ=") ? text : String(text.dropFirst(6))
    return "it is a recurrence rule: { rrule = \"\(rule)\", from = 2026-01-30T17:00:00 }"
  }
}
