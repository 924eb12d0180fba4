extension HolidayList {
  /// Reads the events of an iCalendar file (RFC 5545) as days: from `DTSTART` up to, not including, `DTEND`, or for
  /// as long as `DURATION` says.
  ///
  /// Dates count as written, whatever their `TZID`; an event without either is one day, and a time of day that ends
  /// after midnight makes its day one of them. Cancelled events are left out. Refused, not guessed: events that are
  /// repeated (`RRULE`, `RDATE`), those with both an end and a duration, damaged lines, and files beyond the limits.
  public init(name: String, iCalendar bytes: [UInt8]) throws(HolidayFileError) {
    var reader = try ICalendarReader(bytes)
    self.init(name: name, days: try reader.days())
  }
}

/// Why a file was not taken for a list of holidays.
public struct HolidayFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line, counted from 1.
  public let line: Int
  /// The byte of the line, counted from 1.
  public let column: Int
  /// What was expected there, as a clause.
  public let reason: String

  /// Place and reason, such as `line 3, column 9: a date such as 20261224 is expected`.
  public var description: String { "line \(line), column \(column): \(reason)" }
}

/// Reads the properties of events line by line.
private struct ICalendarReader {
  /// Larger than any calendar of holidays; the whole file is read.
  static let fileSizeMax = 1_048_576
  /// The longest event: a year. More is a mistake in a date.
  static let eventDaysMax = 366

  /// A line with its continuations, without the breaks between.
  private struct Line {
    var bytes: [UInt8] = []
    var number = 0

    func failure(_ column: Int, _ reason: String) -> HolidayFileError {
      HolidayFileError(line: number, column: column + 1, reason: reason)
    }
  }

  /// A day, and the time of it that is written beside it.
  private struct DayAndTime {
    var day: Int
    var secondOfDay: Int?

    /// The first day that is later than this instant, or begins with it.
    var dayAfter: Int { day + (secondOfDay ?? 0 > 0 ? 1 : 0) }
  }

  private struct Event {
    var start: DayAndTime?, end: DayAndTime?
    var duration: (length: ICalendarDuration, line: Line)?
    var label = ""
    var isCancelled = false
  }

  private var lines: [Line] = []

