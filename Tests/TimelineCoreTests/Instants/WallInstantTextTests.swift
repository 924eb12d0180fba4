import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Instants in text` {
  static let pairs: [(text: String, nanoseconds: Int64, printed: String)] = [
    ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
    ("2026-01-01T00:00:00Z", 1_767_225_600_000_000_000, "2026-01-01T00:00:00Z"),
    ("2026-01-01t00:00:00z", 1_767_225_600_000_000_000, "2026-01-01T00:00:00Z"),
    ("2026-01-01 00:00:00Z", 1_767_225_600_000_000_000, "2026-01-01T00:00:00Z"),
    ("2026-12-24T18:00:00+01:00", 1_798_131_600_000_000_000, "2026-12-24T17:00:00Z"),
    ("2026-12-24T17:00:00-00:00", 1_798_131_600_000_000_000, "2026-12-24T17:00:00Z"),
    ("2026-12-24T11:30:00-05:30", 1_798_131_600_000_000_000, "2026-12-24T17:00:00Z"),
    ("1970-01-01T23:59:00+23:59", 0, "1970-01-01T00:00:00Z"),
    ("1985-04-12T23:20:50.52Z", 482_196_050_520_000_000, "1985-04-12T23:20:50.52Z"),
    ("1996-12-19T16:39:57-08:00", 851_042_397_000_000_000, "1996-12-20T00:39:57Z"),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000_000, "1937-01-01T11:40:27.87Z"),
    ("1969-12-31T23:59:59.999999999Z", -1, "1969-12-31T23:59:59.999999999Z"),
    ("1970-01-01T00:00:00.000000001Z", 1, "1970-01-01T00:00:00.000000001Z"),
    ("1970-01-01T00:00:00.100000000Z", 100_000_000, "1970-01-01T00:00:00.1Z"),
    ("2024-02-29T12:00:00Z", 1_709_208_000_000_000_000, "2024-02-29T12:00:00Z"),
    ("1677-09-21T00:12:43.145224192Z", .min, "1677-09-21T00:12:43.145224192Z"),
    ("2262-04-11T23:47:16.854775807Z", .max, "2262-04-11T23:47:16.854775807Z"),
    ("2262-04-12T00:47:16.854775807+01:00", .max, "2262-04-11T23:47:16.854775807Z"),
  ]

  @Test(arguments: pairs)
  func `a text means one instant and prints in one way`(
    row: (text: String, nanoseconds: Int64, printed: String)
  ) throws {
    let instant = try WallInstant(rfc3339: row.text)
    #expect(instant.nanosecondsSinceEpoch == row.nanoseconds)
    #expect(instant.description == row.printed)
    #expect(try WallInstant(rfc3339: row.printed) == instant)
  }

  static let refusals: [(text: String, offset: Int, reason: String, suggestion: String?)] = [
    ("", 0, "a year of four digits is expected", nil),
    ("now", 0, "a year of four digits is expected", nil),
    ("26-01-01T00:00:00Z", 0, "a year of four digits is expected", nil),
    ("2026-1-5", 5, "a month from 01 to 12 is expected", "2026-01-05T00:00:00Z"),
    ("2026-01-05", 10, "\"T\" and a time are expected", "2026-01-05T00:00:00Z"),
    ("2026/01/05 12:00", 4, "\"-\" is expected", "2026-01-05T12:00:00Z"),
    ("20260105T120000Z", 4, "\"-\" is expected", "2026-01-05T12:00:00Z"),
    ("2026-01-05T12:00Z", 16, "\":\" is expected", "2026-01-05T12:00:00Z"),
    ("2026-01-05T12:00:00", 19, "\"Z\" or an offset such as \"+01:00\" is expected", "2026-01-05T12:00:00Z"),
    (
      "2026-01-05T12:00:00 UTC", 19, "\"Z\" or an offset such as \"+01:00\" is expected",
      "2026-01-05T12:00:00Z"
    ),
    ("2026-01-05T12:00:00+0100", 22, "\":\" is expected", "2026-01-05T12:00:00+01:00"),
    ("2026-01-05T12:00:00+1", 20, "an offset of 00 to 23 hours is expected", "2026-01-05T12:00:00+01:00"),
    ("2026-01-05T12:00:00.Z", 20, "a digit is expected after the point", "2026-01-05T12:00:00Z"),
    (
      "2026-01-05T12:00:00.0123456789Z", 29, "the fraction is finer than a nanosecond",
      "2026-01-05T12:00:00.012345678Z"
    ),
    (
      "2026-02-30T00:00:00Z", 8, "a day from 01 to 28 is expected: that month has no more",
      "2026-02-28T00:00:00Z"
    ),
    (
      "1900-02-29T00:00:00Z", 8, "a day from 01 to 28 is expected: that month has no more",
      "1900-02-28T00:00:00Z"
    ),
    (
      "2026-04-31T00:00:00Z", 8, "a day from 01 to 30 is expected: that month has no more",
      "2026-04-30T00:00:00Z"
    ),
    ("2026-13-01T00:00:00Z", 5, "a month from 01 to 12 is expected", nil),
    ("2026-01-00T00:00:00Z", 8, "a day from 01 to 31 is expected", nil),
    ("2026-01-05T24:00:00Z", 11, "an hour from 00 to 23 is expected", nil),
    ("2026-01-05T12:60:00Z", 14, "a minute from 00 to 59 is expected", nil),
    (
      "2016-12-31T23:59:60Z", 17, "leap seconds are not counted; a second from 00 to 59 is expected",
      "2016-12-31T23:59:59Z"
    ),
    ("2026-01-05T12:00:00+24:00", 20, "an offset of 00 to 23 hours is expected", nil),
    ("2026-01-05T12:00:00Zz", 20, "the end is expected", nil),
    (
      "1677-09-21T00:12:43.145224191Z", 0,
      "it lies outside 1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z", nil
    ),
    (
      "9999-12-31T23:59:59Z", 0,
      "it lies outside 1677-09-21T00:12:43.145224192Z to 2262-04-11T23:47:16.854775807Z", nil
    ),
  ]

  @Test(arguments: refusals)
  func `a refusal has the place, the reason and a suggestion`(
    row: (text: String, offset: Int, reason: String, suggestion: String?)
  ) throws {
    let error = try #require(throws: TextError.self) { try WallInstant(rfc3339: row.text) }
    #expect(error.offset == row.offset)
    #expect(error.reason == row.reason)
    #expect(error.suggestion == row.suggestion)
  }

  @Test func `any instant prints and parses to itself`() throws {
    let seed: UInt64 = 0x5EED_0003
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let instant = WallInstant(nanosecondsSinceEpoch: generator.anyInt64())
      #expect(try WallInstant(rfc3339: instant.description) == instant, "seed \(seed)")
    }
  }

  @Test func `no text makes the parser trap, and it accepts its own suggestions`() {
    let seed: UInt64 = 0x5EED_0004
    var generator = SeededGenerator(seed: seed)
    let alphabet = Array("0123456789-:.+ TZtz/,é\u{0}x".utf8) + [0xFF, 0x80]
    for _ in 0..<30_000 {
      var bytes = Array("2026-02-28T12:34:56.789+01:00".utf8)
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        let byte = alphabet.randomElement(using: &generator) ?? 0
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes.remove(at: index)
        case 1: bytes.insert(byte, at: index)
        case 2: bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
        default: bytes[index] = byte
        }
        if bytes.isEmpty { bytes.append(byte) }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(TextError) {
        let instant = try WallInstant(rfc3339: text)
        #expect((try? WallInstant(rfc3339: instant.description)) == instant, "\(text), seed \(seed)")
      } catch {
        #expect((0...text.utf8.count).contains(error.offset), "\(text), seed \(seed)")
        #expect(
          error.suggestion.map { (try? WallInstant(rfc3339: $0)) != nil } ?? true, "\(text), seed \(seed)")
      }
    }
  }

  @Test func `a writer of many instants and zones writes each as a new writer does`()
    throws
  {
    let seed: UInt64 = 1_937
    let zones: [Zone?] = [
      nil, .utc, try ZoneFiles.zone("Europe/Berlin"), try ZoneFiles.zone("America/St_Johns"),
    ]
    var zone: Zone?
    var generator = SeededGenerator(seed: seed)
    var writer = InstantWriter()
    var instant = WallInstant.epoch
    for _ in 0..<20_000 {
      // Near the previous one, elsewhere on its day, or anywhere.
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: instant = WallInstant(nanosecondsSinceEpoch: generator.anyInt64())
      case 1: instant = instant + .nanoseconds(Int64.random(in: -3...3, using: &generator))
      case 2: break
      default: instant = instant + .seconds(Int64.random(in: -40_000...40_000, using: &generator))
      }
      if Int.random(in: 0..<4, using: &generator) == 0 {
        zone = zones.randomElement(using: &generator) ?? nil
      }
      let civil = CivilDateTime(instant, offset: 0)
      let utc = "\(civil.date)T\(civil.time)Z"
      let expected = zone.map { instant.text(in: $0) } ?? utc
      var bytes = [UInt8](repeating: 0, count: 3 + ASCIIText.room)
      var end = 0
      do {
        var span = bytes.mutableSpan
        var raw = unsafe span.mutableBytes
        end = writer.put(instant, in: zone, into: &raw, at: 3)
      }
      #expect(String(decoding: bytes[3..<end], as: UTF8.self) == expected, "seed \(seed)")
      #expect(instant.description == utc, "seed \(seed)")
    }
  }

  @Test func `rules have descriptions for a table`() throws {
    let start = try WallInstant(rfc3339: "2026-01-01T00:00:00Z")
    let dates = try ["2026-12-24T18:00:00+01:00", "2026-12-31T23:59:50+01:00", "2027-01-01T00:00:00Z"]
      .map { try WallInstant(rfc3339: $0) }
    let rows: [(ScheduleRule, String)] = try [
      (.periodic(PeriodicSchedule(from: start, by: .seconds(30))), "every 30s from 2026-01-01T00:00:00Z"),
      (.animation(AnimationSchedule(minimumInterval: .milliseconds(16))), "as fast as every 16ms"),
      (.animation(AnimationSchedule()), "as fast as possible"),
      (.animation(AnimationSchedule(isPaused: true)), "as fast as possible, paused"),
      (.explicit(ExplicitSchedule(dates)), "3 dates, the first 2026-12-24T17:00:00Z"),
      (.explicit(ExplicitSchedule([start])), "once at 2026-01-01T00:00:00Z"),
      (.explicit(ExplicitSchedule([])), "on demand"),
      (.everyMinute(EveryMinuteSchedule(zone: .utc)), "every minute in UTC"),
    ]
    for (rule, text) in rows { #expect(rule.description == text) }
  }
}
