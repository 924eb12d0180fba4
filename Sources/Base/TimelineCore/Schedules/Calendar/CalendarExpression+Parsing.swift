extension CalendarExpression {
  /// Reads a rule such as `Mon..Fri 08:00`, `*-*~01 23:30 Europe/Berlin`, `*:00/15` or `daily` (systemd.time(7)).
  ///
  /// Days of the week, a date, a time and a zone, separated by spaces; each part is optional. Fields are `*` or lists of
  /// numbers, `..` ranges that do not wrap, and `/` steps. Refuses rules that no instant can match, and all that systemd
  /// refuses; the name of the zone is not looked up.
  public init(parsing text: String) throws(TextError) {
    let bytes = Array(text.utf8.prefix(CalendarParser.lengthMax + 1))
    do {
      self = try CalendarParser.parse(bytes)
    } catch {
      let failure = CalendarDialect.failure(bytes) ?? error
      throw TextError(
        "a calendar rule", bytes, at: failure.offset, failure.reason,
        // One typo is corrected for each part. A text with more typos is probably in another language.
        suggestion: failure.corrected(bytes, slips: 6, parse: CalendarParser.parse), hint: failure.hint)
    }
  }
}

/// Reads one rule word by word.
struct CalendarParser {
  /// Longer than a rule that lists every number of every field; keeps the work for a hostile text small.
  static let lengthMax = 1_024

  private let bytes: [UInt8]
  private var fields = CalendarFields()

  /// Reads the whole text.
  static func parse(_ bytes: [UInt8]) throws(TextFailure) -> CalendarExpression {
    guard bytes.count <= lengthMax else {
      throw TextFailure(offset: lengthMax, reason: "it goes on; at most \(lengthMax) bytes are read")
    }
    let words = bytes.indices.split { bytes[$0] == UInt8(ascii: " ") }.map { $0.startIndex..<$0.endIndex }
    guard let first = words.first else {
      throw TextFailure(
        offset: bytes.count,
        reason: "a day of the week, a date, a time or a word such as \"daily\" is expected")
    }
    if let shorthand = CalendarShorthand.fields(bytes[first]) {
      var parser = CalendarParser(bytes: bytes, fields: shorthand)
      try parser.zone(words.dropFirst())
      return CalendarExpression(parser.fields)
    }
    var parser = CalendarParser(bytes: bytes)
    try parser.read(words)
    return try parser.expression(words)
  }

  private mutating func read(_ words: [Range<Int>]) throws(TextFailure) {
    var rest = words[...]
    if bytes[words[0].lowerBound].isLetter {
      fields.weekdays = try CalendarFieldParser.weekdays(bytes, words[0])
      rest.removeFirst()
    }
    if let word = rest.first, bytes[word.lowerBound] == UInt8(ascii: "@") {
      try stamp(word)
      rest.removeFirst()
      return try zone(rest)
    }
    if let word = rest.first, !bytes[word.lowerBound].isLetter,
      bytes[word].contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "~") })
    {
      try date(word)
      rest.removeFirst()
    }
    if let word = rest.first, !bytes[word.lowerBound].isLetter {
      try time(word)
      rest.removeFirst()
    }
    try zone(rest)
  }

  /// The rule, if any instant can match it.
  private func expression(_ words: [Range<Int>]) throws(TextFailure) -> CalendarExpression {
    let expression = CalendarExpression(fields)
    if expression.canMatch { return expression }
    var anyWeekday = fields
    anyWeekday.weekdays = 0x7F
    if CalendarExpression(anyWeekday).canMatch {
      throw TextFailure(
        offset: words[0].lowerBound, reason: "a day of the week is expected on which the date can fall")
    }
    let isWeekdayFirst = bytes[words[0].lowerBound].isLetter
    throw TextFailure(
      offset: words[isWeekdayFirst ? 1 : 0].lowerBound,
      reason: "no month of the rule has this day; \"~1\" is the last day of a month")
  }
}

extension CalendarParser {
  fileprivate init(bytes: [UInt8]) {
    self.init(bytes: bytes, fields: CalendarFields())
  }

