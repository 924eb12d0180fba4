extension CivilWindow {
  /// Reads a window such as `Mon..Fri 08:00-18:00`, `22:00-06:00`, `Sat,Sun`, `2026-12-24` or
  /// `2026-12-24..2026-12-31 12:00-24:00`: days, hours, or days and their hours with a space between.
  public init(parsing text: String) throws(TextError) {
    let bytes = Array(text.utf8.prefix(WindowParser.lengthMax + 1))
    do {
      self = try WindowParser.parse(bytes)
    } catch {
      throw TextError(
        "a window", bytes, at: error.offset, error.reason,
        suggestion: error.corrected(bytes, slips: 4, parse: WindowParser.parse), hint: error.hint)
    }
  }
}

/// Reads one window.
private enum WindowParser {
  /// Maximum length in bytes: longer than any list of the days of a week with their hours.
  static let lengthMax = 128

  static func parse(_ bytes: [UInt8]) throws(TextFailure) -> CivilWindow {
    guard bytes.count <= lengthMax else {
      throw TextFailure(offset: lengthMax, reason: "it goes on; at most \(lengthMax) bytes are read")
    }
    let words = bytes.indices.split { bytes[$0] == UInt8(ascii: " ") }.map { $0.startIndex..<$0.endIndex }
    guard let first = words.first else {
      throw TextFailure(
        offset: bytes.count, reason: "days such as \"Mon..Fri\" or hours such as \"08:00-18:00\" are expected"
      )
    }
    var rest = words[...]
    var days = CivilWindow.Days.weekdays(0x7F)
    if bytes[first.lowerBound].isLetter {
      do throws(TextFailure) {
        days = .weekdays(try CalendarFieldParser.weekdays(bytes, first))
      } catch {
        throw Self.failure(error, bytes, first)
      }
      rest.removeFirst()
    } else if !bytes[first].contains(UInt8(ascii: ":")) {
      days = .dates(try dates(bytes, first))
      rest.removeFirst()
    }
    var hours: CivilWindow.Hours?
    if let word = rest.popFirst() { hours = try self.hours(bytes, word) }
    if let word = rest.first {
      throw TextFailure(
        offset: word.lowerBound, reason: "the end is expected after the hours",
        hint: forms)
    }
    return CivilWindow(days: days, hours: hours)
  }

  /// The refusal of a word that is not a day of the week: a window has neither months nor words such as "daily".
  private static func failure(_ error: TextFailure, _ bytes: [UInt8], _ word: Range<Int>) -> TextFailure {
    guard error.offset == word.lowerBound, !error.reason.hasPrefix("a range") else { return error }
    let text = bytes[word].map(\.asLowercase)
    let months = RuleWords.monthNames.map { $0.lowercased() }
    let isMonth =
      text.count > 2 && text.allSatisfy(\.isLetter) && months.contains { $0.utf8.starts(with: text) }
    var failure = error
    if error.correction.map({ CalendarShorthand.names.contains($0.text) }) == true {
      failure.correction = nil
    }
    failure.hint =
      isMonth
      ? "a window has no months: write dates, such as \"2026-12-01..2026-12-31\", or name the month in the rule"
      : forms
    return TextFailure(
      offset: error.offset, reason: "a day of the week such as \"Mon\", a date or hours are expected",
      correction: failure.correction, hint: failure.hint)
  }

  private static let forms =
    "windows look like \"Mon..Fri 08:00-18:00\", \"22:00-06:00\", \"2026-12-24..2026-12-31\" or \"holidays NAME\""

  private static func dates(_ bytes: [UInt8], _ word: Range<Int>) throws(TextFailure) -> ClosedRange<Int> {
    var cursor = ByteCursor(Array(bytes[..<word.upperBound]))
    cursor.offset = word.lowerBound
    let first = try date(&cursor)
    let last = cursor.take("..") ? try date(&cursor) : first
    guard cursor.isAtEnd else {
      throw TextFailure(
        offset: cursor.offset, reason: "\"..\" and another date, a space or the end is expected")
    }
    guard first <= last else {
      throw TextFailure(
        offset: word.lowerBound, reason: "a range that ascends is expected",
        correction: (word, "\(last)..\(first)"))
    }
    return first.daysSinceEpoch...last.daysSinceEpoch
  }

  private static func date(_ cursor: inout ByteCursor) throws(TextFailure) -> CivilDate {
    let start = cursor.offset
    let year = cursor.takeDigits(upTo: 4)
    if year.count == 4, cursor.take("-"), let month = twoDigits(&cursor), cursor.take("-"),
      let day = twoDigits(&cursor)
    {
      let number = year.decimal() ?? 0
      if let date = CivilDate(year: number, month: month, day: day) { return date }
      throw TextFailure(offset: start, reason: "a date that the calendar has is expected")
    }
    throw TextFailure(offset: start, reason: "a date such as \"2026-12-24\" is expected", hint: forms)
  }

  /// Reads `08:00-18:00`; `nil` for the whole day.
  private static func hours(_ bytes: [UInt8], _ word: Range<Int>) throws(TextFailure) -> CivilWindow.Hours? {
    var cursor = ByteCursor(Array(bytes[..<word.upperBound]))
    cursor.offset = word.lowerBound
    let from = try timeOfDay(&cursor)
    let mark = cursor.offset
    guard cursor.take("-") else {
      throw TextFailure(
        offset: mark, reason: "\"-\" and the end of the hours are expected",
        correction: cursor.take("..") ? (mark..<mark + 2, "-") : nil)
    }
    let to = try timeOfDay(&cursor)
    guard cursor.isAtEnd else {
      throw TextFailure(offset: cursor.offset, reason: "the end is expected after the hours")
    }
    guard from != to, from < 86_400 else {
      throw TextFailure(
        offset: word.lowerBound, reason: "hours that begin and end at different times are expected",
        hint: "the end of a window is not in it; a whole day is \"00:00-24:00\"")
    }
    if from == 0, to == 86_400 { return nil }
    return CivilWindow.Hours(from: from, to: to == 0 ? 86_400 : to)
  }

  private static func timeOfDay(_ cursor: inout ByteCursor) throws(TextFailure) -> Int {
    let start = cursor.offset
    let hour = cursor.takeDigits(upTo: 2)
    if !hour.isEmpty, cursor.take(":"), let minute = twoDigits(&cursor), minute < 60 {
      let second = cursor.take(":") ? twoDigits(&cursor) : 0
      if let second, second < 60, let number: Int = hour.decimal() {
        let time = number * 3_600 + minute * 60 + second
        if time <= 86_400 { return time }
      }
    }
    throw TextFailure(offset: start, reason: "a time from 00:00 to 24:00 is expected", hint: forms)
  }

  private static func twoDigits(_ cursor: inout ByteCursor) -> Int? {
    let digits = cursor.takeDigits(upTo: 2)
    return digits.count == 2 ? digits.decimal() : nil
  }
}
