// Reasons why no day can match a rule.
extension CronExpression {
  /// The reason as a clause, such as `February never has a day 30`.
  var reasonForNoDay: String {
    if daysNeverMeet { return "the day of the month and the day of the week never fall on one day" }
    let months = (1...12).filter { monthBits >> UInt64($0) & 1 == 1 }.map { RuleWords.monthNames[$0 - 1] }
    let days = dayOfMonthBits | UInt64(calendarDays.nearestWorkdays)
    return "\(RuleWords.list(months)) never \(months.count == 1 ? "has" : "have") a day "
      + RuleWords.numbers(days, in: 1...31)
  }

  var hintForNoDay: String {
    daysNeverMeet
      ? "where one of the two fields begins with `*` a day must match both; without the `*` it must match either"
      : "`L` is the last day of every month"
  }

  /// Whether the rule's months have its days of the month, so that only the weekday prevents a match.
  private var daysNeverMeet: Bool {
    guard needsBothDays, dayOfWeekBits != 0x7F || !calendarDays.isEmpty else { return false }
    if calendarDays.hasLastDay || calendarDays.hasLastWorkday { return true }
    let days = dayOfMonthBits | UInt64(calendarDays.nearestWorkdays)
    return (1...12).contains { month in
      monthBits >> UInt64(month) & 1 == 1
        && days & (2 << UInt64(CivilDate.dayCount(ofMonth: month, inYear: 2_000)) - 2) != 0
    }
  }
}
