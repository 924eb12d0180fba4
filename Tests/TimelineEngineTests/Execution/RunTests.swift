import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The phases of a run` {
  private func run(at second: Int64 = 0) -> Run {
    Run(.number(1), of: DueEntry(nominal: t(0), cause: .schedule), job: 0, isCounted: false, at: t(second))
  }

  @Test func `an attempt starts, fails and starts again`() {
    var run = run()
    #expect(run.phase == .running && run.attempts == 1 && !run.isIdle && run.isPending)
    run.backOff()
    #expect(run.phase == .backingOff && run.isIdle && !run.isPending)
    run.startAttempt(at: t(9))
    #expect(run.phase == .running && run.attempts == 2)
    #expect(run.startedAt == t(0) && run.attemptStartedAt == t(9))
    run.revertAttempt()
    #expect(run.phase == .backingOff && run.attempts == 1)
  }

  @Test(arguments: [1, 2]) func `a run begins when its first plugin is called`(_ attempt: Int) {
    var run = run()
    if attempt == 2 {
      run.backOff()
      run.startAttempt(at: t(5))
    }
    run.beginHostWait()
    #expect(run.phase == .waiting && run.isIdle && run.isPending)
    run.endHostWait()
    run.callPlugin(at: t(7))
    #expect(run.phase == .running && run.attemptStartedAt == t(7))
    #expect(run.startedAt == (attempt == 1 ? t(7) : t(0)))
  }

  @Test func `a call of the plugin after a stop request does not revoke the request`() {
    var run = run()
    run.stop(.cancel)
    run.beginHostWait()
    run.callPlugin(at: t(7))
    #expect(run.phase == .stopping)
  }

  @Test func `the first stop request stays the reason`() {
    var run = run()
    run.stop(.timeout)
    let reason = run.kill(.cancel)
    #expect(reason == .timeout && run.stopReason == .timeout && run.phase == .killed)
    var killed = self.run()
    let own = killed.kill(.cancel)
    #expect(own == .cancel && killed.stopReason == .cancel)
  }

  @Test(
    arguments: [
      (.cancel, .succeeded, true), (.cancel, .failed, false), (.cancel, .cancelled, false),
      (.timeout, .succeeded, true), (.timeout, .failed, true), (.shutDown, .failed, false),
    ] as [(StopReason, AttemptResult.Status, Bool)])
  func `a stop request that came after the end is forgotten where the run may go on`(
    _ reason: StopReason, _ status: AttemptResult.Status, _ isForgotten: Bool
  ) {
    var result = AttemptResult(status: status)
    result.precededStop = true
    var late = run()
    late.stop(reason)
    let forgets = late.withdrawStop(after: result)
    #expect(forgets == isForgotten)
    #expect(late.phase == (isForgotten ? .running : .stopping))
    #expect(late.stopReason == (isForgotten ? nil : reason))
    result.precededStop = false
    var early = run()
    early.stop(reason)
    let forgetsEarly = early.withdrawStop(after: result)
    #expect(!forgetsEarly, "the end came after the request")
  }

  @Test func `the first attempt of an earlier daemon counts from its start, a later one from now`() {
    var open = OpenRun(
      run: .number(7), entry: EntryKey(job: name("a"), nominal: t(0)), cause: .schedule, attempts: 1,
      startedAt: t(5))
    #expect(Run(adopting: open, job: 0, isCounted: false, at: t(9)).attemptStartedAt == t(5))
    #expect(Run(adopting: open, job: 0, isCounted: false, at: t(3)).attemptStartedAt == t(3))
    open.attempts = 2
    #expect(Run(adopting: open, job: 0, isCounted: false, at: t(9)).attemptStartedAt == t(9))
    let resumed = Run(resuming: open, job: 0, isCounted: false)
    #expect(resumed.phase == .backingOff && resumed.cause == .recovery && resumed.attempts == 2)
    open.retryAt = t(20)
    #expect(Run(resuming: open, job: 0, isCounted: false).cause == .schedule, "nothing died")
  }

  struct DeadlineRow: Sendable {
    var timeout: Int64?
    var waitingTimeout: Int64?
    var patienceEnd: Int64?
    var windowEnd: Int64?
    /// Deadline while its plugin is called, and while it waits, both since 100 s.
    var deadlines: [Int64?]
  }

  @Test(arguments: [
    DeadlineRow(deadlines: [nil, nil]),
    DeadlineRow(timeout: 5, deadlines: [105, 105]),
    DeadlineRow(timeout: 5, waitingTimeout: 9, deadlines: [105, 109]),
    DeadlineRow(waitingTimeout: 9, deadlines: [nil, 109]),
    DeadlineRow(timeout: 5, patienceEnd: 103, windowEnd: 104, deadlines: [103, 104]),
    DeadlineRow(timeout: 5, patienceEnd: 120, windowEnd: 130, deadlines: [105, 105]),
    DeadlineRow(patienceEnd: 103, deadlines: [103, nil]),
    DeadlineRow(windowEnd: 104, deadlines: [nil, 104]),
  ])
  func `its deadline is the earliest end of its phase`(_ row: DeadlineRow) {
    let rule = RunDeadline(
      timeout: row.timeout.map { .seconds($0) }, waitingTimeout: row.waitingTimeout.map { .seconds($0) },
      patienceEnd: row.patienceEnd.map(t))
    let called = run(at: 100)
    var waits = called
    waits.beginHostWait()
    #expect(
      [called, waits].map { rule.deadline(of: $0, windowEnd: row.windowEnd.map(t)) }
        == row.deadlines.map { $0.map(t) })
    for end in [{ $0.stop(.cancel) }, { _ = $0.kill(.cancel) }, { $0.backOff() }]
      as [@Sendable (inout Run) -> Void]
    {
      var run = called
      end(&run)
      #expect(rule.deadline(of: run, windowEnd: t(1)) == nil)
    }
  }

  @Test func `a clock step moves the attempt, and at most to now`() {
    var run = run(at: 100)
    run.clockStepped(by: .seconds(50), t(160))
    #expect(run.attemptStartedAt == t(150))
    run.clockStepped(by: .seconds(50), t(160))
    #expect(run.attemptStartedAt == t(160))
    run.delayAttempt(by: .seconds(2))
    #expect(run.attemptStartedAt == t(162))
  }
}
