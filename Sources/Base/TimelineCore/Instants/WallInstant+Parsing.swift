extension WallInstant {
  /// Reads an instant as RFC 3339 writes it, such as `2026-12-24T18:00:00+01:00` or `2026-01-01 00:00:00.25z`.
  ///
  /// The letters may be lower case and a space may stand for the `T` (RFC 3339, 5.6); up to 9 fraction digits are exact.
  /// Refuses, instead of guessing, a day that does not exist, second 60 (POSIX time has no leap seconds, and rounding
  /// would give an instant that is a second off), a missing offset, and years outside 1677 to 2262.
  public init(rfc3339 text: String) throws(TextError) {
    guard text.utf8.count <= RFC3339Parser.lengthMax else {
      throw TextError(
        RFC3339Parser.subject, Array(text.utf8.prefix(TextError.textLengthMax)), at: RFC3339Parser.lengthMax,
        "it goes on; at most \(RFC3339Parser.lengthMax) bytes are read", suggestion: nil)
    }
    let bytes = Array(text.utf8)
    do {
      var parser = RFC3339Parser(bytes)
      self = try parser.parse()
    } catch {
      throw TextError(
        RFC3339Parser.subject, bytes, at: error.offset, error.reason,
        suggestion: RFC3339Suggestion.suggest(for: bytes),
        hint: error.isOffsetMissing
          ? "Z is UTC; a time of another zone has its offset, such as +01:00" : nil)
    }
  }
}

/// Reads one instant from left to right.
private struct RFC3339Parser {
  static let subject = "an instant"
  /// Maximum length in bytes: the longest valid text has 35. Keeps the work for a hostile text small.
  static let lengthMax = 64

  /// The place at which reading stopped, and the reason.
  struct Failure: Error {
    let offset: Int
    let reason: String
    /// Whether only the offset from UTC is missing.
    var isOffsetMissing = false
  }

  private var cursor: ByteCursor

  init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes)
  }

  mutating func parse() throws(Failure) -> WallInstant {
    let date = try date()
    guard cursor.take("T") || cursor.take("t") || cursor.take(" ") else {
      throw expected("\"T\" and a time are expected")
    }
    let time = try time()
    let offset = try zoneOffset()
    guard cursor.isAtEnd else { throw expected("the end is expected") }
    guard let instant = CivilDateTime(date: date, time: time).instant(offset: offset) else {
      throw Failure(offset: 0, reason: "it lies outside \(WallInstant.min) to \(WallInstant.max)")
    }
    return instant
  }

  private mutating func date() throws(Failure) -> CivilDate {
    let year = try number(digits: 4, in: CivilDate.years, "a year of four digits")
    try punctuation("-")
    let month = try number(digits: 2, in: 1...12, "a month from 01 to 12")
    try punctuation("-")
    let dayStart = cursor.offset
    let day = try number(digits: 2, in: 1...31, "a day from 01 to 31")
    guard let date = CivilDate(year: year, month: month, day: day) else {
      let last = CivilDate.dayCount(ofMonth: month, inYear: year)
      throw Failure(offset: dayStart, reason: "a day from 01 to \(last) is expected: that month has no more")
    }
    return date
  }

  private mutating func time() throws(Failure) -> CivilTime {
    let hour = try number(digits: 2, in: 0...23, "an hour from 00 to 23")
    try punctuation(":")
    let minute = try number(digits: 2, in: 0...59, "a minute from 00 to 59")
    try punctuation(":")
    let secondStart = cursor.offset
    if cursor.take("60") {
      throw Failure(
        offset: secondStart, reason: "leap seconds are not counted; a second from 00 to 59 is expected")
    }
    let second = try number(digits: 2, in: 0...59, "a second from 00 to 59")
    var nanosecond = 0
    if cursor.take(".") {
      let digits = cursor.takeDigits()
      guard !digits.isEmpty else { throw expected("a digit is expected after the point") }
      guard digits.count <= 9, let fraction = digits.decimal() else {
        throw Failure(offset: digits.startIndex + 9, reason: "the fraction is finer than a nanosecond")
      }
      nanosecond = (digits.count..<9).reduce(fraction) { scaled, _ in scaled * 10 }
    }
    guard let time = CivilTime(hour: hour, minute: minute, second: second, nanosecond: nanosecond) else {
      throw Failure(offset: secondStart, reason: "a time of day is expected")
    }
    return time
  }

  /// Reads `Z` or `+01:00`, in seconds ahead of UTC.
  private mutating func zoneOffset() throws(Failure) -> Int {
    if cursor.take("Z") || cursor.take("z") { return 0 }
    let isWest = cursor.take("-")
    guard isWest || cursor.take("+") else {
      throw Failure(
        offset: cursor.offset, reason: "\"Z\" or an offset such as \"+01:00\" is expected",
        isOffsetMissing: cursor.isAtEnd)
    }
    let hours = try number(digits: 2, in: 0...23, "an offset of 00 to 23 hours")
    try punctuation(":")
    let minutes = try number(digits: 2, in: 0...59, "a minute from 00 to 59")
    return (isWest ? -1 : 1) * (hours * 3_600 + minutes * 60)
  }

  private mutating func number(digits: Int, in range: ClosedRange<Int>, _ what: String) throws(Failure) -> Int
  {
    let start = cursor.offset
    let text = cursor.takeDigits(upTo: digits)
    guard text.count == digits, let value = text.decimal(), range.contains(value) else {
      throw Failure(offset: start, reason: "\(what) is expected")
    }
    return value
  }

  private mutating func punctuation(_ mark: String) throws(Failure) {
    guard cursor.take(mark) else { throw expected("\"\(mark)\" is expected") }
  }

  private func expected(_ reason: String) -> Failure { Failure(offset: cursor.offset, reason: reason) }
}

