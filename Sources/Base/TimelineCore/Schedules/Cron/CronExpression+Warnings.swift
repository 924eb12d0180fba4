extension CronExpression {
  /// The same times with numbers in place of each `*` in the second, the minute and the hour: a rule of fixed times, to which the
  /// policy for clock changes applies.
  public var atFixedTimes: CronExpression {
    CronExpression(
      fields: CronField.allCases.map { field in
        var value = value(of: field)
        if field.rawValue <= CronField.hour.rawValue { value.beginsWithStar = false }
        return value
      }, calendarDays: calendarDays)
  }

  /// Warnings about whole fields of the rule; `fields` are their ranges in its text.
  func warnings(in bytes: [UInt8], _ fields: [Range<Int>]) -> [RuleWarning] {
    let texts = fields.map { String(decoding: bytes[$0], as: UTF8.self) }
    return [everyMinute(texts, fields), missingWorkday(texts, fields), mixedRange(texts, fields)].compactMap(
      \.self)
  }

  /// `*` in the minute beside a single hour, as in `* 2 * * *`: probably a single run was intended.
  ///
  /// A range of hours, such as `9-17`, is a part of the day in which every minute is intended.
  private func everyMinute(_ texts: [String], _ fields: [Range<Int>]) -> RuleWarning? {
    let place = texts.count - 5
    let secondCount = secondBits.nonzeroBitCount
    guard minuteBits.nonzeroBitCount == 60, secondCount == 1 || secondCount == 60 else { return nil }
    let neighbors = (hourBits << 1 | hourBits >> 23 | hourBits >> 1 | hourBits << 23) & 0xFF_FFFF
    guard hourBits & ~neighbors != 0 else { return nil }
    var once = texts
    once[place] = "0"
    if secondCount > 1 { once[0] = "0" }
    return RuleWarning(
      offset: fields[place].lowerBound, length: fields[place].count,
      message:
        "\"\(texts[place])\" in the minute means \(60 * secondCount) times in each hour of the rule",
      help: [
        "the rule runs \(words)", "for once an hour write { cron = \"\(once.joined(separator: " "))\" }",
      ])
  }

  /// The workday nearest to a day that some months lack.
  private func missingWorkday(_ texts: [String], _ fields: [Range<Int>]) -> RuleWarning? {
    let days = UInt64(calendarDays.nearestWorkdays)
    let isAlone = dayOfMonthBits == 0 && !calendarDays.hasLastDay && !calendarDays.hasLastWorkday
    guard isAlone, days.nonzeroBitCount == 1, needsBothDays || dayOfWeekBits == 0x7F else { return nil }
    let day = days.trailingZeroBitCount
    let months = (1...12).filter { month in
      monthBits >> UInt64(month) & 1 == 1 && CivilDate.dayCount(ofMonth: month, inYear: 2_000) < day
        || monthBits >> UInt64(month) & 1 == 1 && month == 2 && day == 29
    }
    guard !months.isEmpty else { return nil }
    let place = texts.count - 3
    let list = RuleWords.list(months.map { RuleWords.monthNames[$0 - 1] })
    return RuleWarning(
      offset: fields[place].lowerBound, length: fields[place].count,
      message: "\"\(texts[place])\" means no day in \(list)\(day == 29 ? " of most years" : "")",
      help: ["\"LW\" is the last workday of every month"])
  }

  /// A range of weekdays from a name to a number, as in `mon-2`: in other schedulers that is a Monday counted from
  /// the end of the month.
  private func mixedRange(_ texts: [String], _ fields: [Range<Int>]) -> RuleWarning? {
    let place = texts.count - 1
    let ends = texts[place].uppercased().split(separator: "-", omittingEmptySubsequences: false)
    let names = CronField.dayOfWeek.names.map { $0.uppercased() }
    guard ends.count == 2, names.contains(String(ends[0])), let last = Int(ends[1]), last < names.count
    else { return nil }
    let name = ends[0].prefix(1) + ends[0].dropFirst().lowercased()
    return RuleWarning(
      offset: fields[place].lowerBound, length: fields[place].count,
      message: "\"\(texts[place])\" means \(ends[0]) to \(names[last])",
      help: [
        "for these days write \"\(ends[0])-\(names[last])\"",
        "the last \(ends[0]) of the month is \(ends[0])L, the one before it is { calendar = \"\(name) *-*~08..14 08:00\" }",
      ])
  }
}
