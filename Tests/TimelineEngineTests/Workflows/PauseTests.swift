import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

@Suite struct `A pause` {
  private let a = name("a")

  private func paused(from: Int64, until: Int64, _ catchUp: MissedPolicy.Choice) -> ScriptedWorld {
    ScriptedWorld(script: [(from, .event(.pause(a))), (until, .event(.resume(a, catchUp: catchUp)))])
  }

  @Test(arguments: [
    (MissedPolicy.Choice.skip, "a S..S........z..S."),
    (.latest, "a S..S.....z...S.S."),
    (.all, "a S..S.........S.S."),
  ]) func `holds entries, and its end decides about them`(_ catchUp: MissedPolicy.Choice, _ expected: String)
  {
    // The job's policy for missed entries does not apply, because the operator has made a choice.
    let jobs = [
      job("a", every(3)) {
        $0.overlap = .bufferAll
        $0.missed = MissedPolicy(choice: .skip)
      }
    ]
    let picture = Picture(of: jobs, seconds: 17, in: paused(from: 4, until: 13, catchUp))
    #expect(picture.description == expected)
    let runs = [MissedPolicy.Choice.skip: [], .latest: [t(12)], .all: [t(6), t(9), t(12)]]
    #expect(picture.effects.starts.filter { $0.startedAt == t(13) }.map(\.entry.nominal) == runs[catchUp])
    let held = picture.effects.settled.filter { $0.outcome == .paused }
    #expect(held.reduce(0) { $0 + $1.entryCount } == 3 - (runs[catchUp]?.count ?? 0))
  }

  @Test(arguments: [OverlapPolicy.skip, .bufferOne])
  func `whose entries are all to be run runs them one after the other under every overlap policy`(
    _ overlap: OverlapPolicy
  ) {
    let jobs = [job("a", every(3), lasts: 1) { $0.overlap = overlap }]
    let picture = Picture(of: jobs, seconds: 15, in: paused(from: 4, until: 12, .all))
    #expect(picture.description == "a S..S........SSS")
    #expect(picture.effects.starts.map(\.entry.nominal) == [0, 3, 6, 9, 12].map(t))
  }

