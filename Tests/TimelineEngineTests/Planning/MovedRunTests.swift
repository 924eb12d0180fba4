import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// Entries that have moved and run, and schedules that change afterwards.
@Suite struct `A run of a moved entry` {
  private let a = name("a")
  private let christmas = "2026-12-25T09:00:00Z"

  private func instant(_ text: String) throws -> WallInstant { try WallInstant(rfc3339: text) }

  /// Christmas at nine, and further days of December, without some days.
  private func definition(
    _ days: String = "25", holidays: [Int], _ direction: EntryMove.Direction = .before, revision: UInt64 = 0
  ) throws -> JobDefinition {
    var conditions = ComposedSchedule.Conditions()
    let dates = try holidays.map { try #require(CivilDate(year: 2026, month: 12, day: $0)) }
    // The window of a past day keeps the move when there are no holidays.
    conditions.except = [
      CivilWindow(holidays: HolidayList(name: "company", dates: dates)),
      try CivilWindow(parsing: "2020-01-01"),
    ]
    conditions.move = try EntryMove(direction)
    let cron = CronSchedule(expression: try CronExpression(parsing: "0 9 \(days) 12 *"), zone: .utc)
    let schedule = try ComposedSchedule([.cron(cron)], conditions: conditions, zone: .utc)
    var definition = job("a", .composed(schedule))
    definition.revision = revision
    return definition
  }

  /// An engine whose entry of Christmas runs the day before.
  private func running(_ days: String = "25") throws -> (EngineState, Attempt) {
    let start = try instant("2026-12-20T00:00:00Z")
    var engine = EngineState(
      jobs: [try definition(days, holidays: [25])], startedAt: start, claims: .grant)
    _ = engine.handle(.wake, at: start)
    let starts = engine.handle(.wake, at: try instant("2026-12-24T09:00:00Z")).starts
    #expect(starts.map(\.entry.nominal) == [try instant("2026-12-24T09:00:00Z")])
    return (engine, try #require(starts.first))
  }

  @Test func `has the instants from which its entry moved`() throws {
    let (_, attempt) = try running()
    #expect(attempt.movedFrom == [try instant(christmas)])
    // A run whose entry did not move has none.
    let start = try instant("2026-12-20T00:00:00Z")
    var plain = EngineState(jobs: [try definition(holidays: [])], startedAt: start, claims: .grant)
    _ = plain.handle(.wake, at: start)
    #expect(plain.handle(.wake, at: try instant(christmas)).starts.map(\.movedFrom) == [[]])
  }

  @Test func `is excluded at the instant from which it moved`() throws {
    var (engine, attempt) = try running()
    _ = engine.handle(.attemptEnded(attempt.run, success), at: attempt.startedAt)
    let effects = engine.handle(.wake, at: try instant(christmas))
    #expect(effects.starts.isEmpty)
    #expect(effects.settled.map(\.outcome) == [.excluded])
    #expect(effects.settled.first?.reason.hasSuffix("; moved to 2026-12-24 09:00:00 UTC") == true)
  }

  @Test func `does not run again when its holiday is removed`() throws {
    for ends in [true, false] {
      var (engine, attempt) = try running()
      if ends { _ = engine.handle(.attemptEnded(attempt.run, success), at: attempt.startedAt) }
      let noon = try instant("2026-12-24T12:00:00Z")
      _ = engine.handle(.reload([try definition(holidays: [])]), at: noon)
      #expect(engine.status(of: a, at: noon)?.next == (try instant("2027-12-25T09:00:00Z")))
      #expect(engine.status(of: a, at: noon)?.movedAway == [try instant(christmas)])
      #expect(engine.status(of: a, at: noon)?.settledThrough == nil)
      #expect(engine.handle(.wake, at: try instant(christmas)).starts.isEmpty)
      // A further reload, and one that brings the holiday back.
      _ = engine.handle(.reload([try definition(holidays: [], revision: 1)]), at: noon)
      #expect(engine.handle(.wake, at: try instant(christmas)).starts.isEmpty)
      _ = engine.handle(.reload([try definition(holidays: [25])]), at: try instant(christmas))
      #expect(engine.handle(.wake, at: try instant("2026-12-31T00:00:00Z")).starts.isEmpty)
    }
  }

  @Test func `does not run again on another day to which a new schedule moves it`() throws {
    var (engine, attempt) = try running()
    _ = engine.handle(.attemptEnded(attempt.run, success), at: attempt.startedAt)
    let noon = try instant("2026-12-24T12:00:00Z")
    _ = engine.handle(.reload([try definition(holidays: [25], .after)]), at: noon)
    #expect(engine.handle(.wake, at: try instant("2026-12-26T09:00:00Z")).starts.isEmpty)
    // A further entry that lies there has not run.
    (engine, attempt) = try running()
    _ = engine.handle(.attemptEnded(attempt.run, success), at: attempt.startedAt)
    _ = engine.handle(.reload([try definition("24,25,26", holidays: [24, 25], .after)]), at: noon)
    let starts = engine.handle(.wake, at: try instant("2026-12-26T09:00:00Z")).starts
    #expect(starts.map(\.movedFrom.count) == [2])
  }

  @Test func `runs where its entry lies again if its plugin was never called`() throws {
    var (engine, attempt) = try running()
    _ = engine.handle(.attemptWaits(attempt.run), at: attempt.startedAt)
    _ = engine.handle(.cancel(attempt.run), at: attempt.startedAt)
    let unstarted = AttemptResult(status: .cancelled)
    _ = engine.handle(.attemptEnded(attempt.run, unstarted), at: attempt.startedAt)
    _ = engine.handle(.reload([try definition(holidays: [])]), at: try instant("2026-12-24T12:00:00Z"))
    #expect(engine.handle(.wake, at: try instant(christmas)).starts.count == 1)
  }

  @Test(arguments: [false, true])
  func `runs again after its job was handed over and taken back before its plugin was called`(
    _ isTakenBackFirst: Bool
  ) throws {
    var (engine, attempt) = try running()
    let eve = attempt.startedAt
    _ = engine.handle(.attemptWaits(attempt.run), at: eve)
    _ = engine.handle(.handOver([a]), at: eve)
    let open = OpenRun(
      run: .number(0), entry: attempt.entry, cause: .schedule, attempts: 0, startedAt: attempt.startedAt)
    let job = TakenJob(name: a, watermark: try instant("2026-12-20T00:00:00Z"), open: [open])
    let taken = EngineEvent.takeOver([job], among: [try definition(holidays: [25])])
    let end = EngineEvent.attemptEnded(attempt.run, AttemptResult(status: .cancelled))
    var starts: [Attempt] = []
    for event in isTakenBackFirst ? [taken, end] : [end, taken] {
      starts += engine.handle(event, at: eve + .seconds(1)).starts
    }
    #expect(starts.map(\.entry.nominal) == [eve])
    #expect(starts.map(\.movedFrom) == [[try instant(christmas)]])
  }

  @Test func `does not run again after a restart without its holiday, at its time or as missed`() throws {
    var repeated = RepeatedTime()
    let eve = try instant("2026-12-24T09:00:00Z")
    repeated.moved = [a: [MovedEntry(nominal: eve, origins: [try instant(christmas)])]]
    for start in ["2026-12-24T20:00:00Z", "2026-12-27T00:00:00Z"] {
      for isKnown in [true, false] {
        var engine = EngineState(
          jobs: [try definition(holidays: [])], startedAt: try instant(start), watermarks: [a: eve],
          repeated: isKnown ? repeated : RepeatedTime(), claims: .grant)
        var starts = engine.handle(.wake, at: try instant(start)).starts
        starts += engine.handle(.wake, at: try instant("2026-12-28T00:00:00Z")).starts
        #expect(starts.map(\.entry.nominal) == (isKnown ? [] : [try instant(christmas)]), "\(start)")
        guard isKnown else { continue }
        #expect(engine.handle(.wake, at: try instant("2027-12-25T09:00:00Z")).starts.count == 1)
      }
    }
  }

  @Test func `does not run again after the clock was set back`() throws {
    var (engine, attempt) = try running()
    _ = engine.handle(.attemptEnded(attempt.run, success), at: attempt.startedAt)
    let before = try instant("2026-12-23T00:00:00Z")
    let eve = try instant("2026-12-24T09:00:00Z")
    _ = engine.handle(.clockStepped(by: before - eve, decided: [a: [eve]]), at: before)
    _ = engine.handle(.reload([try definition(holidays: [])]), at: before)
    #expect(engine.handle(.wake, at: try instant(christmas)).starts.isEmpty)
    // An operator can release the job.
    _ = engine.handle(.release(a), at: before)
    #expect(engine.status(of: a, at: before)?.next == (try instant(christmas)))
  }
}
