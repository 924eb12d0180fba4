import Testing
import TimelineCore
import TimelineTestSupport

@Suite struct `Moments as people write them` {
  /// Saturday noon in Berlin, which is 11:00 UTC.
  static let noon = instant("2026-11-21T11:00:00Z")

  /// Texts that are written at noon, and the stretch that is meant, in UTC.
  static let rows: [(text: String, from: String, to: String)] = [
    ("now", "2026-11-21T11:00:00Z", "2026-11-21T11:00:00.000000001Z"),
    ("02:30", "2026-11-21T01:30:00Z", "2026-11-21T01:31:00Z"),
    ("2:30", "2026-11-21T01:30:00Z", "2026-11-21T01:31:00Z"),
    ("12:00", "2026-11-21T11:00:00Z", "2026-11-21T11:01:00Z"),
    ("12:01", "2026-11-20T11:01:00Z", "2026-11-20T11:02:00Z"),
    ("23:59:59.5", "2026-11-20T22:59:59.5Z", "2026-11-20T22:59:59.6Z"),
    ("02:30:07", "2026-11-21T01:30:07Z", "2026-11-21T01:30:08Z"),
    ("02:30Z", "2026-11-21T02:30:00Z", "2026-11-21T02:31:00Z"),
    ("02:30 UTC", "2026-11-21T02:30:00Z", "2026-11-21T02:31:00Z"),
    ("today 18:00", "2026-11-21T17:00:00Z", "2026-11-21T17:01:00Z"),
    ("Yesterday 02:30", "2026-11-20T01:30:00Z", "2026-11-20T01:31:00Z"),
    ("tomorrow  02:30 ", "2026-11-22T01:30:00Z", "2026-11-22T01:31:00Z"),
    ("yesterday", "2026-11-19T23:00:00Z", "2026-11-20T23:00:00Z"),
    ("2026-07-01 02:30", "2026-07-01T00:30:00Z", "2026-07-01T00:31:00Z"),
    ("2026-07-01t02:30:00.000000001", "2026-07-01T00:30:00.000000001Z", "2026-07-01T00:30:00.000000002Z"),
    ("2026-07-01T02:30:00Z", "2026-07-01T02:30:00Z", "2026-07-01T02:30:01Z"),
    ("2026-07-01T02:30:00-05:30", "2026-07-01T08:00:00Z", "2026-07-01T08:00:01Z"),
    ("2026-07-01", "2026-06-30T22:00:00Z", "2026-07-01T22:00:00Z"),
    ("2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
    ("90s ago", "2026-11-21T10:58:30Z", "2026-11-21T10:58:30.000000001Z"),
    (" 2h  ago", "2026-11-21T09:00:00Z", "2026-11-21T09:00:00.000000001Z"),
    ("in 1h30m", "2026-11-21T12:30:00Z", "2026-11-21T12:30:00.000000001Z"),
  ]

  @Test(arguments: rows)
  func `a moment has the precision of its text`(text: String, from: String, to: String) throws {
    let moment = try Moment(parsing: text, now: Self.noon, in: ZoneFiles.zone("Europe/Berlin"))
    #expect(moment.stretches == [Self.instant(from)..<Self.instant(to)])
    #expect(moment.oddity == nil)
  }

  @Test func `a repeated time is both instants, without a day only the past ones`() throws {
    let berlin = try ZoneFiles.zone("Europe/Berlin")
    let both = try Moment(parsing: "2026-10-25 02:30", now: Self.noon, in: berlin)
    #expect(
      both.stretches.map(\.lowerBound) == ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map(Self.instant))
    guard case .shownTwice(let civil) = both.oddity else {
      Issue.record("\(String(describing: both.oddity))")
      return
    }
    #expect(civil.description == "2026-10-25 02:30:00")
    let between = try Moment(parsing: "02:30", now: Self.instant("2026-10-25T01:00:00Z"), in: berlin)
    #expect(between.stretches.map(\.lowerBound) == [Self.instant("2026-10-25T00:30:00Z")])
    let one = try Moment(parsing: "2026-10-25 02:30+01:00", now: Self.noon, in: berlin)
    #expect(one.stretches.map(\.lowerBound) == [Self.instant("2026-10-25T01:30:00Z")] && one.oddity == nil)
  }

