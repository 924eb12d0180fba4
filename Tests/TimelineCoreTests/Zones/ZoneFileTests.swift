import Testing
import TimelineTestSupport

@testable import TimelineCore

@Suite struct `Zone files` {
  /// A compiled zone of version 2 or later whose first, 32-bit block is empty as `zic -b slim` makes it.
  static func file(
    version: Character = "2", times: [Int64] = [], types: [UInt8] = [],
    locals: [(offset: Int32, flag: UInt8, index: UInt8)] = [(0, 0, 0)], abbreviations: String = "LMT\0",
    leaps: UInt32 = 0, footer: String
  ) -> [UInt8] {
    func header(_ counts: [UInt32]) -> [UInt8] {
      Array("TZif\(version)".utf8) + Array(repeating: 0, count: 15) + counts.flatMap(bigEndian)
    }
    let data =
      times.flatMap(bigEndian) + types
      + locals.flatMap { bigEndian($0.offset) + [$0.flag, $0.index] } + Array(abbreviations.utf8)
    let counts = [0, 0, leaps, UInt32(times.count), UInt32(locals.count), UInt32(abbreviations.utf8.count)]
    return header([0, 0, 0, 0, 1, 1]) + Array(repeating: 0, count: 7) + header(counts) + data
      + Array("\n\(footer)\n".utf8)
  }

  static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  static func zone(rule: String) throws -> Zone { try Zone(name: "Test/Rule", tzif: file(footer: rule)) }

  /// Rules with the changes that they make in one year, by POSIX and RFC 8536 section 3.3.1.
  static let rules: [(rule: String, year: Int, changes: [(utc: String, offset: Int, abbreviation: String)])] =
    [
      (
        "CET-1CEST,M3.5.0,M10.5.0/3", 2026,
        [("2026-03-29T01:00:00Z", 7_200, "CEST"), ("2026-10-25T01:00:00Z", 3_600, "CET")]
      ),
      (
        "IST-1GMT0,M10.5.0,M3.5.0/1", 2026,
        [("2026-03-29T01:00:00Z", 3_600, "IST"), ("2026-10-25T01:00:00Z", 0, "GMT")]
      ),
      (
        "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026,
        [("2026-04-04T15:00:00Z", 37_800, "+1030"), ("2026-10-03T15:30:00Z", 39_600, "+11")]
      ),
      (
        "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1", 2026,
        [("2026-03-29T01:00:00Z", -7_200, "-02"), ("2026-10-25T01:00:00Z", -10_800, "-03")]
      ),
      (
        "EET-2EEST,M3.4.4/50,M10.4.4/50", 2026,
        [("2026-03-28T00:00:00Z", 10_800, "EEST"), ("2026-10-23T23:00:00Z", 7_200, "EET")]
      ),
      (
        "AAA0BBB,J60/0,J300/0", 2024,
        [("2024-03-01T00:00:00Z", 3_600, "BBB"), ("2024-10-26T23:00:00Z", 0, "AAA")]
      ),
      (
        "AAA0BBB,59/0,299/0", 2024,
        [("2024-02-29T00:00:00Z", 3_600, "BBB"), ("2024-10-25T23:00:00Z", 0, "AAA")]
      ),
      (
        "AAA0BBB,59/0,299/0", 2025,
        [("2025-03-01T00:00:00Z", 3_600, "BBB"), ("2025-10-26T23:00:00Z", 0, "AAA")]
      ),
      (
        "AAA-1:02:03BBB-3:04:05,M2.1.1/167:00:00,M6.5.6/-167", 2026,
        [("2026-02-08T21:57:57Z", 11_045, "BBB"), ("2026-06-19T21:55:55Z", 3_723, "AAA")]
      ),
    ]

