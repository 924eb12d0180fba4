import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `What a rule leaves out` {
  private let a = name("a")

  private func instant(_ text: String) throws -> WallInstant { try WallInstant(rfc3339: text) }

  /// Half past two in Berlin, which 28 March 2027 does not have and 31 October has twice.
  private func definition(revision: UInt64 = 0, _ adjust: (inout JobPolicies) -> Void = { _ in }) throws
    -> JobDefinition
  {
    let file = "/usr/share/zoneinfo/Europe/Berlin"
    let data = try #require(FileManager.default.contents(atPath: file), "install the package tzdata")
    let zone = try Zone(name: "Europe/Berlin", tzif: [UInt8](data))
    let schedule = CronSchedule(
      expression: try CronExpression(parsing: "30 2 * * *"), zone: zone,
      daylightSaving: DaylightSavingPolicy(gap: .skip, fold: .first))
    var definition = job("a", .cron(schedule), lasts: 0, adjust)
    definition.revision = revision
    return definition
  }

  private func engine(at start: String, watermark: String? = nil) throws -> (EngineState, [EngineEffect]) {
    var memory: [JobName: WallInstant] = [:]
    if let watermark { memory[a] = try instant(watermark) }
    let start = try instant(start)
    var engine = EngineState(
      jobs: [try definition()], startedAt: start, watermarks: memory, claims: .grant)
    let effects = engine.handle(.wake, at: start)
    return (engine, effects)
  }

  @Test func `has its outcome once, when its instant has come`() throws {
    var (engine, first) = try engine(at: "2027-03-27T12:00:00Z")
    let change = try instant("2027-03-28T01:00:00Z")
    #expect(first == [.arm(change)])
    let effects = engine.handle(.wake, at: change)
    #expect(effects.settled.map(\.outcome) == [.daylightSavingGap])
    #expect(effects.settled.map(\.entry.nominal) == [change])
    #expect(effects.starts.isEmpty)
    #expect(effects.arm == .some(try instant("2027-03-29T00:30:00Z")))
    // Neither a step backward nor a reload gives it a second outcome.
    let before = try instant("2027-03-27T12:00:00Z")
    #expect(engine.handle(.clockStepped(by: before - change), at: before).settled.isEmpty)
    #expect(engine.handle(.wake, at: change).settled.isEmpty)
    let later = try instant("2027-03-28T05:00:00Z")
    #expect(engine.handle(.reload([try definition(revision: 1)]), at: later).settled.isEmpty)
    #expect(engine.handle(.reload([]), at: later).settled.isEmpty)
    #expect(engine.handle(.clockStepped(by: before - later), at: before).settled.isEmpty)
    #expect(engine.handle(.reload([try definition()]), at: before).settled.isEmpty)
    #expect(engine.handle(.wake, at: later).settled.isEmpty)
  }

  @Test func `is in a dry run that ends before the next entry, but not if it ends before the instant`() throws
  {
    for (until, isIn) in [("2027-03-28T12:00:00Z", true), ("2027-03-28T01:00:00Z", false)] {
      var dryRun = DryRun(
        jobs: [try definition()], from: try instant("2027-03-27T12:00:00Z"), until: try instant(until))
      var rows: [DryRunRow] = []
      dryRun.run { rows.append($0) }
      #expect(rows.map(\.entry) == (isIn ? [try instant("2027-03-28T01:00:00Z")] : []))
      #expect(dryRun.summary.entries == rows.count && dryRun.nextInstant == nil)
    }
  }

  @Test func `does not bring forward an entry that jitter delays`() throws {
    var jittered = try definition()
    jittered.timing.jitter = .hours(3)
    let (start, second) = (try instant("2027-10-31T01:00:00Z"), try instant("2027-10-31T01:30:00Z"))
    let nominal = try instant("2027-11-01T01:30:00Z")
    let due = jittered.timing.start(of: a, seed: 7, nominal: nominal, next: nominal + .days(1))
    try #require(due > nominal)
    var engine = EngineState(jobs: [jittered], startedAt: start, seed: 7, claims: .grant)
    let first = engine.handle(.wake, at: start)
    #expect(first.arm == .some(second))
    let left = engine.handle(.wake, at: second)
    #expect(left.starts.isEmpty && left.settled.map(\.outcome) == [.daylightSavingFold])
    #expect(left.arm == .some(due) && engine.nextEntry?.nominal == nominal)
    #expect(engine.handle(.wake, at: nominal).starts.isEmpty && engine.earliestOpenEntry == nominal)
    #expect(engine.handle(.wake, at: due).starts.map(\.entry.nominal) == [nominal])
  }

  @Test func `comes between the entries around it`() throws {
    var (engine, _) = try engine(at: "2027-10-30T12:00:00Z")
    let run = engine.handle(.wake, at: try instant("2027-10-31T00:30:00Z"))
    #expect(run.starts.count == 1)
    let second = try instant("2027-10-31T01:30:00Z")
    #expect(run.arm == .some(second))
    #expect(engine.handle(.wake, at: second).settled.map(\.outcome) == [.daylightSavingFold])
  }

  @Test(arguments: [
    ("2027-03-27T01:30:00Z", [Outcome.daylightSavingGap]), ("2027-03-28T01:00:00Z", []),
    ("2027-03-29T00:30:00Z", []),
  ]) func `is settled after a restart if it was not before`(_ watermark: String, _ expected: [Outcome])
    throws
  {
    let (_, effects) = try engine(at: "2027-03-29T12:00:00Z", watermark: watermark)
    #expect(effects.settled.map(\.outcome) == expected)
  }

  @Test func `of a whole year passes at once, with the entries of the year`() throws {
    let (_, effects) = try engine(at: "2027-12-31T12:00:00Z", watermark: "2026-12-31T01:30:00Z")
    #expect(effects.settled.map(\.outcome) == [.daylightSavingGap, .daylightSavingFold, .missed])
    // One of the 365 days has no 02:30, and the entry of the last day is run.
    #expect(effects.settled.last?.entryCount == 363)
    #expect(effects.starts.map(\.entryCount) == [364])
  }

  @Test func `is settled when the clock jumps over it, in a pause too`() throws {
    let (before, after) = (try instant("2027-03-27T23:00:00Z"), try instant("2027-03-28T05:00:00Z"))
    for isPaused in [false, true] {
      var (engine, _) = try engine(at: "2027-03-27T12:00:00Z")
      if isPaused { _ = engine.handle(.pause(a), at: before) }
      var effects = engine.handle(.clockStepped(by: after - before), at: after)
      if isPaused { effects += engine.handle(.resume(a, catchUp: .skip), at: after) }
      #expect(effects.settled.map(\.outcome) == [.daylightSavingGap])
    }
  }

  @Test func `is in a dry run also if it is after the last entry`() throws {
    var conditions = ComposedSchedule.Conditions()
    conditions.only = [try CivilWindow(parsing: "2027-06-01..2027-06-03")]
    let daily = CronSchedule(expression: try CronExpression(parsing: "0 12 * * *"), zone: .utc)
    let schedule = try ComposedSchedule([.cron(daily)], conditions: conditions, zone: .utc)
    let (start, end) = (try instant("2027-05-31T18:00:00Z"), try instant("2027-06-06T00:00:00Z"))
    let definition = job("a", .composed(schedule), lasts: 0)
    var dryRun = DryRun(jobs: [definition], from: start, until: end)
    dryRun.run { _ in }
    #expect(dryRun.summary.entries == 5)
  }

  @Test func `of a series that a reload interrupts is settled by the rule that left it out`() throws {
    let (noon, evening) = (try instant("2027-06-01T12:00:00Z"), try instant("2027-06-01T18:00:00Z"))
    func definition(except window: String, timeout: ElapsedTime? = nil) throws -> JobDefinition {
      let every = try PeriodicSchedule(from: .epoch, by: .minutes(5))
      var conditions = ComposedSchedule.Conditions()
      conditions.except = [try CivilWindow(parsing: window)]
      let schedule = try ComposedSchedule([.periodic(every)], conditions: conditions, zone: .utc)
      return job("a", .composed(schedule), lasts: 0) { $0.timeout = timeout }
    }
    for (changed, atNoon, inTheEvening) in [
      (try definition(except: "08:00-18:00", timeout: .minutes(1)), [], [120]),
      (try definition(except: "10:00-18:00"), [49], [71]), (nil, [49], []),
    ] {
      let old = try definition(except: "08:00-18:00")
      var engine = EngineState(
        jobs: [old], startedAt: try instant("2027-06-01T07:58:00Z"), claims: .grant)
      let reloaded = engine.handle(.reload(changed.map { [$0] } ?? []), at: noon)
      #expect(reloaded.settled.map(\.entryCount) == atNoon)
      #expect(engine.handle(.wake, at: evening).settled.map(\.entryCount) == inTheEvening)
    }
  }

  @Test func `during a pause is settled when the pause ends`() throws {
    var (engine, _) = try engine(at: "2027-03-27T12:00:00Z")
    _ = engine.handle(.pause(a), at: try instant("2027-03-27T13:00:00Z"))
    #expect(engine.handle(.wake, at: try instant("2027-03-28T01:00:00Z")) == [])
    let resumed = engine.handle(.resume(a, catchUp: .skip), at: try instant("2027-03-29T12:00:00Z"))
    #expect(resumed.settled.map(\.outcome) == [.daylightSavingGap, .paused])
  }
}
