import TimelineCore

/// Warnings about windows that do not do what they were written for: days on which nothing runs, and dates that are past.
struct WindowChecks {
  let reading: FileReading
  let conditions: ComposedSchedule.Conditions
  let rule: ScheduleRule

  func run(_ fields: Fields) {
    guard let now = reading.context.now else { return }
    let windows = conditions.only + conditions.except
    guard !windows.isEmpty else { return }
    if let item = fields["except"] { checkDates(item, at: now) }
    // Whole days are on or off at every hour, whatever clocks do.
    if windows.contains(where: \.isPartOfDay), let item = fields["only"] ?? fields["except"] {
      checkChanges(item, after: now)
    }
  }

  /// Warns of an `except` whose dates are all past. Lists of holidays are told of where they are declared.
  private func checkDates(_ item: Item, at now: WallInstant) {
    let dates = conditions.except.filter { !$0.isOfHolidays }.compactMap(\.lastDate)
    guard let last = dates.max(), last < Zone.utc.civil(at: now - .days(1)).date else { return }
    reading.log.warning(
      "all dates of `\(item.path)` are past: the job runs on such days again", at: item.place,
      label: "the last was \(last)", help: ["write the dates to come, or leave the past ones out"])
  }

  private func checkChanges(_ item: Item, after now: WallInstant) {
    let changes = rule.explanation(from: now, years: ConfigurationLimits.changeYears).changes
    guard let change = changes.first(where: \.isLeftOut) else { return }
    reading.log.warning(
      "nothing runs on a day on which clocks are changed: \(change.words)", at: item.place,
      help: [
        conditions.only.isEmpty
          ? "leave the time after the change out of the windows"
          : "let the windows hold the time after the change too"
      ])
  }
}