/// Suggests the intended instant for text such as `2026-1-5`, `20260105T1200Z` or `2026-02-30T00:00:00+0100`.
private enum RFC3339Suggestion {
  /// The valid text with the same meaning, or the nearest valid text; `nil` if there is none.
  static func suggest(for bytes: [UInt8]) -> String? {
    var cursor = ByteCursor(bytes.map { UInt8(ascii: "a") <= $0 && $0 <= UInt8(ascii: "z") ? $0 & 0xDF : $0 })
    let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == 0x09 }
    let isDateMark: (UInt8) -> Bool = { "-/.".utf8.contains($0) }
    _ = cursor.takeAll(where: isSpace)
    guard let year = cursor.takeDigits(upTo: 4).number(ofDigits: 4...4) else { return nil }
    _ = cursor.take(where: isDateMark)
    guard let month = cursor.takeDigits(upTo: 2).number(ofDigits: 1...2) else { return nil }
    _ = cursor.take(where: isDateMark)
    guard let day = cursor.takeDigits(upTo: 2).number(ofDigits: 1...2) else { return nil }
    let dayCount = CivilDate.dayCount(ofMonth: month, inYear: year)
    guard day >= 1, let date = CivilDate(year: year, month: month, day: Swift.min(day, dayCount)) else {
      return nil
    }
    _ = cursor.takeAll { isSpace($0) || $0 == UInt8(ascii: "T") }
    let time = time(from: &cursor)
    _ = cursor.takeAll(where: isSpace)
    guard let time, let offset = offset(from: &cursor) else { return nil }
    let suggestion = "\(date)T\(time)\(offset)"
    var parser = RFC3339Parser(Array(suggestion.utf8))
    return (try? parser.parse()) == nil ? nil : suggestion
  }

  private static func time(from cursor: inout ByteCursor) -> CivilTime? {
    guard let hour = cursor.takeDigits(upTo: 2).number(ofDigits: 1...2) else {
      return cursor.isAtEnd || cursor.peek == UInt8(ascii: "Z") ? .midnight : nil
    }
    _ = cursor.take(":")
    let minute = cursor.takeDigits(upTo: 2).number(ofDigits: 2...2) ?? 0
    _ = cursor.take(":")
    let second = cursor.takeDigits(upTo: 2).number(ofDigits: 2...2) ?? 0
    var nanosecond = 0
    if cursor.take(".") || cursor.take(",") {
      let digits = cursor.takeDigits().prefix(9)
      nanosecond = (digits.count..<9).reduce(digits.decimal() ?? 0) { scaled, _ in scaled * 10 }
    }
    return CivilTime(hour: hour, minute: minute, second: Swift.min(second, 59), nanosecond: nanosecond)
  }

  private static func offset(from cursor: inout ByteCursor) -> String? {
    if cursor.isAtEnd { return "Z" }
    if cursor.take("Z") || cursor.take("UTC") || cursor.take("GMT") { return cursor.isAtEnd ? "Z" : nil }
    guard let sign = cursor.take(where: { "+-".utf8.contains($0) }),
      let hours = cursor.takeDigits(upTo: 2).number(ofDigits: 1...2)
    else { return nil }
    _ = cursor.take(":")
    let minutes = cursor.takeDigits(upTo: 2).number(ofDigits: 2...2) ?? 0
    guard cursor.isAtEnd else { return nil }
    var text = ASCIIText()
    text.append(sign)
    text.append(UInt64(hours), digits: 2)
    text.append(UInt8(ascii: ":"))
    text.append(UInt64(minutes), digits: 2)
    return text.string
  }
}

extension ArraySlice<UInt8> {
  /// The number that these digits write, if their count is in `digits`.
  fileprivate func number(ofDigits digits: ClosedRange<Int>) -> Int? {
    digits.contains(count) ? decimal() : nil
  }
}