  init(_ bytes: [UInt8]) throws(HolidayFileError) {
    guard bytes.count <= Self.fileSizeMax else {
      throw HolidayFileError(line: 1, column: 1, reason: "the file has more than \(Self.fileSizeMax) bytes")
    }
    var number = 0
    // Windows' programs put the byte order mark in front of the text.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for raw in bytes.dropFirst(bytes.starts(with: mark) ? mark.count : 0).split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      number += 1
      let text = raw.last == UInt8(ascii: "\r") ? raw.dropLast() : raw
      if let first = text.first, first == UInt8(ascii: " ") || first == 0x09, !lines.isEmpty {
        lines[lines.count - 1].bytes += text.dropFirst()
      } else if !text.isEmpty {
        lines.append(Line(bytes: Array(text), number: number))
      }
    }
    guard let first = lines.first, Self.word(first.bytes) == "BEGIN:VCALENDAR" else {
      throw HolidayFileError(
        line: 1, column: 1, reason: "\"BEGIN:VCALENDAR\" is expected: it is no iCalendar file")
    }
  }

  mutating func days() throws(HolidayFileError) -> [(day: Int, label: String)] {
    var days: [(day: Int, label: String)] = []
    var event: Event?
    var depth = 0  // Of what is inside an event, such as alarms.
    for line in lines {
      let word = Self.word(line.bytes)
      if word == "BEGIN:VEVENT" {
        guard event == nil else { throw line.failure(0, "\"END:VEVENT\" is expected before another event") }
        event = Event()
      } else if word == "END:VEVENT", let ended = event {
        days += try Self.days(of: ended, line)
        guard days.count <= HolidayList.dayCountMax else {
          throw line.failure(0, "at most \(HolidayList.dayCountMax) days are read")
        }
        event = nil
      } else if event != nil {
        if word.hasPrefix("BEGIN:") { depth += 1 }
        if depth == 0 { try Self.read(line, into: &event) }
        if word.hasPrefix("END:") { depth -= 1 }
      }
    }
    if event != nil, let last = lines.last {
      throw last.failure(last.bytes.count, "\"END:VEVENT\" is expected")
    }
    return days
  }

  /// The beginning of a line in capitals, enough to know what it begins or ends.
  private static func word(_ bytes: [UInt8]) -> String {
    String(decoding: bytes.prefix(24), as: UTF8.self).uppercased()
  }

  private static func read(_ line: Line, into event: inout Event?) throws(HolidayFileError) {
    // The value begins after the first colon that is not in quotes; parameters stand in front of it.
    var isQuoted = false
    let colon = line.bytes.firstIndex { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ":") && !isQuoted
    }
    guard let colon else { throw line.failure(line.bytes.count, "\":\" and a value are expected") }
    let name = String(
      decoding: line.bytes.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ":") }, as: UTF8.self)
    switch name.uppercased() {
    case "DTSTART": event?.start = try date(line, colon + 1)
    case "DTEND": event?.end = try date(line, colon + 1)
    case "DURATION": event?.duration = (try duration(line, colon + 1), line)
    case "SUMMARY": event?.label = label(line.bytes[(colon + 1)...])
    case "STATUS": event?.isCancelled = word(Array(line.bytes[(colon + 1)...])) == "CANCELLED"
    case "RRULE", "RDATE":
      throw line.failure(0, "\(name) is not read; export the calendar with each day as an event of its own")
    default: break
    }
  }

  private static func days(of event: Event, _ line: Line) throws(HolidayFileError) -> [(
    day: Int, label: String
  )] {
    guard !event.isCancelled else { return [] }
    guard let start = event.start else {
      throw line.failure(0, "\"DTSTART\" is expected in the event before its end")
    }
    let given = try end(of: event, from: start, line)
    let end = max(given ?? start.day + 1, start.day + 1)
    guard end - start.day <= eventDaysMax else {
      throw line.failure(0, "an event of at most \(eventDaysMax) days is expected")
    }
    if let given, given < start.day {
      throw line.failure(0, "\"DTEND\" is expected after \"DTSTART\"")
    }
    return (start.day..<end).map { ($0, event.label) }
  }

  /// The first day after the event, if it says when it ends.
  private static func end(of event: Event, from start: DayAndTime, _ line: Line) throws(HolidayFileError)
    -> Int?
  {
    guard let (length, place) = event.duration else { return event.end?.dayAfter }
    guard event.end == nil else {
      throw place.failure(0, "\"DTEND\" or \"DURATION\" is expected in an event, not both")
    }
    guard start.secondOfDay != nil || !length.hasTime else {
      throw place.failure(0, "days or weeks are expected, such as P3D: the event has no time of the day")
    }
    let (days, second) = ((start.secondOfDay ?? 0) + length.seconds).quotientAndRemainder(dividingBy: 86_400)
    return DayAndTime(day: start.day + days, secondOfDay: second).dayAfter
  }

  private static func duration(_ line: Line, _ offset: Int) throws(HolidayFileError) -> ICalendarDuration {
    var cursor = ByteCursor(line.bytes)
    cursor.offset = offset
    guard let duration = ICalendarDuration(&cursor), cursor.isAtEnd else {
      throw line.failure(cursor.offset, "a duration such as P3D, P1W or PT36H is expected")
    }
    return duration
  }

  /// Reads `20261224` or `20261224T180000Z`.
  private static func date(_ line: Line, _ offset: Int) throws(HolidayFileError) -> DayAndTime {
    var cursor = ByteCursor(line.bytes)
    cursor.offset = offset
    let digits = cursor.takeDigits(upTo: 8)
    guard digits.count == 8, let number: Int = digits.decimal(),
      let date = CivilDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    else { throw line.failure(offset, "a date such as 20261224 is expected") }
    var secondOfDay: Int?
    if cursor.take("T") {
      let time = cursor.takeDigits()
      guard time.count == 6 else { throw line.failure(time.startIndex, "a time such as 180000 is expected") }
      let written: Int = time.decimal() ?? 0
      secondOfDay = written / 10_000 * 3_600 + written / 100 % 100 * 60 + written % 100
      _ = cursor.take("Z")
    }
    guard cursor.isAtEnd else { throw line.failure(cursor.offset, "the end of the line is expected") }
    return DayAndTime(day: date.daysSinceEpoch, secondOfDay: secondOfDay)
  }

  /// The text of a value on one line, short enough for a reason.
  private static func label(_ value: ArraySlice<UInt8>) -> String {
    var text: [UInt8] = []
    var isEscaped = false
    for byte in value {
      if byte == UInt8(ascii: "\\"), !isEscaped {
        isEscaped = true
        continue
      }
      let isBreak = isEscaped && byte.asLowercase == UInt8(ascii: "n")
      text.append(isBreak || byte < 0x20 || byte == 0x7F ? UInt8(ascii: " ") : byte)
      isEscaped = false
    }
    return String(String(decoding: text, as: UTF8.self).prefix(60))
  }
}
