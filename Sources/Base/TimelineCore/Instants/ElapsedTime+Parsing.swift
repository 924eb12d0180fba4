extension ElapsedTime {
  /// Reads a length such as `90s`, `1h30m`, `250ms`, `1d` or `-1.5s`, exactly.
  ///
  /// Numbers with units from the largest down, each unit at most once, nothing between them: `w`, `d` (24 hours),
  /// `h`, `m`, `s`, `ms`, `us` or `µs`, `ns`. The last number may have a fraction. Refuses, instead of rounding, a
  /// length finer than a nanosecond or longer than 292 years.
  public init(parsing text: String) throws(TextError) {
    guard text.utf8.count <= ElapsedTimeParser.lengthMax else {
      throw TextError(
        ElapsedTimeParser.subject, Array(text.utf8.prefix(TextError.textLengthMax)),
        at: ElapsedTimeParser.lengthMax,
        "it goes on; at most \(ElapsedTimeParser.lengthMax) bytes are read", suggestion: nil)
    }
    var parser = ElapsedTimeParser(text)
    self = try parser.parse()
  }
}

/// Reads one length of time from left to right.
private struct ElapsedTimeParser {
  static let subject = "a length of time"
  /// Maximum length in bytes: longer than any length in all its units. Keeps the work for a hostile text small.
  static let lengthMax = 64
  static let units = "w, d, h, m, s, ms, us or ns"

  private var cursor: ByteCursor

  init(_ text: String) {
    cursor = ByteCursor(Array(text.utf8))
  }

  mutating func parse() throws(TextError) -> ElapsedTime {
    let isNegative = cursor.take("-")
    let bound = isNegative ? Int64.min.magnitude : Int64.max.magnitude
    var total: UInt64 = 0
    var previous: ElapsedTimeUnit?
    var isFinished = false
    repeat {
      let start = cursor.offset
      let (unit, amount, hasFraction) = try component(after: previous)
      guard let amount, case let (sum, overflow) = total.addingReportingOverflow(amount), !overflow,
        sum <= bound
      else { throw failure(at: start, "the length passes the longest one, 292 years") }
      total = sum
      previous = unit
      isFinished = hasFraction || unit == .nanosecond
    } while !cursor.isAtEnd && !isFinished
    guard cursor.isAtEnd else { throw failure(at: cursor.offset, "the end is expected") }
    return ElapsedTime(nanoseconds: Int64(truncatingIfNeeded: isNegative ? 0 &- total : total))
  }

  /// Reads one number and its unit, which must be smaller than `previous`; the amount is `nil` when it is too long.
  private mutating func component(
    after previous: ElapsedTimeUnit?
  ) throws(TextError) -> (unit: ElapsedTimeUnit, nanoseconds: UInt64?, hasFraction: Bool) {
    let whole = cursor.takeDigits()
    guard !whole.isEmpty else {
      throw failure(
        at: cursor.offset, previous == nil ? "a number is expected" : "a number or the end is expected")
    }
    var fraction = ArraySlice<UInt8>()
    let fractionStart = cursor.offset
    if cursor.take(".") {
      fraction = cursor.takeDigits()
      guard !fraction.isEmpty else { throw failure(at: cursor.offset, "a digit is expected after the point") }
    }
    let unitStart = cursor.offset
    guard let unit = takeUnit() else { throw failure(at: unitStart, "a unit (\(Self.units)) is expected") }
    if let previous, unit.rawValue <= previous.rawValue {
      throw failure(at: unitStart, "a unit smaller than \"\(previous.symbol)\" is expected")
    }
    guard let part = Self.nanoseconds(fraction: fraction, of: unit) else {
      throw failure(at: fractionStart, "the fraction is finer than a nanosecond")
    }
    guard let count = whole.decimal(as: UInt64.self),
      case let (product, overflow) = count.multipliedReportingOverflow(by: unit.nanoseconds), !overflow,
      case let (sum, carry) = product.addingReportingOverflow(part), !carry
    else { return (unit, nil, !fraction.isEmpty) }
    return (unit, sum, !fraction.isEmpty)
  }

  /// Reads a unit; longer symbols first, so that `ms` is not read as `m`. Accepts both code points for µ.
  private mutating func takeUnit() -> ElapsedTimeUnit? {
    if cursor.take("ms") { return .millisecond }
    if cursor.take("us") || cursor.take("\u{B5}s") || cursor.take("\u{3BC}s") { return .microsecond }
    return ElapsedTimeUnit.allCases.first { cursor.take($0.symbol) }
  }

