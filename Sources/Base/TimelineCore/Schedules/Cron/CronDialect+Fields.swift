// Single fields in the languages of other schedulers.
extension CronDialect {
  /// The error for the first field in another scheduler's syntax; `nil` for none.
  var field: TextFailure? {
    guard (5...6).contains(fields.count) else { return nil }
    let kinds = CronField.allCases.suffix(fields.count)
    for (kind, field) in zip(kinds, fields) {
      for element in field.text.split(separator: ",") {
        // A number far out of range is invalid in every language, and is reported before any later error.
        if kind != .dayOfWeek, let number = Int(element), number > kind.numbers.count { return nil }
        let offset = field.text.utf8.distance(from: field.text.startIndex, to: element.startIndex)
        let failure = failure(of: String(element), at: field.offset + offset, in: field, kind)
        if let failure { return failure }
      }
    }
    return nil
  }

  private func failure(of element: String, at offset: Int, in field: Field, _ kind: CronField) -> TextFailure?
  {
    if let failure = spread(element, in: field) { return failure }
    if element.hasPrefix("+") {
      return TextFailure(
        offset: field.offset, reason: "`+` means nothing here",
        hint:
          "a date and a weekday that must both match are a calendar rule: { calendar = \"Mon *-*-1..7 08:00\" }"
      )
    }
    switch kind {
    case .second, .minute, .hour: return pastTheTop(element, in: field, kind)
    case .dayOfMonth: return fromTheEnd(element, in: field)
    case .month: return nil
    case .dayOfWeek: return weekday(element, at: offset, in: field)
    }
  }

  /// The error for a hash (`H` of Jenkins, `#` of Symfony) or a random number (`~` of cronie, `R` of Jobber).
  private func spread(_ element: String, in field: Field) -> TextFailure? {
    func isCall(_ letter: String) -> Bool {
      element == letter || element.hasPrefix("\(letter)/") || element.hasPrefix("\(letter)(")
    }
    let isRandom = element.hasPrefix("r") && element.dropFirst().allSatisfy { "0123456789-/".contains($0) }
    let meaning: (mark: String, noun: String)? =
      if isCall("h") {
        ("H", "a hash of the job")
      } else if isCall("#") {
        ("#", "a hash of the job")
      } else if element.contains("~") {
        ("~", "a random number")
      } else if isRandom {
        ("R", "a random number")
      } else {
        nil
      }
    return meaning.map { meaning in
      TextFailure(
        offset: field.offset, reason: "`\(meaning.mark)`, \(meaning.noun), does not stand in the rule",
        hint: Self.offsetHint)
    }
  }

  /// The error for a number one above the field's maximum, such as hour 24.
  private func pastTheTop(_ element: String, in field: Field, _ kind: CronField) -> TextFailure? {
    let top = kind.numbers.count
    guard element == "\(top)" || element.hasSuffix("-\(top)") else { return nil }
    let next = kind == .hour ? "day" : kind == .minute ? "hour" : "minute"
    return TextFailure(
      offset: field.offset, reason: "\(kind.expectation) is expected",
      hint: element == "\(top)"
        ? "\(kind.noun) \(top) is \(kind.noun) 0 of the next \(next)"
        : "the last \(kind.noun) of a \(next) is \(top - 1)")
  }