  @Test func `a skipped time is the change and the time without the change`() throws {
    let moment = try Moment(
      parsing: "2026-03-29 02:30", now: Self.noon, in: ZoneFiles.zone("Europe/Berlin"))
    let change = Self.instant("2026-03-29T01:00:00Z")
    #expect(
      moment.stretches == [
        change..<change + .nanoseconds(1),
        Self.instant("2026-03-29T01:30:00Z")..<Self.instant("2026-03-29T01:31:00Z"),
      ])
    guard case .skipped(_, let transition) = moment.oddity else {
      Issue.record("\(String(describing: moment.oddity))")
      return
    }
    #expect(transition == change)
  }

  @Test func `a day without a midnight begins at the clock change`() throws {
    let moment = try Moment(parsing: "2018-11-04", now: Self.noon, in: ZoneFiles.zone("America/Sao_Paulo"))
    #expect(moment.stretches == [Self.instant("2018-11-04T03:00:00Z")..<Self.instant("2018-11-05T02:00:00Z")])
  }

  @Test(arguments: [
    ("", "at column 1"), ("noon", "`now`, `02:30`"), ("02", "`yesterday 02:30`"), ("25:00", "from 00:00"),
    ("02:60", "from 00:00"), ("02:3", "two digits of a minute"), ("02:30:", "two digits of a second"),
    ("02:30:00.", "one to nine digits"), ("02:30:00.1234567890", "one to nine digits"),
    ("02:30 pm", "the end is expected"), ("2026-02-30 02:30", "no such day"),
    ("2026-11-2 02:30", "no such day"),
    ("2026-11-21x", "a blank and a time"), ("2026-11-21 02:30 +1", "+01:00"), ("tomorrow noon", "`now`"),
    ("two hours ago", "a length of time"), ("in a while", "a length of time"), (" ago", "`now`"),
    ("1600-01-01 00:00", "outside"), ("9999-12-31", "outside"), ("nowhere", "the end is expected"),
    (String(repeating: "0", count: 65), "at most 64 bytes"), ("\u{1B}[2J", "\\u{1B}"),
  ])
  func `an invalid moment is refused with a correction`(text: String, part: String) throws {
    let zone = try ZoneFiles.zone("Europe/Berlin")
    let error = #expect(throws: TextError.self) { try Moment(parsing: text, now: Self.noon, in: zone) }
    #expect(error?.description.contains(part) == true, "\(String(describing: error))")
  }

  @Test(arguments: [31, 32, 33] as [UInt64])
  func `no text traps, and every stretch is in order`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let zones = try ["UTC", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia"].map(ZoneFiles.zone)
    let nows = [WallInstant.min, .epoch, Self.noon, .max]
    for _ in 0..<5_000 {
      var text = Array((Self.rows.randomElement(using: &random)?.text ?? "").utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !text.isEmpty {
        text[Int.random(in: 0..<text.count, using: &random)] =
          Array("0123456789:-+. tzago\u{7F}".utf8).randomElement(using: &random) ?? 0
      }
      let string = String(decoding: text, as: UTF8.self)
      for (zone, now) in zip(zones, nows.shuffled(using: &random)) {
        guard let moment = try? Moment(parsing: string, now: now, in: zone) else { continue }
        #expect(moment.stretches.allSatisfy { $0.lowerBound <= $0.upperBound }, "seed \(seed): \(string)")
      }
    }
  }

  private static func instant(_ text: String) -> WallInstant {
    (try? WallInstant(rfc3339: text)) ?? .min
  }
}
