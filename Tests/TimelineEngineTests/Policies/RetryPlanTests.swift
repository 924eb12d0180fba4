import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `The next attempt of a run` {
  private let entry = EntryKey(job: name("a"), nominal: t(100))

  private func plan(_ attempts: Int = 5, jitter: Int = 0) -> RetryPlan {
    RetryPlan(
      RetryPolicy(
        attempts: attempts, backoffFrom: .seconds(2), backoffTo: .seconds(10), jitterPercent: jitter))
  }

  @Test(arguments: [(1, 2), (2, 4), (3, 8), (4, 10), (5, nil), (6, nil)] as [(Int, Int64?)])
  func `comes after a pause that doubles up to its limit`(_ attempt: Int, _ seconds: Int64?) {
    #expect(plan().backoff(after: attempt, of: entry) == seconds.map { .seconds($0) })
  }

  @Test func `comes after the limit when doubling would overflow`() {
    #expect(plan(1_000).backoff(after: 900, of: entry) == .seconds(10))
  }

  @Test func `comes earlier by a jitter that is the same for one attempt of one entry`() {
    var pauses: Set<ElapsedTime> = []
    for second in Int64(0)..<50 {
      let entry = EntryKey(job: name("a"), nominal: t(second))
      let pause = plan(jitter: 50).backoff(after: 1, of: entry)
      #expect(pause == plan(jitter: 50).backoff(after: 1, of: entry))
      #expect(pause.map { (.seconds(1)...(.seconds(2))).contains($0) } == true)
      if let pause { pauses.insert(pause) }
    }
    #expect(pauses.count > 40)
  }

  @Test func `never comes without a policy`() {
    #expect(RetryPlan(nil).backoff(after: 1, of: entry) == nil)
    #expect(RetryPlan(nil).resumption(after: 1, dueAt: t(5), t(0)) == nil)
    #expect(RetryPlan(nil).longestBackoff == .max)
    #expect(RetryPlan(nil).startsMax == EngineLimits.recoveryAttemptsMax)
    #expect(plan(7).startsMax == 7 && plan().longestBackoff == .seconds(10))
  }

  @Test(
    arguments: [
      (1, 5, 5), (1, -60, 0), (1, 10, 10), (1, 3_600, 10), (5, 5, nil),
    ] as [(Int, Int64, Int64?)])
  func `of a former daemon comes when it was due, now at the earliest and one back-off later at the latest`(
    _ attempts: Int, _ due: Int64, _ next: Int64?
  ) {
    #expect(plan().resumption(after: attempts, dueAt: t(due), t(0)) == next.map(t))
  }
}
