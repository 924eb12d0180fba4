extension CronExpression {
  /// Reads a rule such as `30 2 * * *`, `*/15 0 9-17 * * mon-fri` or `@daily`.
  ///
  /// Minute, hour, day of the month, month and day of the week, separated by blanks; with six fields the first one is
  /// seconds. A field is a list of numbers, names, ranges that do not wrap, and `/` steps. Days accept `L`, `LW` and
  /// `15W`; weekdays accept `5L`, `5#2` and 7 for Sunday. Refuses a rule that no day can match, and `@reboot`, which
  /// names no instant to search for.
  public init(parsing text: String) throws(TextError) {
    let bytes = Array(text.utf8.prefix(CronParser.lengthMax + 1))
    do {
      self = try CronParser.parse(bytes)
    } catch {
      let failure = CronDialect.failure(bytes) ?? error
      throw TextError(
        "a cron rule", bytes, at: failure.offset, failure.reason,
        // One typo is corrected for each field. A text with more typos is probably in another language.
        suggestion: failure.corrected(bytes, slips: CronField.allCases.count, parse: CronParser.parse),
        hint: failure.hint)
    }
  }

  /// Parts of a rule whose meaning, as in Debian's cron, probably differs from the intent; empty if the text is not a rule.
  public static func warnings(in text: String) -> [RuleWarning] {
    guard CronParser.mayWarn(of: text.utf8) else { return [] }
    return (try? CronParser.warnings(Array(text.utf8.prefix(CronParser.lengthMax + 1)))) ?? []
  }
}

/// Reads one rule from left to right.
struct CronParser {
  /// Longer than a rule that lists every number of every field; keeps the work for a hostile text small.
  static let lengthMax = 640

  private var cursor: ByteCursor
  private var calendarDays = CronCalendarDays()
  /// Steps without an effect.
  private var idleSteps: [CronIdleStep] = []