  /// Reads `month-day` or `year-month-day`, with `~` for the last `-` if days count from the end of the month.
  fileprivate mutating func date(_ word: Range<Int>) throws(TextFailure) {
    var cursor = ByteCursor(Array(bytes[..<word.upperBound]))
    cursor.offset = word.lowerBound
    let marks = word.filter { bytes[$0] == UInt8(ascii: "-") || bytes[$0] == UInt8(ascii: "~") }
    guard marks.count <= 2 else {
      throw TextFailure(offset: marks[2], reason: "the end of the date is expected after 3 fields")
    }
    if marks.count == 2 {
      fields.years = try CalendarFieldParser.list(&cursor, .year)
      guard cursor.take("-") else {
        throw TextFailure(offset: cursor.offset, reason: "\"-\" is expected after the year")
      }
    }
    fields.months = try CalendarFieldParser.list(&cursor, .month)
    fields.daysCountFromEnd = cursor.take("~")
    guard fields.daysCountFromEnd || cursor.take("-") else {
      throw TextFailure(offset: cursor.offset, reason: "\"-\" or \"~\" and a day are expected")
    }
    fields.days = try CalendarFieldParser.list(&cursor, fields.daysCountFromEnd ? .dayFromEnd : .day)
    if fields.days.isEmpty { fields.daysCountFromEnd = false }
    guard cursor.isAtEnd else {
      throw TextFailure(offset: cursor.offset, reason: "a comma or the end of the date is expected")
    }
  }

  /// Reads `hour:minute` or `hour:minute:second`.
  fileprivate mutating func time(_ word: Range<Int>) throws(TextFailure) {
    var cursor = ByteCursor(Array(bytes[..<word.upperBound]))
    cursor.offset = word.lowerBound
    fields.hours = try CalendarFieldParser.list(&cursor, .hour)
    guard cursor.take(":") else {
      throw TextFailure(
        offset: cursor.offset, reason: "a time such as \"17:30\" is expected, with a \":\" here")
    }
    fields.minutes = try CalendarFieldParser.list(&cursor, .minute)
    if cursor.take(":") {
      let start = cursor.offset
      fields.seconds = try CalendarFieldParser.list(&cursor, .second)
      let count = SecondsOfMinute.count(of: fields.seconds)
      guard fields.seconds.count == 1 || count <= SecondsOfMinute.listCountMax else {
        throw TextFailure(
          offset: start,
          reason: "a list of at most \(SecondsOfMinute.listCountMax) seconds is expected, and it has \(count)"
        )
      }
    }
    guard cursor.isAtEnd else {
      throw TextFailure(offset: cursor.offset, reason: "a comma, \":\" or the end of the time is expected")
    }
  }

  /// Reads `@` and whole seconds since the epoch: one instant, in UTC.
  fileprivate mutating func stamp(_ word: Range<Int>) throws(TextFailure) {
    let digits = bytes[word].dropFirst()
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else {
      throw TextFailure(offset: word.lowerBound + 1, reason: "whole seconds since 1970-01-01 are expected")
    }
    // The first second after the last year that can be written.
    guard let seconds: Int = digits.decimal(), seconds < 7_258_118_400 else {
      throw TextFailure(
        offset: word.lowerBound + 1, reason: "seconds that end before the year 2200 are expected")
    }
    let civil = CivilDateTime(WallInstant(secondsSinceEpoch: Int64(seconds)), offset: 0)
    fields.years = [CalendarComponent(start: civil.date.year)]
    fields.months = [CalendarComponent(start: civil.date.month)]
    fields.days = [CalendarComponent(start: civil.date.day)]
    fields.hours = [CalendarComponent(start: civil.time.hour)]
    fields.minutes = [CalendarComponent(start: civil.time.minute)]
    fields.seconds = [CalendarComponent(start: civil.time.second * 1_000_000)]
    fields.zoneName = "UTC"
  }

  /// Reads the name of a zone, if there is a word left, and then the end.
  fileprivate mutating func zone(_ words: ArraySlice<Range<Int>>) throws(TextFailure) {
    guard let word = words.first else { return }
    let name = String(decoding: bytes[word], as: UTF8.self)
    let isUTC = bytes[word].map(\.asLowercase).elementsEqual("utc".utf8)
    guard bytes[word.lowerBound].isLetter, Zone.isWellFormed(name: name),
      !CalendarDialect.isTime(bytes[word]),
      CalendarFieldParser.weekdayIndex(bytes[word]) == nil, words.count == 1, isUTC || fields.zoneName == nil
    else {
      let isZone = bytes[word.lowerBound].isLetter && words.count > 1
      let index = words.startIndex + (isZone ? 1 : 0)
      throw TextFailure(
        offset: words[index].lowerBound, reason: "the name of a time zone or the end is expected")
    }
    fields.zoneName = isUTC ? "UTC" : name
  }
}
