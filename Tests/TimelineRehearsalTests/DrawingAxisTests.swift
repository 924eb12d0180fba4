import Testing
import TimelineCore
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `The axis of a drawing` {
  /// An axis of 900 columns.
  private func axis(_ from: String, _ until: String, _ zoneName: String) throws -> DrawingAxis {
    DrawingAxis(
      DrawingScale(
        from: try WallInstant(rfc3339: from), until: try WallInstant(rfc3339: until), columns: 900),
      in: try zone(zoneName))
  }

  /// Ticks and contexts as `label@pixel`.
  private func text(_ ticks: [DrawingAxis.Tick]) -> String {
    ticks.map { "\($0.label)@\($0.x / 10)" }.joined(separator: " ")
  }

  @Test(arguments: [
    (
      "2026-11-21T10:00:03Z", "2026-11-21T10:00:11Z", "UTC",
      "10:00:03@0 10:00:04@112 10:00:05@225 10:00:06@337 10:00:07@450 10:00:08@562 10:00:09@675 10:00:10@787",
      "Sat 21 Nov 2026@0"
    ),
    (
      "2026-11-21T22:00:00Z", "2026-11-22T02:00:00Z", "UTC",
      "22:00@0 22:15@56 22:30@112 22:45@168 23:00@225 23:15@281 23:30@337 23:45@393 00:00@450 00:15@506 00:30@562 "
        + "00:45@618 01:00@675 01:15@731 01:30@787 01:45@843",
      "Sat 21 Nov 2026@0 Sun 22 Nov 2026@450"
    ),
    (
      "2026-11-25T00:00:00Z", "2026-12-09T00:00:00Z", "UTC",
      "Wed 25@0 Thu 26@64 Fri 27@128 Sat 28@192 Sun 29@257 Mon 30@321 Tue 1@385 Wed 2@450 Thu 3@514 Fri 4@578 "
        + "Sat 5@642 Sun 6@707 Mon 7@771 Tue 8@835",
      "Nov 2026@0 Dec 2026@385"
    ),
    (
      "2026-11-15T00:00:00Z", "2027-11-15T00:00:00Z", "UTC",
      "Dec@39 Jan@115 Feb@192 Mar@261 Apr@337 May@411 Jun@488 Jul@562 Aug@638 Sep@715 Oct@789 Nov@865",
      "2026@0 2027@115"
    ),
    (
      "2026-01-01T00:00:00Z", "2056-01-01T00:00:00Z", "UTC",
      "2026@0 2028@59 2030@120 2032@179 2034@240 2036@299 2038@360 2040@419 2042@480 2044@539 2046@600 2048@659 "
        + "2050@720 2052@779 2054@840",
      ""
    ),
    // Clocks skip 02:00 to 03:00: the hour has no ticks.
    (
      "2027-03-27T23:30:00Z", "2027-03-28T03:30:00Z", "Europe/Berlin",
      "00:30@0 00:45@56 01:00@112 01:15@168 01:30@225 01:45@281 03:00@337 03:15@393 03:30@450 03:45@506 04:00@562 "
        + "04:15@618 04:30@675 04:45@731 05:00@787 05:15@843",
      "Sun 28 Mar 2027@0"
    ),
    // Clocks show 02:00 to 03:00 twice: so does the axis.
    (
      "2027-10-30T23:00:00Z", "2027-10-31T03:00:00Z", "Europe/Berlin",
      "01:00@0 01:15@56 01:30@112 01:45@168 02:00@225 02:15@281 02:30@337 02:45@393 02:00@450 02:15@506 02:30@562 "
        + "02:45@618 03:00@675 03:15@731 03:30@787 03:45@843",
      "Sun 31 Oct 2027@0"
    ),
    // The window ends in the repeated hour.
    (
      "2027-10-30T23:00:00Z", "2027-10-31T01:10:00Z", "Europe/Berlin",
      "01:00@0 01:10@69 01:20@138 01:30@207 01:40@276 01:50@346 02:00@415 02:10@484 02:20@553 02:30@623 02:40@692 "
        + "02:50@761 02:00@830",
      "Sun 31 Oct 2027@0"
    ),
    // The window begins in the first of the two hours.
    (
      "2027-10-31T00:30:00Z", "2027-10-31T02:30:00Z", "Europe/Berlin",
      "02:30@0 02:40@75 02:50@150 02:00@225 02:10@300 02:20@375 02:30@450 02:40@525 02:50@600 03:00@675 03:10@750 "
        + "03:20@825",
      "Sun 31 Oct 2027@0"
    ),
    // Clocks skip midnight in Beirut: the day begins at the change.
    (
      "2027-03-25T00:00:00Z", "2027-03-31T00:00:00Z", "Asia/Beirut",
      "12:00@62 00:00@137 12:00@212 00:00@287 12:00@362 12:00@506 00:00@581 12:00@656 00:00@731 12:00@806 00:00@881",
      "Thu 25 Mar 2027@0 Fri 26 Mar 2027@137 Sat 27 Mar 2027@287 Sun 28 Mar 2027@437 Mon 29 Mar 2027@581 "
        + "Tue 30 Mar 2027@731 Wed 31 Mar 2027@881"
    ),
  ])
  func `has round ticks in the zone of the display`(
    from: String, until: String, zone: String, ticks: String, contexts: String
  ) throws {
    let axis = try axis(from, until, zone)
    #expect(text(axis.ticks) == ticks)
    #expect(text(axis.contexts) == contexts)
  }

  @Test(arguments: [
    ("2027-03-22T00:00:00Z", "2027-04-05T00:00:00Z", "Europe/Berlin", ["CET → CEST, +1h@388"]),
    (
      "2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z", "Europe/Berlin",
      ["CET → CEST, +1h@212", "CEST → CET, −1h@747"]
    ),
    ("2027-04-03T00:00:00Z", "2027-04-05T00:00:00Z", "Australia/Lord_Howe", ["+11 → +1030, −30m@281"]),
    ("2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z", "UTC", []),
    ("2027-01-01T00:00:00Z", "2047-01-01T00:00:00Z", "Europe/Berlin", []),
  ])
  func `marks clock changes, unless they are too many`(
    from: String, until: String, zone: String, changes: [String]
  ) throws {
    #expect(try axis(from, until, zone).clockChanges.map { "\($0.label)@\($0.x / 10)" } == changes)
  }

  @Test(arguments: [
    ("2026-11-18T00:00:00Z", "2026-12-02T00:00:00Z", [[192, 321], [642, 771]]),
    ("2026-11-21T00:00:00Z", "2026-11-23T00:00:00Z", [[0, 900]]),
    ("2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z", [[0, 450]]),
    ("2026-11-01T00:00:00Z", "2027-11-01T00:00:00Z", []),
  ])
  func `shades weekends if days are wide enough`(from: String, until: String, spans: [[Int]]) throws {
    #expect(try axis(from, until, "UTC").weekends.map { [$0.start / 10, $0.end / 10] } == spans)
  }

  @Test func `positions lie within the drawing, also at the ends of time`() {
    let scale = DrawingScale(from: .min, until: .max, columns: 900)
    let ends: [WallInstant] = [.min, .epoch, .max]
    #expect(ends.map { scale.x($0) } == [0, 4_500, 9_000])
    #expect(ends.map { scale.column($0) } == [0, 450, 899])
    #expect(scale.start(ofColumn: 900) == .max)
    let axis = DrawingAxis(scale, in: .utc)
    let years = stride(from: 1_700, through: 2_250, by: 50).map { "\($0)" }
    #expect(axis.ticks.map(\.label) == years)
    let second = DrawingScale(from: t(10), until: t(11), columns: 900)
    #expect([second.x(t(9)), second.x(t(12)), second.column(t(12))] == [0, 9_000, 899])
  }
}
