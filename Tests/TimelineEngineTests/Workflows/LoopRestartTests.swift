import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

/// The first start of a closed loop that was started before: by an earlier daemon, before it was removed, or by another node.
@Suite struct `A closed loop that goes on` {
  /// The last known start, the start of the daemon, and the time from the latter to the first start, in seconds.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var interval: ElapsedTime = .seconds(60)
    var lastStart: Int64?
    let now: Int64
    let next: ElapsedTime
  }

  static let cases = [
    Case(testDescription: "never started", now: 100, next: .zero),
    Case(testDescription: "started 10 s ago", lastStart: 90, now: 100, next: .seconds(50)),
    Case(testDescription: "started 60 s ago", lastStart: 40, now: 100, next: .zero),
    Case(testDescription: "started long ago", lastStart: 1, now: 100, next: .zero),
    Case(
      testDescription: "started before the clock was set back", lastStart: 900, now: 100, next: .seconds(60)),
    Case(
      testDescription: "its starts are counted", interval: .milliseconds(200), lastStart: 90, now: 100,
      next: .milliseconds(200)),
  ]

  /// Returns the instant at which the first run of a job starts, looking at each millisecond at which there is something to do.
  private func firstStart(_ engine: inout EngineState, from now: WallInstant) -> WallInstant? {
    var (now, effects) = (now, engine.handle(.wake, at: now))
    for _ in 0..<10 {
      if let attempt = effects.starts.first { return attempt.startedAt }
      guard let next = engine.nextDeadline else { return nil }
      now = max(now, next)
      effects = engine.handle(.wake, at: now)
    }
    return nil
  }

  @Test(arguments: cases) func `keeps its interval over a restart`(_ it: Case) {
    var engine = EngineState(
      jobs: [job("a", loop(it.interval))], startedAt: t(it.now),
      loopStarts: it.lastStart.map { [name("a"): t($0)] } ?? [:], claims: .grant)
    #expect(firstStart(&engine, from: t(it.now)) == t(it.now) + it.next)
  }

  /// A run that the crash of a daemon interrupted counts as a start. An at-least-once run is run again at once.
  @Test(arguments: [(DeliveryPolicy.atMostOnce, Int64(150)), (.atLeastOnce, 100)])
  func `keeps its interval after a crash in a run`(_ delivery: DeliveryPolicy, _ first: Int64) {
    let jobs = [job("a", loop(.seconds(60))) { $0.delivery = delivery }]
    let open = OpenRun(
      run: .number(7), entry: EntryKey(job: name("a"), nominal: t(90)), cause: .schedule, attempts: 1,
      startedAt: t(90))
    var engine = EngineState(jobs: jobs, startedAt: t(100), open: [open], claims: .grant)
    #expect(firstStart(&engine, from: t(100)) == t(first))
  }

  @Test func `keeps its interval when it is removed and comes back`() {
    let jobs = [job("a", loop(.seconds(60)))]
    var engine = EngineState(jobs: jobs, startedAt: t(0), claims: .grant)
    let attempts = engine.handle(.wake, at: t(0)).starts
    for attempt in attempts { _ = engine.handle(.attemptEnded(attempt.run, success), at: t(1)) }
    _ = engine.handle(.reload([]), at: t(2))
    _ = engine.handle(.reload(jobs), at: t(10))
    #expect(firstStart(&engine, from: t(10)) == t(60))
  }

  @Test(arguments: [(nil, 100), (90, 150), (900, 160)] as [(Int64?, Int64)])
  func `keeps its interval at the next owner`(_ watermark: Int64?, _ first: Int64) {
    let jobs = [job("a", loop(.seconds(60)))]
    var engine = EngineState(jobs: [], startedAt: t(0), claims: .grant)
    let taken = TakenJob(name: name("a"), watermark: watermark.map(t))
    let effects = engine.handle(.takeOver([taken], among: jobs), at: t(100))
    #expect((effects.starts.first?.startedAt ?? firstStart(&engine, from: t(100))) == t(first))
  }
}
