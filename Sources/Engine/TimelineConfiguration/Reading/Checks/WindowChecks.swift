import TimelineCore

/// Warnings about windows that probably are a mistake: days and periods without a run, and dates in the past.
struct WindowChecks {
  let reading: FileReading
  let conditions: ComposedSchedule.Conditions
  let rule: ScheduleRule
  let zone: Zone

  func run(_ fields: Fields) {
    guard let now = reading.context.now else { return }
    let windows = conditions.only + conditions.except
    guard !windows.isEmpty else { return }
    if let item = fields["except"] {
      checkDates(item, at: now)
      checkPeriods(item, after: now)
    }
    // Windows of whole days need no check, because they apply at every hour, also at clock changes.
    if windows.contains(where: \.isPartOfDay), let item = fields["only"] ?? fields["except"] {
      checkChanges(item, after: now)
    }
  }

  /// Warns about an `except` whose dates are all past. Past lists of holidays are reported at their declaration.
  private func checkDates(_ item: Item, at now: WallInstant) {
    let dates = conditions.except.filter { !$0.isOfHolidays }.compactMap(\.lastDate)
    guard let last = dates.max(), last < Zone.utc.civil(at: now - .days(1)).date else { return }
    reading.log.warning(
      "all dates of `\(item.path)` are past: the job runs on such days again", at: item.place,
      label: "the last was \(last)", help: ["write the dates to come, or leave the past ones out"])
  }

  /// Warns about coming periods in which `except` removes all entries: of `pick`, or months of a rule that names a day of the
  /// month, such as the last workday.
  private func checkPeriods(_ item: Item, after now: WallInstant) {
    guard let words = rule.emptyPeriodWords(after: now) else { return }
    let unit = conditions.pick?.period ?? .month
    reading.log.warning(
      "`\(item.path)` leaves \(words)", at: item.place,
      help: [
        conditions.move == nil || unit != .month
          ? "for a run in each \(unit.rawValue) let the rule name another day too, with `any`"
          : "for a run in each month write move-within = \"month\""
      ])
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
