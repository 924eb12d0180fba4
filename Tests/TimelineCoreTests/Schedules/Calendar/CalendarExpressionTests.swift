import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Calendar rules in text` {
  /// The examples of systemd.time(7) and more, with their normalized forms.
  static let pairs: [(text: String, printed: String)] = [
    ("Sat,Thu,Mon..Wed,Sat..Sun", "Mon..Thu,Sat,Sun *-*-* 00:00:00"),
    ("Mon,Sun 12-*-* 2,1:23", "Mon,Sun 2012-*-* 01,02:23:00"), ("Wed *-1", "Wed *-*-01 00:00:00"),
    ("Wed..Wed,Wed *-1", "Wed *-*-01 00:00:00"), ("Wed, 17:48", "Wed *-*-* 17:48:00"),
    ("Wed..Sat,Tue 12-10-16 1:2:3", "Tue..Sat 2012-10-16 01:02:03"), ("*-*-7 0:0:0", "*-*-07 00:00:00"),
    ("10-15", "*-10-15 00:00:00"), ("monday *-12-* 17:00", "Mon *-12-* 17:00:00"),
    ("Mon,Fri *-*-3,1,2 *:30:45", "Mon,Fri *-*-01,02,03 *:30:45"),
    ("12,14,13,12:20,10,30", "*-*-* 12,13,14:10,20,30:00"),
    ("12..14:10,20,30", "*-*-* 12..14:10,20,30:00"),
    ("mon,fri *-1/2-1,3 *:30:45", "Mon,Fri *-01/2-01,03 *:30:45"), ("03-05 08:05:40", "*-03-05 08:05:40"),
    ("08:05:40", "*-*-* 08:05:40"), ("05:40", "*-*-* 05:40:00"),
    ("Sat,Sun 12-05 08:05:40", "Sat,Sun *-12-05 08:05:40"), ("Sat,Sun 08:05:40", "Sat,Sun *-*-* 08:05:40"),
    ("2003-03-05 05:40", "2003-03-05 05:40:00"),
    ("05:40:23.4200004/3.1700005", "*-*-* 05:40:23.420000/3.170001"),
    ("2003-02..04-05", "2003-02..04-05 00:00:00"), ("2003-03-05 05:40 UTC", "2003-03-05 05:40:00 UTC"),
    ("2003-03-05", "2003-03-05 00:00:00"), ("03-05", "*-03-05 00:00:00"), ("minutely", "*-*-* *:*:00"),
    ("hourly", "*-*-* *:00:00"), ("daily", "*-*-* 00:00:00"), ("daily UTC", "*-*-* 00:00:00 UTC"),
    ("monthly", "*-*-01 00:00:00"), ("weekly", "Mon *-*-* 00:00:00"),
    ("weekly Pacific/Auckland", "Mon *-*-* 00:00:00 Pacific/Auckland"), ("yearly", "*-01-01 00:00:00"),
    ("Annually", "*-01-01 00:00:00"), ("anually", "*-01-01 00:00:00"),
    ("quarterly", "*-01,04,07,10-01 00:00:00"), ("semiannually", "*-01,07-01 00:00:00"),
    ("semi-annually", "*-01,07-01 00:00:00"), ("biannually", "*-01,07-01 00:00:00"),
    ("bi-annually", "*-01,07-01 00:00:00"), ("*:2/3", "*-*-* *:02/3:00"), ("*-02~03", "*-02~03 00:00:00"),
    ("Mon *-05~07/1", "Mon *-05~07/1 00:00:00"), ("*-*~*", "*-*-* 00:00:00"),
    ("*-*~01..07/3 12:00", "*-*~01..07/3 12:00:00"), ("Mon-Fri 8:00", "Mon..Fri *-*-* 08:00:00"),
    ("Mon..Sun", "*-*-* 00:00:00"), ("Sun,Sat", "Sat,Sun *-*-* 00:00:00"), ("*:*:*", "*-*-* *:*:*"),
    ("*:*:0/1", "*-*-* *:*:*"), ("*:*:00/0.5", "*-*-* *:*:00/0.500000"),
    ("*:*:5..20/5", "*-*-* *:*:05..20/5"),
    ("*:*:5..20", "*-*-* *:*:05..20"), ("*:*:5..6.5/0.25", "*-*-* *:*:05..06.500000/0.250000"),
    ("10..12/5:0", "*-*-* 10:00:00"), ("10..21/5:0", "*-*-* 10..20/5:00:00"),
    ("9..17/1:0", "*-*-* 09..17:00:00"),
    ("70-1-1", "1970-01-01 00:00:00"),
    ("2026..2030/2-1-1", "2026..2030/2-01-01 00:00:00"), ("@0", "1970-01-01 00:00:00 UTC"),
    ("@1395716396", "2014-03-25 02:59:56 UTC"), ("Tue @1395716396 utc", "Tue 2014-03-25 02:59:56 UTC"),
    ("10:00 utc", "*-*-* 10:00:00 UTC"), ("Fri *-*-13 Europe/Berlin", "Fri *-*-13 00:00:00 Europe/Berlin"),
    (" daily  UTC ", "*-*-* 00:00:00 UTC"),
  ]

  @Test(arguments: pairs) func `a text means one rule and prints as systemd normalizes it`(
    row: (text: String, printed: String)
  ) throws {
    let rule = try CalendarExpression(parsing: row.text)
    #expect(rule.description == row.printed)
    let again = try CalendarExpression(parsing: row.printed)
    #expect(again == rule && again.hashValue == rule.hashValue)
  }

  static let anything =
    "a day of the week such as \"Mon\", a date, a time or a word such as \"daily\" is expected"

  static let refusals: [(text: String, offset: Int, reason: String, suggestion: String?)] = [
    ("", 0, "a day of the week, a date, a time or a word such as \"daily\" is expected", nil),
    ("dayly", 0, anything, "daily"), ("every day", 0, anything, nil), ("m", 0, anything, nil),
    ("minute", 0, anything, "minutely"),
    ("Tues 10:00", 0, anything, "Tue 10:00"),
    ("Mon,Tues", 4, "a day of the week such as \"Mon\" is expected", "Mon,Tue"),
    (
      "Fri..Mon 8:00", 0, "a range that ascends from Monday to Sunday is expected", "Fri..Sun,Mon 8:00"
    ),
    ("Mon..", 5, "a day of the week such as \"Mon\" is expected", nil),
    ("Mon..Wed..Fri", 8, "a comma, \"..\" or a space is expected after the day", nil),
    ("Mon,,Fri", 4, "a day of the week such as \"Mon\" is expected", nil),
    ("10", 2, "a time such as \"17:30\" is expected, with a \":\" here", nil),
    ("24:00", 0, "an hour from 0 to 23 is expected", nil),
    ("25:00", 0, "an hour from 0 to 23 is expected", nil),
    ("10:60", 3, "a minute from 0 to 59 is expected", nil),
    ("10:00:60", 6, "a second from 0 to 59.999999 is expected", nil),
    ("10:00:61.5", 6, "a second from 0 to 59.999999 is expected", nil),
    ("*-13-01", 2, "a month from 1 to 12 is expected", nil),
    ("*-12-32", 5, "a day from 1 to 31 is expected", nil),
    ("*-12~29", 5, "a day from 1 to 28, counted from the end of the month, is expected", nil),
    ("*-12-0", 5, "a day from 1 to 31 is expected", nil),
    ("1969-1-1", 0, "a year from 1970 to 2199 is expected", nil),
    ("2200-1-1", 0, "a year from 1970 to 2199 is expected", nil),
    ("22..2:00", 0, "a range that ascends is expected", "22..23,00..02:00"),
    ("*:50..10", 2, "a range that ascends is expected", "*:50..59,00..10"),
    ("*:*:05..05", 4, "a range of at least a second, or one with a step, is expected", nil),
    ("*:45/30", 5, "a step is expected that leads to another number of the field", nil),
    ("*:0/0", 4, "a step above 0 is expected", nil), ("*:0/", 4, "a step above 0 is expected", nil),
    ("*/2:00", 1, "\"*\" stands alone; a list or a step begins with a number", "00/2:00"),
    ("*-*/2-01", 3, "\"*\" stands alone; a list or a step begins with a number", "*-01/2-01"),
    ("*,5:00", 1, "\"*\" stands alone; a list or a step begins with a number", "*:00"),
    ("10:00:", 6, "a second from 0 to 59.999999 or \"*\" is expected", nil),
    ("10:00:1.", 8, "a digit is expected after the point", "10:00:1"),
    ("10:00:1:2", 7, "a comma, \":\" or the end of the time is expected", nil),
    ("1-2-3-4", 5, "the end of the date is expected after 3 fields", nil),
    ("2026~1-1", 4, "\"-\" is expected after the year", nil),
    ("1-2 3-4", 5, "a time such as \"17:30\" is expected, with a \":\" here", nil),
    ("10:00 10:00", 6, "the name of a time zone or the end is expected", nil),
    ("10:00 UTC UTC", 10, "the name of a time zone or the end is expected", nil),
    ("10:00 Mon", 6, "the day of the week stands in front of date and time", "Mon 10:00"),
    ("*-*-01 mon..fri", 7, "the day of the week stands in front of date and time", "mon..fri *-*-01"),
    ("* *-*-* *:00:00", 0, "a rule for every day of the week names none", "*-*-* *:00:00"),
    ("* 25:00 Mon", 1, "a time such as \"17:30\" is expected, with a \":\" here", nil),
    ("10:00 ../etc", 6, "the name of a time zone or the end is expected", nil),
    ("@x", 1, "whole seconds since 1970-01-01 are expected", nil),
    ("@7258118400", 1, "seconds that end before the year 2200 are expected", nil),
    ("@0 Europe/Berlin", 3, "the name of a time zone or the end is expected", nil),
    ("2026-02-30", 0, "no month of the rule has this day; \"~1\" is the last day of a month", nil),
    ("*-04,06-31 1:00", 0, "no month of the rule has this day; \"~1\" is the last day of a month", nil),
    (
      "Mon 2026-09-29 1:00", 0, "a day of the week is expected on which the date can fall", nil
    ),
    ("Mon *-02-30", 4, "no month of the rule has this day; \"~1\" is the last day of a month", nil),
    (
      "*:*:0/0.0005,1", 4, "a list of at most 60000 seconds is expected, and it has 120001", nil
    ),
    ("é", 0, "an hour from 0 to 23 or \"*\" is expected", nil),
  ]

  @Test(arguments: refusals) func `a refusal points at the byte and suggests the nearest rule`(
    row: (text: String, offset: Int, reason: String, suggestion: String?)
  ) throws {
    let error = try #require(throws: TextError.self) { try CalendarExpression(parsing: row.text) }
    #expect(error.offset == row.offset)
    #expect(error.reason == row.reason)
    #expect(error.suggestion == row.suggestion)
    #expect(error.subject == "a calendar rule")
    if let suggestion = error.suggestion {
      #expect(throws: Never.self) { try CalendarExpression(parsing: suggestion) }
    }
  }

  @Test func `a text that is too long is refused without being read`() throws {
    let error = try #require(throws: TextError.self) {
      try CalendarExpression(parsing: String(repeating: "1,", count: 100_000) + "1:00")
    }
    #expect(error.offset == 1_024)
    let many = try #require(throws: TextError.self) {
      try CalendarExpression(parsing: String(repeating: "1,", count: 300) + "1:00")
    }
    #expect(many.reason == "a list of at most 240 elements is expected")
  }

  static let seed: UInt64 = 0xCA1E

  @Test func `a fuzzed text prints to itself or is refused with the place of the error`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    var readCount = 0
    for _ in 0..<10_000 {
      let text = RandomCalendarText.mutated(using: &generator)
      do throws(TextError) {
        let rule = try CalendarExpression(parsing: text)
        readCount += 1
        let again = try CalendarExpression(parsing: rule.description)
        #expect(again == rule && again.description == rule.description, "\(text), seed \(Self.seed)")
        #expect(again.fixesTimeOfDay == rule.fixesTimeOfDay)
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text), seed \(Self.seed)")
        if let suggestion = error.suggestion {
          #expect(throws: Never.self, "\(text)") { try CalendarExpression(parsing: suggestion) }
        }
      }
    }
    #expect(readCount > 3_000)
  }
}

/// Texts that are calendar rules or almost.
enum RandomCalendarText {
  static func rule(using generator: inout SeededGenerator) -> String {
    if Int.random(in: 0..<30, using: &generator) == 0 {
      return ["minutely", "Hourly", "daily", "weekly", "monthly", "quarterly", "semiannually", "yearly"]
        .randomElement(using: &generator) ?? ""
    }
    var words: [String] = []
    if Int.random(in: 0..<3, using: &generator) == 0 { words.append(weekdays(using: &generator)) }
    if Int.random(in: 0..<2, using: &generator) == 0 { words.append(date(using: &generator)) }
    if words.isEmpty || Int.random(in: 0..<4, using: &generator) > 0 { words.append(time(using: &generator)) }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: words.append("UTC")
    case 1: words.append("Europe/Berlin")
    default: break
    }
    return words.joined(separator: " ")
  }

  static func mutated(using generator: inout SeededGenerator) -> String {
    let alphabet = Array("0123456789*/,-.~:@ Monfrisu".unicodeScalars)
    var scalars = Array(rule(using: &generator).unicodeScalars)
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let place = Int.random(in: 0..<max(scalars.count, 1), using: &generator)
      let scalar = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: scalars.insert(scalar, at: min(place, scalars.count))
      case 1 where place < scalars.count: scalars[place] = scalar
      case _ where place < scalars.count: scalars.remove(at: place)
      default: break
      }
    }
    return String(String.UnicodeScalarView(scalars))
  }

  private static func weekdays(using generator: inout SeededGenerator) -> String {
    let names = ["Mon", "tue", "Wednesday", "Thu", "Fri", "SAT", "Sunday"]
    return (0..<Int.random(in: 1...3, using: &generator)).map { _ in
      let low = Int.random(in: 0..<7, using: &generator)
      let high = Int.random(in: low..<7, using: &generator)
      return Bool.random(using: &generator) ? names[low] : "\(names[low])..\(names[high])"
    }.joined(separator: ",")
  }

  private static func date(using generator: inout SeededGenerator) -> String {
    let isFromEnd = Int.random(in: 0..<4, using: &generator) == 0
    let day = field(isFromEnd ? 1...28 : 1...31, stars: 3, isFromEnd: isFromEnd, using: &generator)
    let month = field(1...12, stars: 6, using: &generator)
    let text = month + (isFromEnd ? "~" : "-") + day
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return text
    case 1: return field(2_020...2_035, stars: 0, using: &generator) + "-" + text
    case 2: return field(0...99, stars: 0, using: &generator) + "-" + text
    default: return "*-" + text
    }
  }

  private static func time(using generator: inout SeededGenerator) -> String {
    let time = field(0...23, stars: 3, using: &generator) + ":" + field(0...59, stars: 2, using: &generator)
    guard Int.random(in: 0..<3, using: &generator) == 0 else { return time }
    if Bool.random(using: &generator) { return time + ":" + field(0...59, stars: 2, using: &generator) }
    let fraction = Int.random(in: 1...9_999_999, using: &generator)
    return time + ":\(Int.random(in: 0...59, using: &generator)).\(fraction)"
      + (Bool.random(using: &generator)
        ? "/\(Int.random(in: 0...20, using: &generator)).\(fraction % 1_000)" : "")
  }

  private static func field(
    _ bounds: ClosedRange<Int>, stars: Int, isFromEnd: Bool = false, using generator: inout SeededGenerator
  ) -> String {
    if Int.random(in: 0..<10, using: &generator) < stars { return "*" }
    let count = Int.random(in: 0..<3, using: &generator) == 0 ? Int.random(in: 2...3, using: &generator) : 1
    return (0..<count).map { _ in
      let low = Int.random(in: bounds, using: &generator)
      let high = Int.random(in: low...bounds.upperBound, using: &generator)
      let step = Int.random(
        in: 1...max(1, isFromEnd ? low / 2 : (bounds.upperBound - low) / 2), using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: return "\(low)..\(high)"
      case 1: return "\(low)..\(high)/\(step)"
      case 2: return "\(low)/\(step)"
      default: return "\(low)"
      }
    }.joined(separator: ",")
  }
}
