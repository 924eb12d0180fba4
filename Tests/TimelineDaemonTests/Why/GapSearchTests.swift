import Testing
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

@testable import TimelineDaemon

@Suite struct `A search for gaps` {
  private static let job = JobName("report")

  private static func at(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

  private static func record(
    _ seconds: Int64, _ outcome: Outcome?, since first: Int64? = nil
  ) throws -> LedgerEntry {
    let job = try #require(job)
    let count = first.map { Int(seconds - $0) / 10 + 1 } ?? 1
    return LedgerEntry(
      record: EntryRecord(
        entry: EntryKey(job: job, nominal: at(seconds)), outcome: outcome ?? .unknown,
        endedAt: at(seconds + 1), entryCount: count, firstNominal: first.map(at)),
      isOpen: outcome == nil)
  }

  private static func search(_ records: [LedgerEntry], from: Int64 = 0, until: Int64 = 100) throws
    -> GapSearch
  {
    GapSearch(
      schedule: .periodic(try PeriodicSchedule(from: .epoch, by: .seconds(10))), from: at(from),
      until: at(until), records: records)
  }

  /// The first and the last second of each gap, with its number of entries.
  private static func spans(_ result: GapSearch.Result) -> [[Int64]] {
    result.gaps.map { gap in
      let (first, last) = (gap.record.firstNominal, gap.record.entry.nominal)
      return [first, last].map { $0.nanosecondsSinceEpoch / 1_000_000_000 } + [Int64(gap.record.entryCount)]
    }
  }

  @Test func `lists entries with an outcome and no success, and counts those without a record`() throws {
    let search = try Self.search([
      Self.record(0, .succeeded), Self.record(10, .failed), Self.record(20, .missed), Self.record(50, nil),
    ])
    let result = search.run(limit: 10)
    #expect(Self.spans(result) == [[10, 10, 1], [20, 20, 1]])
    #expect(result.unknownCount == 6 && result.end == nil)
  }

  @Test func `leaves out entries with a rerun that has succeeded, and those that are to be decided`() throws {
    var search = try Self.search([
      Self.record(10, .failed), Self.record(20, .failed), Self.record(30, .failed),
    ])
    search.repetitions = [Self.at(20): .succeeded, Self.at(40): .succeeded]
    search.active = [Self.at(30), Self.at(50)]
    search.undecidedSince = [Self.at(70)]
    search.movedAway = [Self.at(60)]
    let result = search.run(limit: 10)
    #expect(Self.spans(result) == [[10, 10, 1]] && result.unknownCount == 1, "only the one at 0 s")
  }

  @Test func `makes one line of the entries of a record, within the stretch and around a rerun`() throws {
    var search = try Self.search([Self.record(150, .missed, since: 10)], from: 30, until: 90)
    search.repetitions = [Self.at(60): .succeeded]
    let result = search.run(limit: 10)
    #expect(Self.spans(result) == [[30, 50, 3], [70, 80, 2]] && result.unknownCount == 0)
  }

  @Test func `ends before the first line too many, and goes on from there`() throws {
    let records =
      try [10, 20, 30].map { try Self.record($0, .failed) } + [Self.record(90, .missed, since: 40)]
    let first = try Self.search(records).run(limit: 2)
    #expect(Self.spans(first) == [[10, 10, 1], [20, 20, 1]] && first.end == Self.at(30))
    let rest = try Self.search(records, from: 30).run(limit: 2)
    #expect(Self.spans(rest) == [[30, 30, 1], [40, 90, 6]] && rest.end == nil)
  }

  @Test func `of a backfill has the outcomes that were named, by the last repetition of each entry`() throws {
    var search = try Self.search([
      Self.record(10, .failed), Self.record(20, .unknown), Self.record(30, .failed),
      Self.record(40, .succeeded),
      Self.record(50, .failed),
    ])
    search.repetitions = [
      Self.at(10): .unknown, Self.at(50): .succeeded, Self.at(60): .failed, Self.at(70): .unknown,
    ]
    let found = search.repeatable([.failed], includingUnrecorded: false)
    #expect(
      found.entries == [30, 60].map(Self.at) && found.unrecordedCount == 3, "0, 80 and 90 s have no record")
    #expect(
      search.repeatable([.unknown], includingUnrecorded: true).entries
        == [0, 10, 20, 70, 80, 90].map(Self.at),
      "an entry that was repeated is known")
    #expect(search.repeatable([], includingUnrecorded: false).entries.isEmpty)
  }

  @Test func `passes over a bounded number of entries at once`() throws {
    let result = try Self.search([], until: 1_000_000).run(limit: 10)
    #expect(result.unknownCount == ControlLimits.gapEntriesMax)
    #expect(result.end == Self.at(Int64(ControlLimits.gapEntriesMax) * 10))
  }
}
