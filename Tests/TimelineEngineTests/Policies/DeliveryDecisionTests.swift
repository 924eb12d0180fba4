import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `A run that an earlier daemon left open` {
  struct Row: Sendable {
    var cause = RunCause.schedule
    var attempts = 1
    var isAlive = false
    var retryAt: WallInstant?
    var hasUpstream = false
    var hasOrigin = false
    var isDuplicate = false
    /// Decisions under at-most-once, under at-least-once, and of a job that is not configured.
    var decisions: [DeliveryDecision]
  }

  private static let died = DeliveryDecision.end(.unknown, reason: "the daemon died while it ran")
  private static let failed = DeliveryDecision.end(.failed, reason: "it broke")

  private static func lost(_ attempts: Int) -> DeliveryDecision {
    .end(.lost, reason: "the daemon died in the last of \(attempts) attempts")
  }

  static let rows: [Row] = [
    Row(decisions: [died, .runAgain, died]),
    Row(attempts: 2, decisions: [died, .runAgain, died]),
    Row(attempts: 3, decisions: [died, lost(3), died]),
    Row(isAlive: true, decisions: [.adopt, .adopt, .adopt]),
    Row(isAlive: true, isDuplicate: true, decisions: [died, lost(1), died]),
    Row(isDuplicate: true, decisions: [died, lost(1), died]),
    Row(retryAt: t(5), decisions: [.retry(at: t(5)), .retry(at: t(5)), failed]),
    Row(retryAt: t(50), decisions: [.retry(at: t(10)), .retry(at: t(10)), failed]),
    Row(attempts: 3, retryAt: t(5), decisions: [failed, failed, failed]),
    Row(retryAt: t(5), isDuplicate: true, decisions: [failed, failed, failed]),
    // A reaction goes on only if its upstream is known.
    Row(cause: .reaction, decisions: [died, died, died]),
    Row(cause: .reaction, hasUpstream: true, decisions: [died, .runAgain, died]),
    Row(cause: .reaction, retryAt: t(5), decisions: [failed, failed, failed]),
    Row(
      cause: .reaction, retryAt: t(5), hasUpstream: true,
      decisions: [.retry(at: t(5)), .retry(at: t(5)), failed]),
    // A rerun goes on only if the entry that it repeats is known.
    Row(cause: .rerun, decisions: [died, died, died]),
    Row(cause: .rerun, hasOrigin: true, decisions: [died, .runAgain, died]),
    Row(cause: .rerun, retryAt: t(5), decisions: [failed, failed, failed]),
    Row(
      cause: .rerun, retryAt: t(5), hasOrigin: true,
      decisions: [.retry(at: t(5)), .retry(at: t(5)), failed]),
  ]

  @Test(arguments: rows) func `ends or goes on by its job's delivery and retry policies`(_ row: Row) {
    var run = OpenRun(
      run: .number(1), entry: EntryKey(job: name("a"), nominal: t(0)), cause: row.cause,
      attempts: row.attempts, startedAt: t(0), isAlive: row.isAlive)
    run.retryAt = row.retryAt
    run.message = "it broke"
    if row.hasUpstream {
      run.upstream = EntryRecord(
        entry: EntryKey(job: name("b"), nominal: t(0)), outcome: .failed, endedAt: t(0))
    }
    if row.hasOrigin { run.rerun = RerunOrigin(of: t(-10), number: 2) }
    let decisions = [DeliveryPolicy.atMostOnce, .atLeastOnce].map { delivery in
      var policies = JobPolicies()
      policies.delivery = delivery
      policies.retry = RetryPolicy(attempts: 3, backoffFrom: .seconds(1), backoffTo: .seconds(10))
      return DeliveryDecision(run, isDuplicate: row.isDuplicate, policies, t(0))
    }
    #expect(
      decisions + [DeliveryDecision(run, isDuplicate: row.isDuplicate, nil, t(0))] == row.decisions)
  }
}
