/// Reads one RRULE part by part.
struct RecurrenceParser {
  private typealias Part = RecurrenceParts.Part

  /// Longer than a rule that lists every number of every part; keeps the work for a hostile text small.
  static let lengthMax = 8_192
  /// The number of entries that COUNT can name.
  static let countMax = 100_000
  /// The number of times that BYSETPOS can choose from.
  static let setSizeMax = 10_000
  /// The longest distance. It keeps the arithmetic in range; as many seconds are three years.
  static let intervalMax = 100_000_000

  private var cursor: ByteCursor
  private var values = [[Int]](repeating: [], count: Part.allCases.count)
  /// The place of each part; -1 for a part that is not given.
  private var places = [Int](repeating: -1, count: Part.allCases.count)

  private init(_ bytes: [UInt8]) {
    cursor = ByteCursor(bytes)
  }

  static func parse(_ bytes: [UInt8]) throws(TextFailure) -> RecurrenceParts {
    guard bytes.count <= lengthMax else {
      throw TextFailure(offset: lengthMax, reason: "it goes on; at most \(lengthMax) bytes are read")
    }
    var parser = RecurrenceParser(bytes)
    repeat { try parser.readPart() } while parser.cursor.take(";")
    guard parser.cursor.isAtEnd else {
      throw parser.failure("\";\" and another part, or the end is expected")
    }
    try parser.check()
    for part in Part.allCases where part.isBy {
      parser.values[part.rawValue] = Set(parser.values[part.rawValue]).sorted()
    }
    return RecurrenceParts(parser.values)
  }

  @inline(never)
  private func failure(
    _ reason: String, at offset: Int? = nil, _ correction: (Range<Int>, String)? = nil, hint: String? = nil
  ) -> TextFailure {
    TextFailure(offset: offset ?? cursor.offset, reason: reason, correction: correction, hint: hint)
  }

  private mutating func takeWord() -> (text: String, range: Range<Int>) {
    let start = cursor.offset
    let word = cursor.takeAll(upTo: 24, where: \.isLetter)
    return (String(decoding: word, as: UTF8.self).uppercased(), start..<cursor.offset)
  }

  private mutating func readPart() throws(TextFailure) {
    let (name, range) = takeWord()
    guard let index = RecurrenceParts.names.firstIndex(of: name) else { throw unknown(name, range) }
    guard cursor.take("=") else { throw failure("\"=\" and the value of \(name) is expected") }
    guard places[index] < 0 else {
      throw failure("\(name) is given twice", at: range.lowerBound, hint: "leave one of the two out")
    }
    places[index] = range.lowerBound
    let part = Part.allCases[index]
    switch part {
    case .freq: values[index] = [try keyword(of: RecurrenceParts.frequencies, "a unit such as WEEKLY")]
    case .until: values[index] = try until()
    default:
      repeat {
        values[index].append(try number(part))
      } while part.isBy && cursor.take(",")
    }
  }

  private func unknown(_ name: String, _ range: Range<Int>) -> TextFailure {
    let place = range.lowerBound
    switch name {
    case "RSCALE", "SKIP":
      return failure(
        "\(name) of RFC 7529 is not supported", at: place, hint: "the calendar is that of ISO 8601")
    case "EXRULE":
      return failure(
        "EXRULE is not supported", at: place, hint: "list the dates in `exdate`, or write an `except`")
    case "RRULE" where cursor.peek == UInt8(ascii: ":") || cursor.peek == UInt8(ascii: "="):
      return failure(
        "a part such as FREQ=WEEKLY is expected", at: place, (place..<range.upperBound + 1, ""))
    case "RDATE", "EXDATE", "DTSTART":
      let key = name == "DTSTART" ? "from" : name.lowercased()
      return failure(
        "\(name) is not a part of the rule", at: place, hint: "write the key `\(key)` beside `rrule`")
    default:
      let near = Keyword.nearest(
        to: Array(name.lowercased().utf8), among: RecurrenceParts.names.map { $0.lowercased() })
      return failure(
        "a part such as FREQ=WEEKLY or BYDAY=MO is expected", at: place,
        near.map { (range, $0.uppercased()) },
        hint: near == nil ? "the parts are \(RecurrenceParts.names.joined(separator: ", "))" : nil)
    }
  }

  private mutating func keyword(of words: [String], _ expected: String) throws(TextFailure) -> Int {
    let (word, range) = takeWord()
    if let index = words.firstIndex(of: word) { return index }
    let near = Keyword.nearest(to: Array(word.lowercased().utf8), among: words.map { $0.lowercased() })
    throw failure(
      "\(expected) is expected", at: range.lowerBound, near.map { (range, $0.uppercased()) },
      hint: near == nil ? "one of \(words.joined(separator: ", "))" : nil)
  }

  /// Reads a number, or a day of the week with or without a number.
  private mutating func number(_ part: Part) throws(TextFailure) -> Int {
    let start = cursor.offset
    let isNegative = cursor.take("-")
    let hasSign = isNegative || cursor.take("+")
    let digits = cursor.takeDigits(upTo: 9)
    let range = part.range
    var value = 0
    if !digits.isEmpty || hasSign || part.isNumber {
      value = digits.decimal() ?? 0
      guard part != .wkst, !digits.isEmpty, range ~= value, !hasSign || part.isSigned else {
        let (low, high) = (range.lowerBound, range.upperBound)
        let expected = part.isSigned ? "\(low) to \(high) or -\(low) to -\(high)" : "\(low) to \(high)"
        throw failure(
          part == .wkst ? "a day of the week such as MO is expected" : "\(expected) is expected", at: start)
      }
      if isNegative { value = -value }
    }
    if part.isNumber { return value }
    return value * 8 + (try keyword(of: RecurrenceParts.weekdays, "a day of the week such as MO"))
  }