  @Test(arguments: rules.indices)
  func `a rule changes clocks at the instants of POSIX`(index: Int) throws {
    let row = Self.rules[index]
    let zone = try Self.zone(rule: row.rule)
    var instant = try WallInstant(rfc3339: "\(row.year)-01-01T00:00:00Z")
    for change in row.changes {
      let next = try #require(zone.nextTransition(after: instant))
      #expect(next.description == change.utc)
      #expect(zone.offset(at: next) == change.offset)
      #expect(zone.abbreviation(at: next) == change.abbreviation)
      #expect(zone.previousTransition(atOrBefore: next) == next)
      instant = next
    }
    #expect(
      try #require(zone.nextTransition(after: instant))
        >= WallInstant(rfc3339: "\(row.year + 1)-01-01T00:00:00Z"))
  }

  @Test func `a rule that is daylight saving all year never changes`() throws {
    // XXX3EDT4,0/0,J365/23 and EST5EDT,0/0,J365/25 are RFC 9636's own examples of it.
    for rule in ["XXX3EDT4,0/0,J365/23", "EST5EDT,0/0,J365/25"] {
      let zone = try Self.zone(rule: rule)
      #expect(zone.nextTransition(after: try WallInstant(rfc3339: "1700-01-01T00:00:00Z")) == nil, "\(rule)")
      #expect(zone.offset(at: .epoch) == -14_400)
      #expect(zone.abbreviation(at: .max) == "EDT")
      #expect(zone.isDaylightSaving(at: .epoch))
    }
  }

  @Test func `a rule without a table holds from the first instant to the last`() throws {
    let zone = try Self.zone(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    #expect(zone.offset(at: try WallInstant(rfc3339: "1677-10-15T00:00:00Z")) == 7_200)
    #expect(zone.offset(at: .min) == 7_200)
    #expect(zone.offset(at: try WallInstant(rfc3339: "2261-12-15T00:00:00Z")) == 3_600)
    #expect(zone.offset(at: .max) == 7_200)
    #expect(zone.nextTransition(after: .max) == nil)
    #expect(zone.previousTransition(atOrBefore: .min) == nil)
    #expect(zone.previousTransition(atOrBefore: .max)?.description == "2262-03-30T01:00:00Z")
  }

  @Test func `an empty rule keeps the last local time`() throws {
    let bytes = Self.file(
      times: [-100, 100], types: [1, 0], locals: [(600, 0, 0), (-600, 1, 4)], abbreviations: "AAA\0BBB\0",
      footer: "")
    let zone = try Zone(name: "Test/Table", tzif: bytes)
    #expect(
      [-101, -100, 99, 100, 9_000_000_000].map { zone.offset(at: second($0)) } == [600, -600, -600, 600, 600])
    #expect(zone.abbreviation(at: .epoch) == "BBB")
    #expect(zone.isDaylightSaving(at: .epoch))
  }

  @Test func `transitions beyond the range of instants set the local time at its ends`() throws {
    let bytes = Self.file(
      times: [.min, -10_000_000_000, 0, 10_000_000_000, .max], types: [1, 2, 0, 1, 2],
      locals: [(1, 0, 0), (2, 0, 0), (3, 0, 0)], footer: "")
    let zone = try Zone(name: "Test/Range", tzif: bytes)
    #expect([WallInstant.min, .epoch, .max].map { zone.offset(at: $0) } == [3, 1, 1])
  }

  @Test(arguments: ["2", "3", "4"]) func `versions 2 to 4 are read alike`(version: Character) throws {
    let zone = try Zone(name: "Test/Version", tzif: Self.file(version: version, footer: "<+0330>-3:30"))
    #expect(zone.offset(at: .epoch) == 12_600)
    #expect(zone.abbreviation(at: .epoch) == "+0330")
  }

  @Test func `only the table of a version 1 file is read`() throws {
    let bytes = try ZoneFiles.bytes("Europe/Berlin")
    let second = try #require(
      bytes.indices.dropFirst(4).first { bytes[$0...].starts(with: Array("TZif".utf8)) })
    var old = Array(bytes[..<second])
    old[4] = 0
    let narrow = try Zone(name: "Europe/Berlin", tzif: old)
    let wide = try ZoneFiles.zone("Europe/Berlin")
    for seconds in stride(from: Int64(0), to: 2_145_916_800, by: 86_400 * 9 + 3_601) {
      #expect(
        narrow.offset(at: TimelineCoreTests.second(seconds))
          == wide.offset(at: TimelineCoreTests.second(seconds)))
    }
    #expect(narrow.nextTransition(after: try WallInstant(rfc3339: "2038-01-19T03:14:08Z")) == nil)
    #expect(wide.nextTransition(after: try WallInstant(rfc3339: "2038-01-19T03:14:08Z")) != nil)
  }

  @Test func `files that break a rule of the format are refused with a remedy`() throws {
    let good = try ZoneFiles.bytes("Europe/Berlin")
    func sentence(_ bytes: [UInt8], name: String = "A/B") -> String {
      do throws(ZoneError) {
        _ = try Zone(name: name, tzif: bytes)
        return "taken"
      } catch { return error.description }
    }
    let rows: [([UInt8], String)] = [
      ([], "is not a compiled zone (TZif)"),
      (Array("hello".utf8), "is not a compiled zone (TZif)"),
      (Array(good.prefix(20)), "the file ends too soon"),
      (Array(good.prefix(2_000)), "the file ends before its table does"),
      (Array(good.dropLast(28)), "the rule after the table is missing"),
      (Array(good.dropLast(1)), "has no end within 128 bytes"),
      (Self.file(version: "5", footer: ""), "is a version that is none of 1 to 4"),
      (Self.file(leaps: 1, footer: ""), "counts leap seconds"),
      (Self.file(locals: [], footer: ""), "the table has no local time"),
      (
        Self.file(times: [1, 1], types: [0, 0], footer: ""),
        "a transition is not later than the one before it"
      ),
      (Self.file(times: [1], types: [7], footer: ""), "a transition leads to a local time that is not there"),
      (Self.file(locals: [(100_000, 0, 0)], footer: ""), "an offset of 100000 seconds is more than a day"),
      (Self.file(locals: [(0, 2, 0)], footer: ""), "a daylight saving flag is neither 0 nor 1"),
      (Self.file(locals: [(0, 0, 9)], footer: ""), "an abbreviation has no end"),
      (Self.file(abbreviations: "\u{1B}[m\0", footer: ""), "has a character that is not ASCII"),
      (
        Self.file(times: Array(0..<2_001), types: Array(repeating: 0, count: 2_001), footer: ""),
        "2001 transitions, and at most 2000"
      ),
      (Array(repeating: 0, count: 200_000), "200000 bytes, and at most 131072"),
    ]
    for (bytes, expected) in rows {
      let text = sentence(bytes)
      #expect(text.contains(expected), "\(text)")
    }
    #expect(sentence(good, name: "../etc/shadow").contains("is not the name of a time zone"))
    #expect(sentence(good) == "taken")
  }

  @Test(arguments: [
    ("CET", 3), ("CET-", 3), ("CET-1CEST", 9), ("CET-1CEST,M3.5.0", 16), ("CET-1CEST,M3.6.0,M10.5.0", 10),
    ("CET-1CEST,M13.5.0,M10.5.0", 10), ("CET-1CEST,M3.5.7,M10.5.0", 10), ("CET-1CEST,J0,J9", 10),
    ("CET-1CEST,366,9", 10), ("CET-25", 3), ("CET-1CEST,M3.5.0/168,M10.5.0", 17), ("CET-1:60", 8),
    ("<CET-1", 0), ("<>1", 0), ("1", 0), ("CET-1CEST,M3.5.0,M10.5.0/3,", 26),
  ])
  func `invalid rules are refused with the place of the error`(rule: String, offset: Int) throws {
    let error = try #require(throws: ZoneError.self) { try Self.zone(rule: rule) }
    guard case .malformedRule(_, rule, offset, _) = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test(arguments: [
    ("Europe/Berlin", true), ("Etc/GMT+5", true), ("America/Argentina/San_Luis", true), ("UTC", true),
    ("", false),
    ("/etc/passwd", false), ("Europe/../../x", false), ("Europe//Berlin", false), ("Europe/", false),
    ("Europe Berlin", false), ("Zürich", false), (String(repeating: "a", count: 129), false),
  ])
  func `names that could lead out of the directory are not well formed`(name: String, isWellFormed: Bool) {
    #expect(Zone.isWellFormed(name: name) == isWellFormed)
  }

  @Test func `no damaged file makes the reader trap`() throws {
    let seed: UInt64 = 0x5EED_0005
    var generator = SeededGenerator(seed: seed)
    let originals =
      try ["Europe/Berlin", "Africa/Casablanca", "America/St_Johns", "Pacific/Apia", "Asia/Gaza", "UTC"]
      .map { try ZoneFiles.bytes($0) } + Self.rules.map { Self.file(footer: $0.rule) }
    var taken = 0
    for _ in 0..<4_000 {
      var bytes = originals.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        // Most of a file is numbers without a constraint, so half of the changes go to the headers and the rule.
        let third = Int.random(in: 0..<4, using: &generator)
        let range = third == 0 ? 0..<44 : third == 1 ? max(0, bytes.count - 40)..<bytes.count : bytes.indices
        let index = Int.random(in: range.clamped(to: bytes.indices), using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
        case 1: bytes[index] = UInt8(truncatingIfNeeded: generator.next())
        case 2: bytes.insert(UInt8(truncatingIfNeeded: generator.next()), at: index)
        case 3: bytes.remove(at: index)
        default: if Bool.random(using: &generator) { bytes.removeSubrange(index...) }
        }
        if bytes.isEmpty { bytes = [0] }
      }
      guard let zone = try? Zone(name: "Test/Damaged", tzif: bytes) else { continue }
      taken += 1
      Self.ask(zone, &generator, seed: seed)
    }
    print("seed \(seed): \(taken) of 4000 damaged zone files were still zones")
    #expect((200...3_800).contains(taken))
  }

  /// Calls everything of a zone of any shape, and checks the laws that need no second reader.
  static func ask(_ zone: Zone, _ generator: inout SeededGenerator, seed: UInt64) {
    let schedule = EveryMinuteSchedule(zone: zone)
    for instant in [.min, .max, WallInstant(nanosecondsSinceEpoch: generator.anyInt64())] {
      #expect(zone.nextTransition(after: instant).map { $0 > instant } ?? true, "seed \(seed)")
      #expect(zone.previousTransition(atOrBefore: instant).map { $0 <= instant } ?? true, "seed \(seed)")
      #expect(schedule.next(after: instant).map { $0 > instant } ?? true, "seed \(seed)")
      #expect(schedule.latest(atOrBefore: instant).map { $0 <= instant } ?? true, "seed \(seed)")
      switch zone.instants(of: zone.civil(at: instant)) {
      case .one(let found): #expect(found == instant, "seed \(seed)")
      case .fold(let first, let second): #expect(first < second, "seed \(seed)")
      case .gap, .outOfRange: Issue.record("\(instant) has no civil time, seed \(seed)")
      }
    }
  }
}
