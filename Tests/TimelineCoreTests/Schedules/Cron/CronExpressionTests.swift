import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Cron rules in text` {
  static let pairs: [(text: String, printed: String)] = [
    ("30 2 * * *", "30 2 * * *"), (" 30\t2  * * * ", "30 2 * * *"), ("0 30 2 * * *", "30 2 * * *"),
    ("* * * * *", "* * * * *"), ("*/1 * * * *", "* * * * *"), ("*/15 * * * *", "*/15 * * * *"),
    ("0-59/15 * * * *", "0-45/15 * * * *"), ("0-59 * * * *", "0-59 * * * *"),
    ("5/15 * * * *", "5-50/15 * * * *"),
    ("*/20,7 * * * *", "*/20,7 * * * *"), ("7,*/20 * * * *", "0,7,20,40 * * * *"),
    ("*,5 * * * *", "* * * * *"),
    ("*/60 * * * *", "*/60 * * * *"), ("05 007 * * *", "5 7 * * *"), ("0 9-17 * * mon-fri", "0 9-17 * * 1-5"),
    ("0 0 1 JAN,Jul *", "0 0 1 1,7 *"), ("0 0 1 */3 *", "0 0 1 */3 *"), ("0 0 1 1,4,7,10 *", "0 0 1 */3 *"),
    ("0 0 1 1-12 *", "0 0 1 * *"), ("0 0 * * 7", "0 0 * * 0"), ("0 0 * * 0-7", "0 0 * * 0-6"),
    ("0 0 * * 5-7", "0 0 * * 0,5,6"), ("0 0 * * 1/2", "0 0 * * 0,1,3,5"), ("0 0 * * */2", "0 0 * * */2"),
    ("0 0 * * sun,sat", "0 0 * * 0,6"), ("0 0 L * *", "0 0 L * *"), ("0 0 lw * *", "0 0 LW * *"),
    ("0 0 LW,L,15w,1 * *", "0 0 1,L,LW,15W * *"), ("0 0 * * 5L", "0 0 * * 5L"),
    ("0 0 * * friL,7l", "0 0 * * 0L,5L"),
    ("0 0 * * fri#2,1#1,1", "0 0 * * 1,1#1,5#2"), ("0 0 29 2 *", "0 0 29 2 *"), ("0 0 30 2 1", "0 0 30 2 1"),
    ("*/10 * * * * *", "*/10 * * * * *"), ("0,10,20,30,40,50 0 0 * * *", "*/10 0 0 * * *"),
    ("15 0 0 * * *", "15 0 0 * * *"), ("* 30 2 * * *", "* 30 2 * * *"), ("1,2,4 * * * *", "1,2,4 * * * *"),
    ("1,2,3,9 * * * *", "1-3,9 * * * *"), ("3,2,1,1-2 * * * *", "1-3 * * * *"),
    ("@yearly", "0 0 1 1 *"), ("@annually", "0 0 1 1 *"), ("@monthly", "0 0 1 * *"), ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"), (" @Midnight ", "0 0 * * *"), ("@hourly", "0 * * * *"),
  ]

  @Test(arguments: pairs) func `a text means one rule and prints in one way`(
    row: (text: String, printed: String)
  )
    throws
  {
    let rule = try CronExpression(parsing: row.text)
    #expect(rule.description == row.printed)
    #expect(try CronExpression(parsing: row.printed) == rule)
  }

  static let refusals: [(text: String, offset: Int, reason: String, suggestion: String?)] = [
    ("", 0, "5 fields (minute, hour, day, month, day of the week) or 6 (seconds first) are expected", nil),
    (
      "30 2 * *", 8, "5 fields (minute, hour, day, month, day of the week) or 6 (seconds first) are expected",
      nil
    ),
    (
      "30 2 *", 6, "5 fields (minute, hour, day, month, day of the week) or 6 (seconds first) are expected",
      nil
    ),
    ("0 30 2 * * * 2026", 13, "a cron rule has no year", nil),
    ("60 2 * * *", 0, "a minute from 0 to 59 is expected", nil),
    ("75 2 * * *", 0, "a minute from 0 to 59 is expected", nil),
    ("0 24 * * *", 2, "an hour from 0 to 23 is expected", nil),
    ("60 0 0 * * *", 0, "a second from 0 to 59 is expected", nil),
    ("0 0 0 * *", 4, "a day from 1 to 31, \"L\" or \"LW\" is expected", nil),
    ("0 0 32 * *", 4, "a day from 1 to 31, \"L\" or \"LW\" is expected", nil),
    ("0 0 * 13 *", 6, "a month from 1 to 12 or \"jan\" to \"dec\" is expected", nil),
    ("0 0 * * 8", 8, "a day of the week from 0 to 7 or \"sun\" to \"sat\" is expected", nil),
    ("0 0 * * monday", 8, "a day of the week from 0 to 7 or \"sun\" to \"sat\" is expected", "0 0 * * mon"),
    ("0 0 * sept we", 6, "a month from 1 to 12 or \"jan\" to \"dec\" is expected", "0 0 * sep wed"),
    ("0 0 * * blue", 8, "a day of the week from 0 to 7 or \"sun\" to \"sat\" is expected", nil),
    ("0 0 * * L", 8, "a day of the week from 0 to 7 or \"sun\" to \"sat\" is expected", nil),
    ("0 0 ? * 1", 4, "`?` is written `*` here", "0 0 * * 1"),
    ("0 0 ? * *", 4, "`?` is written `*` here", "0 0 * * *"),
    ("0 22-2 * * *", 2, "a range that ascends is expected", "0 22-23,0-2 * * *"),
    ("0 0 * * fri-sun", 8, "a range that ascends is expected", "0 0 * * 5-7"),
    ("0 0 * * 6-1", 8, "a range that ascends is expected", "0 0 * * 6,0-1"),
    ("*/0 * * * *", 2, "a step above 0 is expected", nil),
    ("*/ * * * *", 2, "a step above 0 is expected", nil),
    ("60\t2 * * *", 0, "a minute from 0 to 59 is expected", nil),
    ("1,,2 * * * *", 2, "a minute from 0 to 59 is expected", nil),
    ("1, * * * *", 2, "a minute from 0 to 59 is expected", nil),
    ("-1 * * * *", 0, "a \"-\" in front of a rule means nothing here", nil),
    ("1.5 * * * *", 1, "a comma or the end of the field is expected", nil),
    ("99999999999999999999 * * * *", 0, "a minute from 0 to 59 is expected", nil),
    ("0 0 L-3 * *", 4, "days before the last of the month do not stand in a cron rule", nil),
    ("0 0 15W/2 * *", 7, "a comma or the end of the field is expected", nil),
    ("0 0 * * 5#6", 10, "a number from 1 to 5 is expected after the \"#\"", nil),
    ("0 0 * * 5#", 10, "a number from 1 to 5 is expected after the \"#\"", nil),
    ("0 L * * *", 2, "an hour from 0 to 23 is expected", nil),
    ("0 0 30 2 *", 4, "February never has a day 30", nil),
    ("0 0 31 4,6,9,11 *", 4, "April, June, September and November never have a day 31", nil),
    ("0 0 31W feb *", 4, "February never has a day 31", nil),
    ("0 0 0 30 2 *", 6, "February never has a day 30", nil),
    (
      "0 0 LW * */6", 4, "the day of the month and the day of the week never fall on one day", nil
    ),
    ("61 24 32 13 8", 0, "a minute from 0 to 59 is expected", nil),
    (
      "0\u{A0}0 * * *", 10,
      "5 fields (minute, hour, day, month, day of the week) or 6 (seconds first) are expected", nil
    ),
    ("é 0 * * *", 0, "a minute from 0 to 59 is expected", nil),
    ("0 0 * * *\n", 9, "a comma or the end of the field is expected", nil),
    (
      "@dayly", 0,
      "one of \"@yearly\", \"@annually\", \"@monthly\", \"@weekly\", \"@daily\", \"@midnight\", \"@hourly\" is expected",
      "@daily"
    ),
    (
      "@every 5m", 0, "\"@every\" is an interval and no cron rule", nil
    ),
    ("@daily 5", 7, "the end is expected after \"@daily\"", nil),
    (
      "@reboot", 0,
      "\"@reboot\" names no instant: a job with this rule runs once after each start of the machine", nil
    ),
  ]

  @Test(arguments: refusals) func `a refusal points at the byte and suggests the nearest rule`(
    row: (text: String, offset: Int, reason: String, suggestion: String?)
  ) throws {
    let error = try #require(throws: TextError.self) { try CronExpression(parsing: row.text) }
    #expect(error.offset == row.offset)
    #expect(error.reason == row.reason)
    #expect(error.suggestion == row.suggestion)
    #expect(error.subject == "a cron rule")
    if let suggestion = error.suggestion {
      #expect(throws: Never.self) { try CronExpression(parsing: suggestion) }
    }
  }

  @Test func `a text that is too long is refused without being read`() throws {
    let error = try #require(throws: TextError.self) {
      try CronExpression(parsing: "0 0 * * " + String(repeating: "1,", count: 100_000) + "1")
    }
    #expect(error.offset == 640)
    #expect(error.text.utf8.count == TextError.textLengthMax)
    let bounds = [0...59, 0...59, 0...23, 1...31, 1...12, 0...6]
    let longest = bounds.map { $0.map(String.init).joined(separator: ",") }.joined(separator: " ")
    #expect(throws: Never.self) { try CronExpression(parsing: longest) }
  }

  static let seed: UInt64 = 0xC405

  @Test func `a fuzzed text prints to itself or is refused with the place of the error`() throws {
    var generator = SeededGenerator(seed: Self.seed)
    let alphabet = Array("0123456789*/,-#LWlw? \t@jansundecfri".unicodeScalars)
    let pieces = [
      "*", "*", "*/5", "1-5", "3", "7", "2-6/2", "1,4", "*/2,5", "L", "LW", "15W", "5L", "5#2", "mon",
      "jan-mar",
      "@daily",
    ]
    var readCount = 0
    for _ in 0..<20_000 {
      let fieldCount =
        Int.random(in: 0..<8, using: &generator) == 0 ? 4 : Int.random(in: 5...6, using: &generator)
      let last = Int.random(in: 0..<4, using: &generator) == 0 ? pieces.count : 9
      let fields = (0..<fieldCount).map { _ in pieces[Int.random(in: 0..<last, using: &generator)] }
      var text = fields.joined(separator: " ")
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        var scalars = Array(text.unicodeScalars)
        let place = Int.random(in: 0..<max(scalars.count, 1), using: &generator)
        let scalar = alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: scalars.insert(scalar, at: min(place, scalars.count))
        case 1 where place < scalars.count: scalars[place] = scalar
        case _ where place < scalars.count: scalars.remove(at: place)
        default: break
        }
        text = String(String.UnicodeScalarView(scalars))
      }
      do throws(TextError) {
        let rule = try CronExpression(parsing: text)
        readCount += 1
        let printed = rule.description
        let again = try CronExpression(parsing: printed)
        #expect(again == rule && again.description == printed, "\(text), seed \(Self.seed)")
        #expect(again.fixesTimeOfDay == rule.fixesTimeOfDay)
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text), seed \(Self.seed)")
        if let suggestion = error.suggestion {
          #expect(throws: Never.self, "\(text)") { try CronExpression(parsing: suggestion) }
        }
      }
    }
    #expect(readCount > 2_000)
  }
}