  /// Reads `20261231`, `20261231T235959` or `20261231T235959Z`.
  private mutating func until() throws(TextFailure) -> [Int] {
    let start = cursor.offset
    let date = Array(cursor.takeDigits(upTo: 8))
    var (time, kind) = ([UInt8](), RecurrenceParts.UntilKind.date)
    if cursor.take("T") || cursor.take("t") {
      time = Array(cursor.takeDigits(upTo: 6))
      kind = cursor.take("Z") || cursor.take("z") ? .utc : .local
    }
    if date.count == 8, kind == .date || time.count == 6,
      let day = CivilDate(
        year: date[..<4].decimal() ?? 0, month: date[4..<6].decimal() ?? 0, day: date[6...].decimal() ?? 0),
      let clock = kind == .date
        ? CivilTime(hour: 23, minute: 59, second: 59)
        : CivilTime(
          hour: time[..<2].decimal() ?? 24, minute: time[2..<4].decimal() ?? 60,
          second: min(time[4...].decimal() ?? 61, 60) == 60 ? 59 : time[4...].decimal() ?? 60)
    {
      return [kind.rawValue, CivilDateTime(date: day, time: clock).secondsSinceEpoch]
    }
    throw failure(
      "a date such as 20261231 or a time such as 20261231T235959Z is expected", at: start)
  }

  // MARK: parts that contradict each other

  private func has(_ part: Part) -> Bool { places[part.rawValue] >= 0 }

  private func count(_ part: Part) -> Int { values[part.rawValue].count }

  /// A bound for the number of times that BYSETPOS chooses from.
  private func setSize(_ frequency: RecurrenceParts.Frequency) -> Int {
    let months = has(.byMonth) ? count(.byMonth) : 12
    var days = [31 * months, 31, 7, 1, 1, 1, 1][frequency.rawValue]
    if has(.byMonthDay) { days = min(days, count(.byMonthDay) * (frequency == .yearly ? months : 1)) }
    if has(.byYearDay) { days = min(days, count(.byYearDay)) }
    if has(.byWeekNo) { days = min(days, 7 * count(.byWeekNo)) }
    return [Part.byHour, .byMinute, .bySecond].reduce(days) { $0 * max(count($1), 1) }
  }

  private func check() throws(TextFailure) {
    guard has(.freq) else {
      throw failure("FREQ is missing", hint: "such as FREQ=WEEKLY")
    }
    let frequency = RecurrenceParts.Frequency(rawValue: values[Part.freq.rawValue][0]) ?? .yearly
    let isNumbered = values[Part.byDay.rawValue].contains { $0 >> 3 != 0 }
    let isOther = Part.allCases.contains { $0.isBy && $0 != .bySetPos && has($0) }
    let isDaily = frequency == .monthly || frequency == .weekly || frequency == .daily
    try refuse(.count, if: has(.until), "COUNT stands beside UNTIL", "leave one of the two out")
    try refuse(.byWeekNo, if: frequency != .yearly, "BYWEEKNO is for FREQ=YEARLY", "write FREQ=YEARLY")
    try refuse(
      .byYearDay, if: isDaily, "BYYEARDAY is not for FREQ=MONTHLY, WEEKLY or DAILY", "write FREQ=YEARLY")
    try refuse(
      .byMonthDay, if: frequency == .weekly, "BYMONTHDAY is not for FREQ=WEEKLY",
      "write FREQ=MONTHLY, or FREQ=DAILY with BYDAY")
    try refuse(
      .byDay, if: isNumbered && frequency.rawValue > RecurrenceParts.Frequency.monthly.rawValue,
      "a day of the week with a number is for FREQ=MONTHLY or FREQ=YEARLY", "leave the number out")
    try refuse(
      .byDay, if: isNumbered && has(.byWeekNo),
      "a day of the week with a number does not stand beside BYWEEKNO", "leave the number out")
    try refuse(
      .bySetPos, if: !isOther, "BYSETPOS chooses from what other parts list",
      "give BYDAY or another part too")
    try refuse(
      .bySetPos, if: setSize(frequency) > Self.setSizeMax, "BYSETPOS chooses from more than 10,000 times",
      "name fewer days, hours, minutes or seconds")
  }

  @inline(never)
  private func refuse(
    _ part: Part, if isWrong: Bool, _ reason: String, _ hint: String
  ) throws(TextFailure) {
    if has(part), isWrong { throw failure(reason, at: places[part.rawValue], hint: hint) }
  }
}

extension RecurrenceParts.Part {
  /// The numbers of the part, without a sign.
  fileprivate var range: ClosedRange<Int> {
    switch self {
    case .count: 1...RecurrenceParser.countMax
    case .interval: 1...RecurrenceParser.intervalMax
    case .bySecond: 0...60
    case .byMinute: 0...59
    case .byHour: 0...23
    case .byMonthDay: 1...31
    case .byYearDay, .bySetPos: 1...366
    case .byDay, .byWeekNo: 1...53
    case .byMonth: 1...12
    case .freq, .until, .wkst: 1...0x7FFF_FFFF
    }
  }

  fileprivate var isBy: Bool { rawValue >= Self.bySecond.rawValue && self != .wkst }
  fileprivate var isNumber: Bool { self != .byDay && self != .wkst }
  fileprivate var isSigned: Bool {
    self == .byDay || self == .byMonthDay || self == .byYearDay || self == .byWeekNo || self == .bySetPos
  }
}
