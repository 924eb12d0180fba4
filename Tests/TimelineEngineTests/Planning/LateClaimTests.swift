import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport

/// Claims whose answer comes long after the request, because the store is remote.
@Suite struct `An answer that comes late` {
  private let a = name("a")

  private func key(_ seconds: Int64) -> EntryKey { EntryKey(job: a, nominal: t(seconds)) }

  private func answer(_ verdict: ClaimAnswer.Verdict) -> EngineEvent {
    .claimsAnswered([ClaimAnswer(entry: key(10), verdict: verdict, token: verdict == .granted ? 42 : nil)])
  }

  /// An engine that owns a job and has asked for its entry at 10, which has fallen due.
  private func asking(_ adjust: (inout JobPolicies) -> Void = { _ in }) -> EngineState {
    var engine = EngineState(jobs: [], startedAt: t(0))
    _ = engine.handle(.takeOver([TakenJob(name: a)], among: [job("a", every(10), adjust)]), at: t(1))
    #expect(engine.handle(.wake, at: t(10)).starts.isEmpty)
    return engine
  }

  @Test func `is shown as the reason why the entry waits`() {
    let engine = asking()
    #expect(engine.status(of: a, at: t(11))?.waits == [EntryWait(nominal: t(10), reason: .store)])
    #expect(engine.waitingEntries(of: a) == [t(10)])
  }

  @Test func `starts the entry with its token`() {
    var engine = asking()
    let starts = engine.handle(answer(.granted), at: t(15)).starts
    #expect(starts.map(\.entry) == [key(10)] && starts.map(\.token) == [42])
  }

  @Test func `is too late after the missed window, and a denial leaves the entry to another node`() {
    var late = asking { $0.missed.window = .seconds(3) }
    #expect(late.handle(answer(.granted), at: t(14)).settled.map(\.outcome) == [.missed])
    var inTime = asking { $0.missed.window = .seconds(3) }
    #expect(inTime.handle(answer(.granted), at: t(13)).starts.map(\.entry) == [key(10)])
    var denied = asking()
    #expect(denied.handle(answer(.denied), at: t(14)).isEmpty)
    #expect(denied.waitingEntryCount == 0)
  }

  @Test func `finds a paused job, which holds the entry`() {
    var engine = asking()
    _ = engine.handle(.pause(a), at: t(11))
    #expect(engine.handle(answer(.granted), at: t(12)).starts.isEmpty)
    #expect(engine.heldCount(of: a, at: t(12)) == 1)
    let resumed = engine.handle(.resume(a, catchUp: .all), at: t(13))
    #expect(resumed.starts.map(\.entry) == [key(10)] && resumed.starts.map(\.token) == [42])
  }

  @Test func `finds a changed job, or one that was removed`() {
    var changed = asking()
    _ = changed.handle(.reload([job("a", every(7))]), at: t(11))
    #expect(changed.handle(answer(.granted), at: t(12)).starts.map(\.entry) == [key(10)])
    var removed = asking()
    #expect(removed.handle(.reload([]), at: t(11)).settled.map(\.outcome) == [.missed])
    #expect(removed.handle(answer(.granted), at: t(12)).isEmpty)
  }

  @Test func `finds nothing when the job was handed over`() {
    var engine = asking()
    _ = engine.handle(.handOver([a]), at: t(11))
    #expect(engine.handle(answer(.granted), at: t(12)).isEmpty)
  }

  @Test func `of an entry ahead is kept with its token for the deadline`() {
    var engine = EngineState(jobs: [job("a", every(10))], startedAt: t(1))
    _ = engine.handle(.wake, at: t(1))
    _ = engine.handle(answer(.granted), at: t(2))
    #expect(engine.handle(.wake, at: t(10)).starts.map(\.token) == [42])
  }

  @Test func `gives its token to every attempt, and to the first of several missed`() {
    let retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(1), jitterPercent: 0)
    var engine = asking { $0.retry = retry }
    _ = engine.handle(answer(.granted), at: t(11))
    _ = engine.handle(.attemptEnded(.number(1), passingFailure), at: t(12))
    let second = engine.handle(.wake, at: t(13)).starts
    #expect(second.map(\.number) == [2] && second.map(\.token) == [42])

    var missed = EngineState(
      jobs: [job("a", every(10)) { $0.missed.choice = .all }], startedAt: t(35), watermarks: [a: t(0)])
    #expect(missed.handle(.wake, at: t(35)).claims == [key(10), key(20), key(30), key(40)])
    #expect(missed.handle(answer(.granted), at: t(36)).starts.map(\.token) == [42])
  }
}