  private init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes)
  }

  /// Reads the whole text.
  static func parse(_ bytes: [UInt8]) throws(TextFailure) -> CronExpression {
    if let rule = plainRule(bytes) { return rule }
    guard bytes.count <= lengthMax else {
      throw TextFailure(offset: lengthMax, reason: "it goes on; at most \(lengthMax) bytes are read")
    }
    let fields = bytes.indices.split { isBlank(bytes[$0]) }.map { $0.startIndex..<$0.endIndex }
    if let first = fields.first, bytes[first.lowerBound] == UInt8(ascii: "@") {
      return try parse(CronShorthand.rule(bytes, fields))
    }
    try check(fields, end: bytes.count)
    var parser = CronParser(bytes)
    return try parser.rule(fields)
  }

  /// Whether a rule can have warnings: it has a step, a range, a workday, or a `*` in the minute. Most rules have none of these
  /// and are parsed only once.
  static func mayWarn(of text: some Sequence<UInt8>) -> Bool {
    var (field, wasBlank) = (-1, true)
    for byte in text {
      if wasBlank, !isBlank(byte) { field += 1 }
      wasBlank = isBlank(byte)
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "w"), UInt8(ascii: "W"): return true
      // The minute is the first field, or the second one after seconds.
      case UInt8(ascii: "*") where field < 2: return true
      default: break
      }
    }
    return false
  }

  /// Parts of a rule that probably differ from the intent: steps without an effect, days that months lack, every minute of
  /// an hour, and weekdays from a name to a number.
  static func warnings(_ bytes: [UInt8]) throws(TextFailure) -> [RuleWarning] {
    let fields = bytes.indices.split { isBlank(bytes[$0]) }.map { $0.startIndex..<$0.endIndex }
    guard bytes.count <= lengthMax, (5...6).contains(fields.count) else { return [] }
    var parser = CronParser(bytes)
    let rule = try parser.rule(fields)
    return parser.idleSteps.map { $0.warning(in: bytes, of: rule) } + rule.warnings(in: bytes, fields)
  }

  /// Reads five fields that are each one number or `*`, with one space between them. Nearly every rule has this form. Returns
  /// `nil` for any other text, even if it is invalid. Fast, because there may be 100,000 rules.
  private static func plainRule(_ bytes: [UInt8]) -> CronExpression? {
    var masks = InlineArray<5, UInt64>(repeating: 0)
    var (field, number, digitCount, isStar, stars) = (0, 0, 0, false, UInt8(0))
    for index in 0...bytes.count {
      let byte = index < bytes.count ? bytes[index] : UInt8(ascii: " ")
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9") where digitCount < 2 && !isStar:
        number = number * 10 + Int(byte - UInt8(ascii: "0"))
        digitCount += 1
      case UInt8(ascii: "*") where digitCount == 0 && !isStar: isStar = true
      case UInt8(ascii: " ") where field < 5 && (isStar || digitCount > 0):
        guard let kind = CronField(rawValue: field + 1), isStar || kind.bounds.contains(number) else {
          return nil
        }
        masks[field] = isStar ? kind.all : 1 << UInt64(kind == .dayOfWeek ? number % 7 : number)
        if isStar { stars |= 1 << UInt8(field) }
        (field, number, digitCount, isStar) = (field + 1, 0, 0, false)
      default: return nil
      }
    }
    guard field == 5 else { return nil }
    // `beginsWithStar` of the month is derived from its numbers, as in every rule.
    let rule = CronExpression(
      fields: [CronFieldValue(mask: 1)]
        + (0..<5).map { CronFieldValue(mask: masks[$0], beginsWithStar: stars >> UInt8($0) & 1 == 1) },
      calendarDays: CronCalendarDays())
    return rule.canMatch ? rule : nil
  }

  private static func check(_ fields: [Range<Int>], end: Int) throws(TextFailure) {
    guard fields.count >= 5 else {
      throw TextFailure(
        offset: end,
        reason: "5 fields (minute, hour, day, month, day of the week) or 6 (seconds first) are expected")
    }
    guard fields.count <= 6 else {
      throw TextFailure(offset: fields[6].lowerBound, reason: "the end is expected after 6 fields")
    }
  }

  private mutating func rule(_ fields: [Range<Int>]) throws(TextFailure) -> CronExpression {
    let kinds = CronField.allCases.suffix(fields.count)
    var values = [CronFieldValue(mask: 1)]
    for (kind, range) in zip(kinds, fields) {
      cursor.offset = range.lowerBound
      if fields.count == 6, kind == .second { values = [] }
      values.append(try field(kind))
    }
    // The star of these two fields is not used, so that their numbers alone decide how they are printed.
    values[0].beginsWithStar = CronField.second.isProgression(values[0].mask)
    values[4].beginsWithStar = CronField.month.isProgression(values[4].mask)
    let rule = CronExpression(fields: values, calendarDays: calendarDays)
    let days = fields[fields.count - 3]
    guard rule.canMatch else {
      throw TextFailure(offset: days.lowerBound, reason: rule.reasonForNoDay, hint: rule.hintForNoDay)
    }
    return rule
  }

  private mutating func field(_ kind: CronField) throws(TextFailure) -> CronFieldValue {
    var value = CronFieldValue(mask: 0, beginsWithStar: cursor.peek == UInt8(ascii: "*"))
    repeat { value.mask |= try element(kind) } while cursor.take(",")
    if let byte = cursor.peek, !Self.isBlank(byte) {
      throw TextFailure(offset: cursor.offset, reason: "a comma or the end of the field is expected")
    }
    return value
  }

  /// Reads one element of a list; returns the numbers it allows, or none if it is stored in ``calendarDays``.
  private mutating func element(_ kind: CronField) throws(TextFailure) -> UInt64 {
    let start = cursor.offset
    var range = kind.bounds
    var isOne = false
    let isStar = cursor.take("*")
    if !isStar {
      if kind == .dayOfMonth, takeLetter("l") {
        if takeLetter("w") { calendarDays.hasLastWorkday = true } else { calendarDays.hasLastDay = true }
        return 0
      }
      let first = try number(kind)
      if try takeSpecial(kind, first) { return 0 }
      isOne = !cursor.take("-")
      let last = isOne ? first : try number(kind)
      guard first <= last else {
        throw TextFailure(
          offset: start, reason: "a range that ascends is expected",
          correction: unwrapped(first, last, kind).map { (start..<cursor.offset, $0) })
      }
      range = first...last
    }
    var step = 1
    if cursor.take("/") {
      step = try self.step(kind)
      if isOne { range = range.lowerBound...kind.bounds.upperBound }
      // A step as long as the field, such as "*/60", works as expected, except for days, because months differ in
      // length.
      if step > range.upperBound - range.lowerBound, step != kind.numbers.count || kind == .dayOfMonth {
        idleSteps.append(CronIdleStep(range: start..<cursor.offset, field: kind, step: step, isStar: isStar))
      }
    }
    let mask = CronField.mask(of: range, by: step)
    return kind == .dayOfWeek ? (mask | mask >> 7) & 0x7F : mask
  }

  /// Reads a suffix of a single day: `W`, `L` or `#` and a number.
  private mutating func takeSpecial(_ kind: CronField, _ number: Int) throws(TextFailure) -> Bool {
    if kind == .dayOfMonth, takeLetter("w") {
      calendarDays.nearestWorkdays |= 1 << UInt64(number)
      return true
    }
    guard kind == .dayOfWeek else { return false }
    if takeLetter("l") {
      calendarDays.lastWeekdays |= 1 << UInt64(number % 7)
      return true
    }
    guard cursor.take("#") else { return false }
    let start = cursor.offset
    guard let week: Int = cursor.takeDigits().decimal(), (1...5).contains(week) else {
      throw TextFailure(offset: start, reason: "a number from 1 to 5 is expected after the \"#\"")
    }
    calendarDays.numberedWeekdays |= 1 << UInt64(8 * (week - 1) + number % 7)
    return true
  }

  /// Reads a step: any number above 0, as Debian's cron does; a step past the end of the field allows the first number
  /// alone.
  private mutating func step(_ kind: CronField) throws(TextFailure) -> Int {
    let start = cursor.offset
    let digits = cursor.takeDigits()
    guard digits.contains(where: { $0 != UInt8(ascii: "0") }) else {
      throw TextFailure(offset: start, reason: "a step above 0 is expected")
    }
    // Larger than any field, and small enough that sums cannot overflow.
    return min(digits.decimal() ?? Int.max, 1_000_000)
  }

  /// Reads a number or a name.
  private mutating func number(_ kind: CronField) throws(TextFailure) -> Int {
    let start = cursor.offset
    let digits = cursor.takeDigits()
    if !digits.isEmpty {
      let number = digits.decimal() ?? Int.max
      if kind.bounds.contains(number) { return number }
      throw TextFailure(offset: start, reason: "\(kind.expectation) is expected")
    }
    let word = cursor.takeAll(where: \.isLetter).map(\.asLowercase)
    let name = String(decoding: word.prefix(3), as: UTF8.self)
    if let index = kind.names.firstIndex(of: name) {
      if word.count == 4, word[3] == UInt8(ascii: "l"), kind == .dayOfWeek { cursor.offset -= 1 }
      if cursor.offset == start + 3 { return kind.bounds.lowerBound + index }
    }
    let correction = Keyword.nearest(to: word, among: kind.longNames).map { String($0.prefix(3)) }
    throw TextFailure(
      offset: start, reason: "\(kind.expectation) is expected",
      correction: correction.map { (start..<cursor.offset, $0) })
  }

  /// Returns a wrapping range as ascending ranges: from `first` to the maximum, and from the minimum to `last`. Returns `nil`
  /// before a step, which would restart at the minimum.
  private func unwrapped(_ first: Int, _ last: Int, _ kind: CronField) -> String? {
    func range(_ low: Int, _ high: Int) -> String { low == high ? "\(low)" : "\(low)-\(high)" }
    if kind == .dayOfWeek, last == 0 { return range(first, 7) }
    guard cursor.peek != UInt8(ascii: "/") else { return nil }
    return range(first, kind.numbers.upperBound) + "," + range(kind.numbers.lowerBound, last)
  }

  private mutating func takeLetter(_ lowercase: Unicode.Scalar) -> Bool {
    cursor.take { $0.asLowercase == UInt8(ascii: lowercase) } != nil
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
