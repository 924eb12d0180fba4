import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal

/// Entries that low-frequency mode leaves out of a closed loop, and when they are settled.
@Suite struct `Low-frequency mode` {
  private let a = name("a")

  /// A stretch of left-out entries: its first and last second, and their number.
  private struct Stretch: Equatable {
    var first: Int64
    var latest: Int64
    var count: Int
    var endedAt: Int64

    init(_ first: Int64, _ latest: Int64, _ count: Int, endedAt: Int64) {
      (self.first, self.latest, self.count, self.endedAt) = (first, latest, count, endedAt)
    }

    init(_ record: EntryRecord) {
      first = record.firstNominal.nanosecondsSinceEpoch / 1_000_000_000
      latest = record.entry.nominal.nanosecondsSinceEpoch / 1_000_000_000
      (count, endedAt) = (record.entryCount, record.endedAt.nanosecondsSinceEpoch / 1_000_000_000)
    }
  }

  /// Returns the entries that are left out of a loop of two seconds that stands still from 3 on, until something else happens at 9.
  private func leftOut(until event: EngineEvent, then following: EngineEvent? = nil) -> [Stretch] {
    var script: [(second: Int64, what: SimulatedInterruption)] = [
      (3, .event(.mode(.lowFrequency))), (9, .event(event)),
    ]
    if let following { script.append((14, .event(following))) }
    let picture = Picture(
      of: [job("a", loop(.seconds(2)), lasts: 1)], seconds: 20, in: ScriptedWorld(script: script))
    return picture.effects.settled.filter { $0.outcome == .lowFrequency }.map(Stretch.init)
  }

  @Test func `ends with one record for all entries in a row`() {
    #expect(leftOut(until: .mode(.normal)) == [Stretch(4, 8, 3, endedAt: 9)])
    #expect(leftOut(until: .mode(.lowFrequency)) == [Stretch(4, 18, 8, endedAt: 19)])
  }

  @Test func `is settled before an event that ends the standstill`() {
    #expect(leftOut(until: .drain(patience: nil)) == [Stretch(4, 8, 3, endedAt: 9)])
    #expect(leftOut(until: .leave) == [Stretch(4, 8, 3, endedAt: 9)])
    #expect(leftOut(until: .reload([])) == [Stretch(4, 8, 3, endedAt: 9)])
    #expect(leftOut(until: .pause(a)) == [Stretch(4, 8, 3, endedAt: 9)])
  }

  @Test func `goes on after a manual trigger and after a pause`() {
    #expect(
      leftOut(until: .trigger(a)) == [Stretch(4, 8, 3, endedAt: 9), Stretch(11, 19, 5, endedAt: 19)])
    #expect(
      leftOut(until: .pause(a), then: .resume(a, catchUp: .latest)) == [
        Stretch(4, 8, 3, endedAt: 9), Stretch(14, 18, 3, endedAt: 19),
      ])
  }

  @Test func `ends at the former time when the clock is set`() {
    let steps: [(length: Int64, stretches: [Stretch])] = [
      (100, [Stretch(4, 8, 3, endedAt: 109)]), (-5, [Stretch(4, 8, 3, endedAt: 4)]),
    ]
    for step in steps {
      var engine = EngineState(jobs: [job("a", loop(.seconds(2)))], startedAt: t(4), mode: .lowFrequency)
      _ = engine.handle(.wake, at: t(4))
      let now = t(9 + step.length)
      let effects = engine.handle(.clockStepped(by: .seconds(step.length)), at: now)
      #expect(effects.settled.map(Stretch.init) == step.stretches)
    }
  }

  @Test func `arms no wake-up and withdraws the next claim`() {
    var engine = EngineState(jobs: [job("a", loop(.seconds(2)))], startedAt: t(0))
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(
      .claimsAnswered([ClaimAnswer(entry: EntryKey(job: a, nominal: t(0)), verdict: .granted)]), at: t(0))
    _ = engine.handle(.attemptEnded(.number(1), success), at: t(1))
    #expect(engine.nextDeadline == t(2))
    let effects = engine.handle(.mode(.lowFrequency), at: t(1))
    #expect(effects.withdrawn == [EntryKey(job: a, nominal: t(2))] && effects.arm == .some(nil))
    #expect(engine.nextDeadline == nil)
    #expect(engine.handle(.mode(.normal), at: t(2)).settled.isEmpty, "no entry came before")
  }

  @Test(arguments: [false, true])
  func `leaves an entry to the daemon that was granted it`(isPausedMeanwhile: Bool) {
    var engine = EngineState(jobs: [job("a", loop(.seconds(2)))], startedAt: t(0))
    _ = engine.handle(.wake, at: t(0))
    _ = engine.handle(
      .claimsAnswered([ClaimAnswer(entry: EntryKey(job: a, nominal: t(0)), verdict: .granted)]), at: t(0))
    _ = engine.handle(.attemptEnded(.number(1), success), at: t(1))
    _ = engine.handle(
      .claimsAnswered([ClaimAnswer(entry: EntryKey(job: a, nominal: t(2)), verdict: .denied)]), at: t(1))
    if isPausedMeanwhile { _ = engine.handle(.pause(a), at: t(1)) }
    _ = engine.handle(.mode(.lowFrequency), at: t(1))
    if isPausedMeanwhile { _ = engine.handle(.resume(a, catchUp: .skip), at: t(1)) }
    #expect(engine.handle(.mode(.normal), at: t(5)).settled.map(\.entry.nominal) == [t(4)])
  }

  @Test func `is settled at the end of a timeline, also after a reload`() {
    let jobs = [job("a", loop(.seconds(2)))]
    var engine = EngineState(
      jobs: jobs, startedAt: t(0), claims: .grant, mode: .lowFrequency, horizon: t(10))
    _ = engine.handle(.wake, at: t(0))
    #expect(engine.handle(.reload(jobs), at: t(5)).settled.isEmpty)
    let end = t(10) - .nanoseconds(1)
    #expect(engine.nextDeadline == end)
    #expect(engine.handle(.wake, at: end).settled.map(\.entry.nominal) == [t(8)])
  }

  @Test func `counts an animation of a year in no time`() {
    var engine = EngineState(
      jobs: [job("a", loop(.nanoseconds(8_333_333)))], startedAt: t(0), claims: .grant,
      mode: .lowFrequency)
    _ = engine.handle(.wake, at: t(0))
    let end = t(365 * 86_400)
    let records = engine.handle(.mode(.normal), at: end).settled
    #expect(records.map(\.entryCount) == [3_784_320_152])
    #expect(records.map(\.outcome) == [.lowFrequency])
  }

  @Test func `is the mode of triggered runs`() {
    var engine = EngineState(
      jobs: [job("a", loop(.seconds(2)))], startedAt: t(0), claims: .grant, mode: .lowFrequency,
      cadence: .minutes)
    _ = engine.handle(.wake, at: t(0))
    let attempts = engine.handle(.trigger(a), at: t(5)).starts
    #expect(attempts.map(\.mode) == [.lowFrequency] && attempts.map(\.cadence) == [.minutes])
  }
}
