import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

@Suite struct `Waiting entries and incidents in a ledger` {
  let fixture: Fixture

  init() throws { fixture = try Fixture() }

  @Test func `an incident is kept unchanged until it has ended`() throws {
    let record = EntryRecord(
      entry: fixture.key(15), cause: .trigger, outcome: .timedOut, reason: "too slow", run: RunID(number: 4),
      startedAt: fixture.at(16), endedAt: fixture.at(17), attempts: 2)
    let job = record.entry.job
    let plain = IncidentNote(
      job: job, kind: .failure, policy: IncidentPolicy(after: 3),
      incident: Incident(count: 2, since: fixture.at(3), last: record))
    let whole = IncidentNote(
      job: job, kind: .missed,
      policy: IncidentPolicy(after: 2, within: .hours(1), remind: .milliseconds(90_500)),
      incident: Incident(
        count: 7, since: fixture.at(3), toldAt: fixture.at(9), recent: [fixture.at(8), fixture.at(17)],
        last: record))
    var waits = EntryRecord(
      entry: fixture.key(15), outcome: .unknown, reason: "late", endedAt: fixture.at(20))
    waits.stage = .waiting
    let late = IncidentNote(
      job: job, kind: .late, policy: IncidentPolicy(),
      incident: Incident(count: 1, since: fixture.at(20), toldAt: fixture.at(20), last: waits))
    var over = plain
    over.incident = nil
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      for (notes, kept) in [
        ([plain, whole, late], [plain, late, whole]), ([plain], [plain, late, whole]),
        ([over], [late, whole]),
      ] {
        let ledger = try fixture.ledger(path)
        ledger.note(notes)
        try ledger.commit()
        try ledger.close()
        let next = try fixture.ledger(path)
        #expect(try next.recall(at: fixture.at(100)).incidents == kept)
        try next.close()
      }
    }
  }

  /// End of a daemon, and whether the machine loses power, too.
  enum End: CaseIterable { case crash, stop, stopAndLossOfPower }

  @Test(arguments: End.allCases)
  func `an entry that waits is open with its cause, and was not started`(_ end: End) throws {
    var upstream = EntryRecord(
      entry: fixture.key(15, of: fixture.sampler), cause: .missed, outcome: .failed, reason: "no room",
      run: RunID(number: 4), startedAt: fixture.at(16), endedAt: fixture.at(17), attempts: 2, entryCount: 3,
      firstNominal: fixture.at(11))
    upstream.incident = IncidentReport(kind: .failure, phase: .reminder, count: 5, since: fixture.at(2))
    var begun = EntryRecord(
      entry: fixture.key(15, of: fixture.sampler), outcome: .unknown, run: RunID(number: 4),
      startedAt: fixture.at(16), endedAt: fixture.at(17), attempts: 1)
    begun.stage = .running
    let waiting = [
      WaitingEntry(entry: fixture.key(20), cause: .schedule),
      WaitingEntry(entry: fixture.key(21), cause: .trigger),
      WaitingEntry(entry: fixture.key(22, of: fixture.mail), cause: .reaction, upstream: upstream),
      WaitingEntry(entry: fixture.key(23, of: fixture.sampler), cause: .trigger),
      WaitingEntry(entry: fixture.key(24, of: fixture.mail), cause: .reaction, upstream: begun),
      WaitingEntry(entry: fixture.key(30), cause: .missed, isAskedFor: true),
    ]
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        _ = try ledger.claim([fixture.key(20), fixture.key(40)], at: fixture.at(10))
        for entry in waiting { ledger.wait(entry, at: fixture.at(20)) }
        try ledger.syncClaims(at: fixture.at(23))
        try ledger.commit()
        if end != .crash { try ledger.close() }
      }
      for _ in 1...2 {
        let next = try fixture.ledger(path, boot: end == .stopAndLossOfPower ? "other" : "this")
        let open = try next.recall(at: fixture.at(100)).open
        #expect(open.map(\.entry) == waiting.map(\.entry))
        #expect(open.allSatisfy { $0.hasWaited && $0.attempts == 0 })
        #expect(open.map(\.cause) == waiting.map(\.cause))
        #expect(open.map(\.isAskedFor) == waiting.map(\.isAskedFor))
        #expect(open.map(\.upstream) == waiting.map(\.upstream))
        // The next daemon reads it again if this one dies at once.
        try next.commit()
      }
      let last = try fixture.ledger(path)
      _ = try last.recall(at: fixture.at(100))
      for (number, entry) in waiting.enumerated() {
        var attempt = fixture.attempt(entry.entry, run: UInt64(number + 10), cause: entry.cause)
        attempt.upstream = entry.upstream
        last.start(attempt)
        var record = fixture.end(entry.entry, run: UInt64(number + 10))
        record.cause = entry.cause
        last.settle(record)
      }
      try last.close()
      let after = try fixture.ledger(path)
      #expect(try after.recall(at: fixture.at(200)).open.isEmpty)
      #expect(
        try UpstreamRow.read(from: after.database).isEmpty, "what a reaction was about goes with its end")
    }
  }

  @Test func `a waiting trigger is not settled by a record of the entries around it`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        ledger.wait(WaitingEntry(entry: fixture.key(25), cause: .trigger), at: fixture.at(25))
        ledger.wait(WaitingEntry(entry: fixture.key(30), cause: .schedule), at: fixture.at(30))
        var missed = fixture.end(fixture.key(40), .missed)
        (missed.entryCount, missed.firstNominal) = (3, fixture.at(20))
        ledger.settle(missed)
        try ledger.close()
      }
      let open = try fixture.ledger(path).recall(at: fixture.at(100)).open
      #expect(open.map(\.entry) == [fixture.key(25)])
    }
  }

  @Test func `the time of the next attempt is kept until the attempt is started`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let first = fixture.attempt(fixture.key(20), run: 7)
      func open(_ body: (Ledger) throws -> Void) throws -> OpenRun? {
        let ledger = try fixture.ledger(path)
        _ = try ledger.recall(at: fixture.at(100))
        try body(ledger)
        try ledger.commit()
        return try ledger.recall(at: fixture.at(100)).open.first
      }
      let outcome = AttemptResult(status: .failed, isWorthRetrying: true, message: "the disk is away")
      let backingOff = try open { ledger in
        ledger.start(first)
        ledger.end(first.run, outcome, at: fixture.at(21))
        ledger.retry(first.entry, at: fixture.at(60))
      }
      #expect(backingOff?.retryAt == fixture.at(60) && backingOff?.message == "the disk is away")
      #expect(backingOff?.attempts == 1 && backingOff?.run == first.run)
      // The logged first start comes too late.
      let stale = try open { try $0.recover([first]) }
      #expect(stale?.retryAt == fixture.at(60))
      let second = fixture.attempt(fixture.key(20), run: 7, number: 2, at: fixture.at(60))
      let started = try open { try $0.recover([second]) }
      #expect(started?.retryAt == nil && started?.attempts == 2)
      let late = try open { try $0.recover([first]) }
      #expect(late?.attempts == 2)
    }
  }

  @Test(arguments: [false, true])
  func `an entry whose start was taken back waits, and a further attempt is due`(_ isWritten: Bool) throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      let first = fixture.attempt(fixture.key(20), run: 7, cause: .trigger)
      let second = fixture.attempt(fixture.key(30), run: 8, number: 2, at: fixture.at(60))
      do {
        let ledger = try fixture.ledger(path)
        ledger.start(first)
        ledger.start(fixture.attempt(fixture.key(30), run: 8))
        ledger.start(second)
        if isWritten { try ledger.commit() }
        ledger.unstart(first)
        ledger.unstart(second)
        try ledger.close()
      }
      let open = try fixture.ledger(path).recall(at: fixture.at(100)).open
      #expect(open.map(\.attempts) == [0, 1])
      #expect(open.map(\.hasWaited) == [true, false] && open.first?.cause == .trigger)
      #expect(open.last?.retryAt == fixture.at(60) && open.last?.run == RunID(number: 8))
    }
  }

  @Test func `an entry whose start was taken back before it was recorded waits`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        ledger.unstart(fixture.attempt(fixture.key(20), run: 7, cause: .trigger))
        try ledger.close()
      }
      let open = try fixture.ledger(path).recall(at: fixture.at(100)).open
      #expect(open.map(\.entry) == [fixture.key(20)])
      #expect(open.first?.hasWaited == true && open.first?.cause == .trigger && open.first?.attempts == 0)
    }
  }

  @Test func `a scheduled entry whose start was taken back is settled by a record that covers it`() throws {
    try withTemporaryDirectory { directory in
      let path = directory + "/ledger.sqlite"
      do {
        let ledger = try fixture.ledger(path)
        for (second, cause) in [(25, RunCause.trigger), (30, .schedule)] {
          let attempt = fixture.attempt(fixture.key(Int64(second)), run: UInt64(second), cause: cause)
          ledger.start(attempt)
          ledger.unstart(attempt)
        }
        var missed = fixture.end(fixture.key(40), .missed)
        (missed.entryCount, missed.firstNominal) = (3, fixture.at(20))
        ledger.settle(missed)
        try ledger.close()
      }
      let open = try fixture.ledger(path).recall(at: fixture.at(100)).open
      #expect(open.map(\.entry) == [fixture.key(25)])
    }
  }

  @Test func `an entry whose start was taken back is granted until it is started again`() throws {
    let ledger = try fixture.ledger()
    let first = fixture.attempt(fixture.key(20), run: 7)
    for run: UInt64 in [7, 8] {
      ledger.start(fixture.attempt(first.entry, run: run))
      try ledger.commit()
      #expect(try ledger.claim([first.entry], at: fixture.at(21)).map(\.verdict) == [.denied])
      ledger.unstart(fixture.attempt(first.entry, run: run))
      for isWritten in [false, true] {
        if isWritten { try ledger.commit() }
        #expect(try ledger.claim([first.entry], at: fixture.at(21)).map(\.verdict) == [.granted])
      }
    }
  }

  @Test func `a record of many entries does not apply to an entry outside of the schedule`() throws {
    let ledger = try fixture.ledger()
    var missed = fixture.end(fixture.key(60), .missed)
    (missed.entryCount, missed.firstNominal) = (5, fixture.at(20))
    ledger.settle(missed)
    for isWritten in [false, true] {
      if isWritten { try ledger.commit() }
      let inside = fixture.key(35)
      #expect(try ledger.claim([inside], at: fixture.at(61)).map(\.verdict) == [.denied])
      #expect(try ledger.claim([inside], at: fixture.at(61), alone: true).map(\.verdict) == [.granted])
      #expect(try ledger.claim([missed.entry], at: fixture.at(61), alone: true).map(\.verdict) == [.denied])
    }
  }
}