  @Test func `that ends before anything fell due changes nothing`() {
    #expect(
      Picture(of: [job("a", every(3))], seconds: 8, in: paused(from: 4, until: 5, .all)).description
        == "a S..S..S.")
  }

  @Test func `lets active runs go on, and manual triggers start`() {
    let world = ScriptedWorld(script: [(2, .event(.pause(a))), (7, .event(.trigger(a)))])
    #expect(
      Picture(of: [job("a", every(4), lasts: 3)], seconds: 14, in: world).description == "a S--....S--....")
  }

  private func retried(from start: Int64 = 0) -> JobDefinition {
    job("a", every(20, from: start)) {
      $0.retry = RetryPolicy(attempts: 2, backoffFrom: .seconds(2), backoffTo: .seconds(2), jitterPercent: 0)
    }
  }

  @Test(arguments: [(RunCause.schedule, [0, 8]), (.trigger, [1, 4])] as [(RunCause, [Int64])])
  func `holds the next attempt of a failed run, unless the run was triggered`(
    _ cause: RunCause, _ starts: [Int64]
  ) {
    let isTriggered = cause == .trigger
    let world = ScriptedWorld(
      courses: [SimulatedCourse(lasting: .seconds(1), outcome: passingFailure)],
      script: (isTriggered ? [(1, .event(.trigger(a)))] : [])
        + [(2, .event(.pause(a))), (8, .event(.resume(a, catchUp: .skip)))])
    let picture = Picture(of: [retried(from: isTriggered ? 15 : 0)], seconds: 12, in: world)
    #expect(picture.effects.starts.map(\.startedAt) == starts.map(t))
    #expect(picture.effects.settled.map(\.outcome) == [.succeeded])
  }

  @Test func `a run between two attempts is the reason of an entry that it overlaps`() {
    let world = ScriptedWorld(
      courses: [SimulatedCourse(lasting: .seconds(1), outcome: passingFailure)],
      script: [(2, .event(.trigger(a)))])
    let picture = Picture(of: [retried()], seconds: 6, in: world)
    #expect(
      picture.effects.settled.filter { $0.outcome == .overlapped }.map(\.reason) == [
        "the previous run had failed and waited for its next attempt"
      ])
  }

  @Test func `stops a loop and lets it continue`() {
    #expect(
      Picture(
        of: [job("a", loop(.seconds(2)), lasts: 1)], seconds: 12, in: paused(from: 3, until: 8, .latest)
      )
      .description == "a S.S.....S.S.")
  }

  @Test func `is noted once, and so is its end`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    #expect(engine.handle(.pause(a), at: t(2)) == [.notePause(a, since: t(2)), .arm(nil)])
    #expect(engine.handle(.pause(a), at: t(3)) == [])
    #expect(engine.status(of: a, at: t(3))?.pausedSince == t(2))
    #expect(engine.status(of: a, at: t(3))?.next == nil)
    #expect(
      engine.handle(.resume(a, catchUp: .latest), at: t(4)) == [.notePause(a, since: nil), .arm(t(10))])
    #expect(engine.handle(.resume(a, catchUp: .latest), at: t(5)) == [])
    #expect(engine.status(of: a, at: t(5))?.pausedSince == nil)
    #expect(engine.handle(.pause(name("nobody")), at: t(5)) == [])
  }

  @Test func `gives up the claim of the next entry`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    #expect(engine.handle(.pause(a), at: t(2)).withdrawn == [EntryKey(job: a, nominal: t(10))])
    let resumed = engine.handle(.resume(a, catchUp: .latest), at: t(25))
    #expect(resumed.claims.map(\.nominal) == [t(20), t(30)])
  }

  @Test func `holds an entry that was waiting for room`() {
    let jobs = [job("a", every(10)) { $0.overlap = .bufferOne }]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(.wake, at: t(10))
    _ = engine.handle(.pause(a), at: t(11))
    #expect(engine.handle(.attemptEnded(.number(1), success), at: t(12)).starts.isEmpty)
    #expect(engine.heldCount(of: a, at: t(13)) == 1)
    #expect(engine.handle(.resume(a, catchUp: .latest), at: t(13)).starts.map(\.entry.nominal) == [t(10)])
  }

  @Test func `outlives a restart with the entries that it holds`() {
    var engine = EngineState(
      jobs: [job("a", every(10))], startedAt: t(35), watermarks: [a: t(10)], paused: [a: t(12)],
      claims: .grant)
    #expect(engine.handle(.wake, at: t(35)) == [.arm(nil)])
    #expect(engine.status(of: a, at: t(35))?.pausedSince == t(12))
    #expect(engine.heldCount(of: a, at: t(41)) == 3)
    let resumed = engine.handle(.resume(a, catchUp: .latest), at: t(41))
    #expect(engine.heldCount(of: a, at: t(41)) == 0)
    #expect(resumed.starts.map(\.entry.nominal) == [t(40)])
    #expect(resumed.settled.map(\.entryCount) == [2])
    #expect(resumed.settled.map(\.outcome) == [.paused])
  }

  @Test func `outlives a reload, and held entries of a removed schedule end as paused`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(.pause(a), at: t(2))
    // A change of other policies leaves the held entries alone.
    #expect(engine.handle(.reload([job("a", every(10)) { $0.priority = 3 }]), at: t(15)) == [])
    let changed = engine.handle(.reload([job("a", every(7))]), at: t(25))
    #expect(changed.settled.map(\.outcome) == [.paused])
    #expect(changed.settled.map(\.entryCount) == [2])
    let resumed = engine.handle(.resume(a, catchUp: .all), at: t(29))
    #expect(resumed.starts.map(\.entry.nominal) == [t(28)])
  }

  @Test(arguments: [false, true]) func `outlives the removal of its job, and the job comes back paused`(
    isRunning: Bool
  ) {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(0), claims: .grant)
    _ = engine.handle(.wake, at: t(0))
    if !isRunning { _ = engine.handle(.attemptEnded(.number(1), success), at: t(1)) }
    _ = engine.handle(.pause(a), at: t(2))
    let gone = engine.handle(.reload([]), at: t(25))
    #expect(gone.settled.map(\.outcome) == [.paused])
    #expect(gone.settled.map(\.entryCount) == [2])
    #expect(!gone.contains(.notePause(a, since: nil)))
    #expect(engine.handle(.reload([job("a", every(10))]), at: t(45)).starts.isEmpty)
    #expect(engine.status(of: a, at: t(45))?.pausedSince == t(2))
    #expect(engine.handle(.wake, at: t(50)).starts.isEmpty)
    // Entries from before its return are not held.
    #expect(engine.heldCount(of: a, at: t(65)) == 2)
    let resumed = engine.handle(.resume(a, catchUp: .skip), at: t(65))
    #expect(resumed.contains(.notePause(a, since: nil)))
    #expect(resumed.settled.map(\.entryCount) == [2])
  }

  @Test func `of a job that is not configured at a start counts when it comes back`() {
    var engine = EngineState(jobs: [], startedAt: t(35), paused: [a: t(12)], claims: .grant)
    _ = engine.handle(.wake, at: t(35))
    #expect(engine.handle(.reload([job("a", every(10))]), at: t(45)).starts.isEmpty)
    #expect(engine.status(of: a, at: t(45))?.pausedSince == t(12))
    #expect(engine.handle(.wake, at: t(50)).starts.isEmpty)
  }

  @Test func `of very many removed jobs is forgotten, the oldest first`() {
    let names = (0...EngineLimits.removedJobsMax).map { name("job\($0)") }
    let paused = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, t(Int64($0))) })
    var engine = EngineState(jobs: [], startedAt: t(5_000), paused: paused, claims: .grant)
    _ = engine.handle(.wake, at: t(5_000))
    #expect(engine.handle(.reload([]), at: t(5_001)) == [.notePause(names[0], since: nil)])
  }

  @Test(arguments: [(MissedPolicy.Choice.latest, [Int64]()), (.all, [Int64(70), 80])])
  func `the missed window applies after it`(_ catchUp: MissedPolicy.Choice, _ nominals: [Int64]) {
    let jobs = [
      job("a", every(10)) {
        $0.missed.window = catchUp == .latest ? .seconds(3) : .seconds(15)
        $0.overlap = .allowAll
      }
    ]
    var engine = EngineState(jobs: jobs, startedAt: t(1), claims: .grant)
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(.pause(a), at: t(2))
    let resumed = engine.handle(.resume(a, catchUp: catchUp), at: t(84))
    #expect(resumed.starts.map(\.entry.nominal) == nominals.map(t))
    #expect(resumed.settled.reduce(0) { $0 + $1.entryCount } == 8 - nominals.count)
    #expect(resumed.settled.allSatisfy { $0.outcome == .paused })
  }

  @Test func `with a clock that goes back starts nothing twice`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(100), claims: .grant)
    _ = engine.handle(.wake, at: t(100))
    _ = engine.handle(.attemptEnded(.number(1), success), at: t(101))
    _ = engine.handle(.pause(a), at: t(102))
    _ = engine.handle(.clockStepped(by: .seconds(-52)), at: t(50))
    #expect(engine.handle(.resume(a, catchUp: .all), at: t(55)) == [.notePause(a, since: nil), .arm(t(60))])
    for seconds in stride(from: Int64(60), through: 90, by: 10) {
      let run = engine.handle(.wake, at: t(seconds)).starts[0].run
      _ = engine.handle(.attemptEnded(run, success), at: t(seconds))
    }
    #expect(engine.handle(.wake, at: t(100)).starts.isEmpty)
  }
}
