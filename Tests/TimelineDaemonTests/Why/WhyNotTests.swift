import Testing
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

@testable import TimelineDaemon

// Entries that waited, were jumped over or have no record.
extension `Why, as a table` {
  @Test func `the run that was in the way is named, whether it is still active or not`() throws {
    let run = try Self.entry(
      "2026-11-21T02:00:00Z", .succeeded, run: 7, started: "2026-11-21T02:00:00Z",
      ended: "2026-11-21T04:30:00Z")
    let early = try Self.entry(
      "2026-11-21T01:00:00Z", .succeeded, run: 6, started: "2026-11-21T01:00:00Z",
      ended: "2026-11-21T01:30:00Z")
    let dropped = try Self.entry(
      "2026-11-21T03:00:00Z", .overlapped, reason: "the previous run was still running")
    var reply = try ask("03:00", [early, run, dropped])
    #expect(reply.record?.outcome == "overlapped" && reply.underWay.map(\.run) == [7])
    #expect(
      detail("in the way", of: reply)
        == "run 7 for the entry 02:00:00, started 02:00:00.000, ended 04:30:00.000 (succeeded)")
    #expect(detail("policy", of: reply)?.hasPrefix("overlap = \"skip\": ") == true)

    let open = try Self.entry("2026-11-21T02:00:00Z", nil, run: 7, started: "2026-11-21T02:00:00Z")
    reply = try ask("03:00", [open, dropped])
    #expect(detail("in the way", of: reply)?.hasSuffix("still running") == true)
  }

  @Test func `the run that was in the way of very many entries is named for the last of them too`() throws {
    let start = Self.instant("2026-11-16T00:00:00Z")
    let attempt = Attempt(
      run: RunID(number: 7), entry: EntryKey(job: try #require(Self.job), nominal: start), cause: .schedule,
      startedAt: start)
    let dropped = try (1...120 as ClosedRange<Int64>).map { hour in
      try Self.entry((start + .hours(hour)).description, .overlapped)
    }
    let open = try Self.entry(start.description, nil, run: 7, started: start.description)
    let run = ActiveRun(attempt)
    for (entries, runs) in [([open], []), ([], [run]), ([open], [run])] {
      let reply = try ask((start + .hours(120)).description, entries + dropped, runs: runs)
      #expect(reply.record?.outcome == "overlapped" && reply.underWay.map(\.run) == [7])
      #expect(detail("in the way", of: reply)?.hasSuffix("still running") == true)
    }
    let before = try Self.entry("2026-11-15T12:00:00Z", .overlapped)
    #expect(try ask("2026-11-15T12:00:00Z", [before], runs: [run]).underWay.isEmpty, "it had not begun")
  }

  @Test func `the run that a late run waited for is named`() throws {
    let long = try Self.entry(
      "2026-11-21T02:00:00Z", .succeeded, run: 7, started: "2026-11-21T02:00:00Z",
      ended: "2026-11-21T03:04:00Z")
    let late = try Self.entry(
      "2026-11-21T03:00:00Z", .succeeded, run: 8, started: "2026-11-21T03:04:00Z",
      ended: "2026-11-21T03:05:00Z")
    let reply = try ask("03:00", [long, late])
    #expect(detail("started", of: reply) == "03:04:00.000, 4m late")
    #expect(
      detail("waited for", of: reply)
        == "run 7 for the entry 02:00:00, started 02:00:00.000, ended 03:04:00.000 (succeeded)")
    #expect(try ask("02:00", [long, late]).underWay.isEmpty)
  }

  @Test func `for a job without an active run the runs that fill its groups are named`() throws {
    let other = try #require(JobName("backup"))
    let key = EntryKey(job: other, nominal: Self.instant("2026-11-21T11:00:00Z"))
    let run = ActiveRun(
      Attempt(
        run: RunID(number: 5), entry: key, cause: .schedule, startedAt: Self.instant("2026-11-21T11:00:00Z")))
    let reply = try ask("12:00", waiting: ["2026-11-21T12:00:00Z"]) { $0.groupMates = [other: [run]] }
    #expect(reply.verdict == "waiting" && reply.underWay.map(\.job) == ["backup"])
    #expect(
      detail("runs now", of: reply)
        == "run 5 of backup for the entry 11:00:00, started 11:00:00.000, still running")
  }

  @Test func `a record for several entries answers for each of them`() throws {
    let missed = try Self.entry(
      "2026-11-21T05:00:00Z", .missed, first: "2026-11-21T01:00:00Z", count: 5,
      reason: "a later entry had passed too",
      ended: "2026-11-21T06:30:00Z")
    for moment in ["01:00", "03:00", "05:00"] {
      let reply = try ask(moment, [missed], startedAt: "2026-11-21T06:30:00Z")
      #expect(reply.verdict == "settled" && reply.record?.entryCount == 5, "\(moment)")
      #expect(reply.headline.hasPrefix("report at 2026-11-21 \(moment):00 UTC: missed. "))
      #expect(
        detail("entry", of: reply)?.hasSuffix("one of 5 that ended so together, 01:00:00 to 05:00:00") == true
      )
      #expect(detail("downtime", of: reply) == "timelined was not there; it was started at 06:30:00.000")
      #expect(
        detail("policy", of: reply) == "missed = \"latest\": one run for the latest of the missed entries")
      #expect(reply.before?.entry == Timestamp(Self.instant("2026-11-21T00:00:00Z")))
      #expect(reply.after?.entry == Timestamp(Self.instant("2026-11-21T06:00:00Z")))
    }
    #expect(try ask("02:30", [missed]).verdict == "none", "between two entries there is none")
  }

  /// A question, facts about pauses and waits, the verdict, and a part of the answer.
  static let rows: [(moment: String, paused: String?, waiting: String?, verdict: String, part: String)] = [
    ("now", nil, nil, "unrecorded", "no record"),
    ("12:00", nil, "2026-11-21T12:00:00Z", "waiting", "waits for its turn"),
    ("11:59", nil, nil, "none", "has no entry at 2026-11-21 11:59:00 UTC."),
    ("today 13:00", nil, nil, "planned", "It falls due in 1h."),
    ("today 13:00", "2026-11-21T11:30:00Z", nil, "planned", "the entry is held"),
    ("12:00", "2026-11-21T11:30:00Z", nil, "held", "is decided when it is resumed"),
    ("11:00", "2026-11-21T11:30:00Z", nil, "unrecorded", "the ledger has nothing of it"),
    ("in 30m", nil, nil, "none", "has no entry at 2026-11-21 12:30:00 UTC."),
    ("13:00:00.5", nil, nil, "none", "has no entry at 2026-11-20 13:00:00.500 UTC."),
    ("11:00", nil, "2026-11-21T12:00:00Z", "unrecorded", "no record"),
    ("11:00", "2026-11-21T11:30:00Z", "2026-11-21T11:00:00Z", "held", "held"),
  ]

  @Test(arguments: rows)
  func `an entry without a record is explained by the schedule`(
    moment: String, paused: String?, waiting: String?, verdict: String, part: String
  ) throws {
    let reply = try ask(moment, pausedSince: paused, waiting: [waiting].compactMap { $0 })
    #expect(reply.verdict == verdict)
    #expect(reply.headline.contains(part), "\(reply.headline)")
    #expect((reply.entry == nil) == (verdict == "none"))
    #expect(reply.before != nil && reply.after != nil)
    #expect((detail("paused", of: reply) != nil) == (paused != nil))
  }

  @Test func `a job without an entry yet is reported as such, with its next entry`() throws {
    let next = Self.instant("2026-11-21T13:00:00Z")
    let schedule = ScheduleRule.explicit(try ExplicitSchedule([next]))
    let byHand = try Self.entry("2026-11-21T10:17:03Z", .succeeded, cause: .trigger, run: 8)
    let rows: [(moment: String, entries: [LedgerEntry], next: WallInstant?, headline: String)] = [
      ("now", [], next, "report has had no entry yet; the next is at 2026-11-21 13:00:00 UTC."),
      ("now", [], nil, "report has had no entry yet."),
      ("now", [byHand], next, "report has no entry at 2026-11-21 12:00:00 UTC."),
      ("11:00", [], next, "report has no entry at 2026-11-21 11:00:00 UTC."),
    ]
    for row in rows {
      let reply = try ask(row.moment, row.entries) {
        ($0.schedule, $0.next) = (schedule, row.next)
      }
      #expect(reply.headline == row.headline && reply.verdict == "none", "\(row)")
    }
  }

  /// After the clock was set back: what is asked, what waits, and what there is when all through 14:00 is decided.
  @Test(arguments: [
    ("today 13:00", nil, "silent"), ("today 14:00", nil, "silent"), ("today 15:00", nil, "planned"),
    ("today 13:00", "2026-11-21T13:00:00Z", "waiting"),
  ])
  func `an instant that the clock showed before it was set back is not called planned`(
    moment: String, waiting: String?, verdict: String
  ) throws {
    let reply = try ask(moment, waiting: [waiting].compactMap { $0 }) {
      $0.settledThrough = Self.instant("2026-11-21T14:00:00Z")
      $0.next = Self.instant("2026-11-21T15:00:00Z")
    }
    #expect(reply.verdict == verdict)
    guard verdict == "silent" else { return }
    #expect(reply.headline.contains("every entry through 2026-11-21 14:00:00 UTC is decided"))
    #expect(detail("next", of: reply) == "2026-11-21 15:00:00 UTC")
  }

  /// An entry at 05:00 that was missed, by a daemon that was started at 06:30 and by one before it.
  @Test(arguments: [("2026-11-21T04:00:00Z", true), ("2026-11-21T05:00:00Z", false)])
  func `a downtime is not blamed for an entry that was decided before`(decided: String, isBlamed: Bool) throws
  {
    let missed = try Self.entry("2026-11-21T05:00:00Z", .missed, ended: "2026-11-21T07:00:00Z")
    let reply = try ask("05:00", [missed], startedAt: "2026-11-21T06:30:00Z") {
      $0.decidedAtStart = Self.instant(decided)
    }
    #expect((detail("downtime", of: reply) != nil) == isBlamed)
  }

  @Test func `a claimed entry is still to come`() throws {
    let claimed = try Self.entry("2026-11-21T13:00:00Z", nil, claimed: "2026-11-21T11:59:50Z")
    let reply = try ask("today 13:00", [claimed])
    #expect(reply.verdict == "planned" && reply.record == nil)
    #expect(detail("claim", of: reply) == "on disk 1h10s ahead")
  }
}
