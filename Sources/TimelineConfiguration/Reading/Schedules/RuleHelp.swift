package import TimelineCore

/// Remedies for a text that is no rule of its language: it may be one of the other.
package enum RuleHelp {
  /// Remedies for a text that is no calendar rule.
  package static func calendar(_ text: String, _ error: TextError) -> [String] {
    let isCron = (try? CronExpression(parsing: text)) != nil
    return isCron ? ["it is a cron rule: { cron = \"\(text)\" }"] : error.help
  }

  /// Remedies for a text that is no cron rule.
  package static func cron(_ text: String, _ error: TextError) -> [String] {
    let isCalendar = (try? CalendarExpression(parsing: text)) != nil
    return isCalendar ? ["it is a calendar rule: { calendar = \"\(text)\" }"] : error.help
  }
}
