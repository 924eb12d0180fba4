import Testing
import TimelineCore

@Suite struct `Civil times in zones` {
  static func civil(_ text: String) throws -> CivilDateTime {
    try CivilDateTime(WallInstant(rfc3339: text + "Z"), offset: 0)
  }

  static let rows: [(zone: String, civil: String, expected: [String])] = [
    ("Europe/Berlin", "2026-07-01T12:00:00", ["2026-07-01T10:00:00Z"]),
    ("Europe/Berlin", "2026-03-29T01:59:59.999999999", ["2026-03-29T00:59:59.999999999Z"]),
    (
      "Europe/Berlin", "2026-03-29T02:00:00",
      ["gap", "2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z", "2026-03-29T00:00:00Z"]
    ),
    (
      "Europe/Berlin", "2026-03-29T02:30:00",
      ["gap", "2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", "2026-03-29T00:30:00Z"]
    ),
    ("Europe/Berlin", "2026-03-29T03:00:00", ["2026-03-29T01:00:00Z"]),
    ("Europe/Berlin", "2026-10-25T01:59:59", ["2026-10-24T23:59:59Z"]),
    ("Europe/Berlin", "2026-10-25T02:00:00", ["2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"]),
    ("Europe/Berlin", "2026-10-25T02:59:59.5", ["2026-10-25T00:59:59.5Z", "2026-10-25T01:59:59.5Z"]),
    ("Europe/Berlin", "2026-10-25T03:00:00", ["2026-10-25T02:00:00Z"]),
    ("Europe/Dublin", "2026-10-25T01:30:00", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]),
    (
      "Australia/Lord_Howe", "2026-10-04T02:15:00",
      ["gap", "2026-10-03T15:30:00Z", "2026-10-03T15:45:00Z", "2026-10-03T15:15:00Z"]
    ),
    ("Australia/Lord_Howe", "2026-04-05T01:45:00", ["2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"]),
    (
      "America/Sao_Paulo", "2018-11-04T00:00:00",
      ["gap", "2018-11-04T03:00:00Z", "2018-11-04T03:00:00Z", "2018-11-04T02:00:00Z"]
    ),
    (
      "Africa/Cairo", "2026-04-24T00:00:00",
      ["gap", "2026-04-23T22:00:00Z", "2026-04-23T22:00:00Z", "2026-04-23T21:00:00Z"]
    ),
    (
      "Pacific/Apia", "2011-12-30T12:00:00",
      ["gap", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z", "2011-12-29T22:00:00Z"]
    ),
    ("America/St_Johns", "2006-10-29T00:00:30", ["2006-10-29T02:30:30Z", "2006-10-29T03:30:30Z"]),
    ("UTC", "2262-04-11T23:47:16.854775807", ["2262-04-11T23:47:16.854775807Z"]),
    ("UTC", "1677-09-21T00:12:43.145224192", ["1677-09-21T00:12:43.145224192Z"]),
    ("UTC", "2262-04-11T00:00:00", ["2262-04-11T00:00:00Z"]),
  ]

  static func text(_ resolution: CivilResolution) -> [String] {
    switch resolution {
    case .one(let instant): ["\(instant)"]
    case .fold(let first, let second): ["\(first)", "\(second)"]
    case .gap(let transition, let later, let earlier): ["gap", "\(transition)", "\(later)", "\(earlier)"]
    case .outOfRange: ["out of range"]
    }
  }

  @Test(arguments: rows)
  func `a civil time is one instant, none or two`(row: (zone: String, civil: String, expected: [String]))
    throws
  {
    let zone = try ZoneFiles.zone(row.zone)
    #expect(try Self.text(zone.instants(of: Self.civil(row.civil))) == row.expected)
  }

  @Test func `times outside the range are reported as such`() throws {
    for (year, zone) in [(1_677, Zone.utc), (9_999, try ZoneFiles.zone("Europe/Berlin")), (0, .utc)] {
      let date = try #require(CivilDate(year: year, month: 1, day: 1))
      #expect(zone.instants(of: CivilDateTime(date: date, time: .midnight)) == .outOfRange)
    }
  }

  /// A brute-force reader: tries every offset that the zone ever has.
  static func byTrial(_ civil: CivilDateTime, in zone: Zone, offsets: Set<Int>) -> [WallInstant] {
    offsets.compactMap { civil.instant(offset: $0) }.filter { zone.civil(at: $0) == civil }.sorted()
  }

  @Test(arguments: ZoneFiles.odd) func `around every change the answer agrees with a trial of every offset`(
    name: String
  ) throws {
    let zone = try ZoneFiles.zone(name)
    let (start, end) = try (
      WallInstant(rfc3339: "1880-01-01T00:00:00Z"), WallInstant(rfc3339: "2050-01-01T00:00:00Z")
    )
    var transitions: [WallInstant] = []
    var transition = zone.nextTransition(after: start)
    while let found = transition, found < end {
      transitions.append(found)
      transition = zone.nextTransition(after: found)
    }
    let offsets = Set((transitions + [start]).map { zone.offset(at: $0) })
    for transition in transitions {
      for minutes in stride(from: Int64(-95), through: 95, by: 19) {
        let civil = CivilDateTime(
          transition + .minutes(minutes),
          offset: zone.offset(at: transition + .nanoseconds(minutes < 0 ? -1 : 0)))
        let expected = Self.byTrial(civil, in: zone, offsets: offsets)
        switch zone.instants(of: civil) {
        case .one(let instant): #expect(expected == [instant], "\(name) \(civil)")
        case .fold(let first, let second): #expect(expected == [first, second], "\(name) \(civil)")
        case .gap(let change, let later, let earlier):
          #expect(expected.isEmpty, "\(name) \(civil)")
          #expect(transitions.contains(change) && earlier < change && change <= later, "\(name) \(civil)")
        case .outOfRange: Issue.record("\(name) \(civil)")
        }
      }
    }
  }

  @Test func `instants print in local time`() throws {
    let berlin = try ZoneFiles.zone("Europe/Berlin")
    #expect(try WallInstant(rfc3339: "2026-03-29T01:30:00Z").text(in: berlin) == "2026-03-29 03:30:00 CEST")
    #expect(
      try WallInstant(rfc3339: "2026-03-29T00:59:59.5Z").text(in: berlin) == "2026-03-29 01:59:59.500 CET")
    #expect(
      try WallInstant(rfc3339: "2026-03-29T00:59:59.990060431Z").text(in: berlin)
        == "2026-03-29 01:59:59.990 CET")
    #expect(
      try WallInstant(rfc3339: "2026-03-29T00:59:59.000000431Z").text(in: berlin) == "2026-03-29 01:59:59 CET"
    )
    #expect(WallInstant.epoch.text(in: .utc) == "1970-01-01 00:00:00 UTC")
  }

  @Test func `zones are equal when their rules are`() throws {
    let berlin = try ZoneFiles.zone("Europe/Berlin")
    let bytes = try ZoneFiles.bytes("Europe/Paris")
    #expect(try berlin == ZoneFiles.zone("Europe/Berlin"))
    #expect(try Set([berlin, ZoneFiles.zone("Europe/Berlin")]).count == 1)
    #expect(try berlin != Zone(name: "Europe/Berlin", tzif: bytes))
    #expect(try berlin != Zone(name: "Europe/Other", tzif: ZoneFiles.bytes("Europe/Berlin")))
  }
}