  /// The error for days counted from the end of the month: `L-3` of Quartz, the third before the last, and `-3` of fugit,
  /// the third from the end.
  private func fromTheEnd(_ element: String, in field: Field) -> TextFailure? {
    var (days, other) = (0, "")
    if element.hasPrefix("l-"), let before = Int(element.dropFirst(2)), (0...30).contains(before) {
      days = before + 1
    } else if element.hasPrefix("-"), let number = Int(element.dropFirst()), (1...31).contains(number) {
      days = number
    } else if element.hasPrefix("l"), let number = Int(element.dropFirst()), (1...31).contains(number) {
      days = number
      if number < 28 {
        other = "; `L-\(number)`, \(number) before the last, is ~\(Self.twoDigits(number + 1))"
      }
    } else if element.hasSuffix("l"), let number = Int(element.dropLast()), (1...31).contains(number) {
      return TextFailure(
        offset: field.offset, reason: "a number with \"L\" is a day of the week",
        hint: "the last Friday of the month is FRIL in the last field; the last day is L, alone")
    } else {
      return nil
    }
    let reason = "days before the last of the month do not stand in a cron rule"
    guard days > 1 else {
      return TextFailure(
        offset: field.offset, reason: "the last day of the month is written \"L\"",
        correction: element == field.text ? (field.offset..<field.offset + field.text.utf8.count, "L") : nil)
    }
    guard days <= 28 else {
      return TextFailure(
        offset: field.offset, reason: reason,
        hint: "a calendar rule counts up to the 28th from the end, such as { calendar = \"*-*~28 08:00\" }")
    }
    return TextFailure(
      offset: field.offset, reason: reason,
      hint: calendarHint(weekday: nil, day: Self.twoDigits(days)) + other)
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  /// Returns the hint with the equivalent calendar rule, for a day counted from the end of the month. The hint has a generic
  /// example if the time is not a single number, the month is neither `*` nor a single number, or the other day field is not `*`.
  private func calendarHint(weekday: String?, day: String) -> String {
    func number(_ text: String) -> String? {
      guard text.utf8.count < 3, text.utf8.allSatisfy(\.isDigit) else { return nil }
      return text.utf8.count == 1 ? "0\(text)" : text
    }
    let times = fields.dropLast(3).reversed().map { number($0.text) }
    let monthField = fields[fields.count - 2].text
    let month = monthField == "*" ? "*" : number(monthField)
    // The conversion needs `*` in the other day field.
    let isFree = fields[weekday == nil ? fields.count - 1 : fields.count - 3].text == "*"
    let front = weekday.map { $0 + " " } ?? ""
    guard isFree, let month, !times.contains(nil) else {
      return
        "days from the end of the month stand in a calendar rule, such as { calendar = \"\(front)*-*~\(day) 08:00\" }"
    }
    let time = times.compactMap(\.self).joined(separator: ":")
    return "that is a calendar rule: { calendar = \"\(front)*-\(month)~\(day) \(time)\" }"
  }

  /// The error for a weekday of the month in another scheduler's form (`L5`, `fri#-2`) or a weekday every n weeks (`fri%2`).
  private func weekday(_ element: String, at offset: Int, in field: Field) -> TextFailure? {
    let whole = element == field.text ? field.offset..<field.offset + field.text.utf8.count : nil
    let expectation = "\(CronField.dayOfWeek.expectation) is expected"
    if element == "l" {
      return TextFailure(
        offset: offset, reason: expectation,
        hint:
          "L stands behind a day: FRIL is the last Friday of the month; the single L of Quartz is Saturday, SAT"
      )
    }
    if element.utf8.count == 2, element.hasPrefix("l"), let day = Int(element.dropFirst()), day <= 7 {
      return TextFailure(
        offset: offset, reason: expectation, correction: whole.map { ($0, "\(day)L") },
        hint: whole == nil ? "the last Friday of the month is FRIL" : nil)
    }
    if let mark = element.firstIndex(of: "%") {
      let digits = element[element.index(after: mark)...].prefix { $0.isASCII && $0.isNumber }
      let count = min(max(Int(digits) ?? 2, 2), 52)
      return TextFailure(
        offset: offset, reason: "a cron rule does not count weeks",
        hint:
          "every \(count) weeks is an interval of elapsed time: { periodic = { by = \"\(count)w\", from = 2027-01-04T08:00:00Z } }"
      )
    }
    guard let mark = element.firstIndex(of: "#") else { return nil }
    let (day, week) = (element[..<mark], element[element.index(after: mark)...])
    if ["l", "last", "-1"].contains(week) {
      return TextFailure(
        offset: offset, reason: "the last weekday of the month is written without \"#\"",
        correction: whole.map { ($0, "\(day.uppercased())L") },
        hint: whole == nil ? "the last Friday of the month is FRIL" : nil)
    }
    guard let number = Int(week), !(1...5).contains(number) else { return nil }
    let names = CronField.dayOfWeek.names
    let index = Int(day).flatMap { (0...7).contains($0) ? $0 % 7 : nil } ?? names.firstIndex(of: String(day))
    let name = index.map { names[$0].prefix(1).uppercased() + names[$0].dropFirst() } ?? "Fri"
    let hint =
      (-4...(-2)).contains(number)
      ? calendarHint(weekday: name, day: Self.week(fromTheEnd: -number))
      : "a month has at most five of each day of the week; the last Friday is FRIL"
    return TextFailure(
      offset: offset + day.utf8.count + 1, reason: "a number from 1 to 5 is expected after the \"#\"",
      hint: hint)
  }

  /// Returns week `count` from the end of the month as days counted from its end, such as `08..14` for the second week.
  private static func week(fromTheEnd count: Int) -> String {
    let first = 7 * count - 6
    return "\(twoDigits(first))..\(first + 6)"
  }

  /// The feature that spreads jobs by a hash or at random.
  private static let offsetHint =
    "write a number, and beside the rule jitter = \"30m\", with offset = \"hash\" for a delay that is fixed for each job and machine"
}