  /// `0.fraction` of a unit; `nil` if the result is not a whole number of nanoseconds.
  static func nanoseconds(fraction: ArraySlice<UInt8>, of unit: ElapsedTimeUnit) -> UInt64? {
    let zeros = fraction.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    let digits = fraction.dropLast(zeros)
    // A week, the unit with most factors, is 2^16 * 3^3 * 5^11 * 7 ns: more than 16 digits never come out whole.
    guard digits.count <= 16, let numerator = digits.decimal(as: UInt128.self) else { return nil }
    let denominator = digits.reduce(into: UInt128(1)) { power, _ in power *= 10 }
    // At most 10^16 * 6.1 * 10^14, far below 2^128.
    let (quotient, remainder) = (numerator * UInt128(unit.nanoseconds))
      .quotientAndRemainder(dividingBy: denominator)
    return remainder == 0 ? UInt64(quotient) : nil
  }

  private func failure(at offset: Int, _ reason: String) -> TextError {
    if ElapsedTimeSuggestion.hasMonthsOrYears(cursor.bytes) {
      return TextError(
        Self.subject, cursor.bytes, at: offset, reason, suggestion: nil,
        hint: "months and years have no fixed length: write days, such as \"30d\" or \"365d\"")
    }
    let suggestion = ElapsedTimeSuggestion.suggest(for: cursor.bytes)?.description
    return TextError(Self.subject, cursor.bytes, at: offset, reason, suggestion: suggestion)
  }
}

/// Suggests the intended length for text such as `1h 30min`, `30` or `PT90S`.
private enum ElapsedTimeSuggestion {
  /// The sum of all numbers in `bytes`, each in the unit that the word after it names; `nil` if a word names no unit.
  static func suggest(for bytes: [UInt8]) -> ElapsedTime? {
    let isSeparator: (UInt8) -> Bool = {
      [UInt8(ascii: " "), 0x09, UInt8(ascii: ","), UInt8(ascii: "_")].contains($0)
    }
    var cursor = ByteCursor(bytes.map(\.asLowercase))
    _ = cursor.takeAll(where: isSeparator)
    let isNegative = cursor.take("-")
    _ = cursor.take("+")
    _ = cursor.take("pt")
    var total = ElapsedTime.zero
    var previous: ElapsedTimeUnit?
    while !cursor.isAtEnd {
      let whole = cursor.takeDigits()
      var fraction = ArraySlice<UInt8>()
      if cursor.take(".") || cursor.take(",") { fraction = cursor.takeDigits() }
      if whole.isEmpty && fraction.isEmpty { return nil }
      _ = cursor.takeAll(where: isSeparator)
      let word = cursor.takeAll { !$0.isDigit && !isSeparator($0) && $0 != UInt8(ascii: ".") }
      guard let unit = unit(for: Array(word), after: previous),
        let part = ElapsedTimeParser.nanoseconds(fraction: fraction, of: unit),
        let count = whole.decimal(as: Int64.self)
      else { return nil }
      total = total + ElapsedTime(nanoseconds: Int64(unit.nanoseconds)) * count
      total = total + ElapsedTime(nanoseconds: Int64(clamping: part))
      if total == .max { return nil }
      previous = unit
      _ = cursor.takeAll(where: isSeparator)
    }
    guard previous != nil else { return nil }
    return isNegative ? .zero - total : total
  }

  /// Whether the text has a unit without a fixed length, such as `y` or `month`, which systemd and other programs
  /// accept.
  static func hasMonthsOrYears(_ bytes: [UInt8]) -> Bool {
    let words = bytes.split { !$0.isLetter }
    return words.contains { word in
      let text = String(decoding: word.map(\.asLowercase), as: UTF8.self)
      return ["y", "yr", "yrs", "year", "years", "mo", "mon", "month", "months"].contains(text)
    }
  }

  /// The unit that a word in lower case names. Without a word, the unit after `previous`, or seconds if `previous` is
  /// `nil`.
  private static func unit(for word: [UInt8], after previous: ElapsedTimeUnit?) -> ElapsedTimeUnit? {
    if word.isEmpty {
      return previous.map { ElapsedTimeUnit(rawValue: $0.rawValue + 1) } ?? .second
    }
    return names.first { entry in entry.names.contains { word.elementsEqual($0.utf8) } }?.unit
  }

  private static let names: [(unit: ElapsedTimeUnit, names: [String])] = [
    (.week, ["w", "wk", "wks", "week", "weeks"]),
    (.day, ["d", "day", "days"]),
    (.hour, ["h", "hr", "hrs", "hour", "hours"]),
    (.minute, ["m", "min", "mins", "minute", "minutes"]),
    (.second, ["s", "sec", "secs", "second", "seconds"]),
    (.millisecond, ["ms", "msec", "msecs", "milli", "millis", "millisecond", "milliseconds"]),
    (
      .microsecond,
      ["us", "usec", "usecs", "micro", "micros", "microsecond", "microseconds", "\u{B5}s", "\u{3BC}s"]
    ),
    (.nanosecond, ["ns", "nsec", "nsecs", "nano", "nanos", "nanosecond", "nanoseconds"]),
  ]
}
