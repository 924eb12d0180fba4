import Testing
import TimelineCore

@testable import TimelineEngine

@Suite struct `How a run ends` {
  struct Unstarted: Sendable {
    var stop: StopReason?
    var isSuperseded = false
    var isStopping = false
    var isLeft = false
    var isRetired = false
    var isTooLate = false
    /// `nil` for a run that the next daemon continues.
    var outcome: Outcome?
  }

  @Test(arguments: [
    Unstarted(outcome: .limited),
    Unstarted(isTooLate: true, outcome: .missed),
    Unstarted(isRetired: true, isTooLate: true, outcome: .missed),
    Unstarted(isStopping: true, isTooLate: true, outcome: .shutDown),
    Unstarted(isStopping: true, isLeft: true, outcome: nil),
    Unstarted(stop: .cancel, isStopping: true, isLeft: true, outcome: .cancelled),
    Unstarted(stop: .cancel, isSuperseded: true, outcome: .superseded),
    Unstarted(stop: .timeout, outcome: .limited),
    Unstarted(stop: .timeout, isStopping: true, outcome: .shutDown),
    Unstarted(stop: .timeout, isTooLate: true, outcome: .missed),
    Unstarted(stop: .shutDown, isLeft: true, outcome: nil),
  ])
  func `without a call of the plugin follows the reason too`(_ row: Unstarted) {
    let end = RunEndDecision(
      unstarted: row.stop, isSuperseded: row.isSuperseded, isStopping: row.isStopping, isLeft: row.isLeft,
      isRetired: row.isRetired, isTooLate: row.isTooLate, noHost: "no plugin host")
    switch end {
    case .leave: #expect(row.outcome == nil)
    case .settle(let outcome, let reason):
      #expect(outcome == row.outcome)
      #expect((reason == "no plugin host") == (outcome == .limited))
    }
  }

  @Test(
    arguments: [
      (.timeout, false, "", .settle(.timedOut, reason: "ran longer than its timeout of 5s")),
      (.timeout, false, "killed", .settle(.timedOut, reason: "ran longer than its timeout of 5s: killed")),
      (.cancel, false, "", .settle(.cancelled, reason: "stopped on request")),
      (.cancel, true, "killed", .settle(.cancelled, reason: "stopped by its overlap policy: killed")),
      (.shutDown, false, "", .settle(.cancelled, reason: "stopped because timelined was stopping")),
    ] as [(StopReason, Bool, String, RunEndDecision)])
  func `follows the reason of its stop`(
    _ stop: StopReason, _ isSuperseded: Bool, _ message: String, _ expected: RunEndDecision
  ) {
    let result = AttemptResult(status: .failed, message: message)
    let end = RunEndDecision(
      stopped: stop, isSuperseded: isSuperseded, result, timeout: .seconds(5), isLeftToRunAgain: false)
    #expect(end == expected)
    // The next daemon runs again a run that this one stopped for its own shutdown, unless the run succeeded.
    let left = RunEndDecision(
      stopped: stop, isSuperseded: isSuperseded, result, timeout: .seconds(5), isLeftToRunAgain: true)
    #expect(left == (stop == .shutDown ? .leave : expected))
    let succeeded = RunEndDecision(
      stopped: stop, isSuperseded: isSuperseded, AttemptResult(status: .succeeded, message: message),
      timeout: .seconds(5), isLeftToRunAgain: true)
    #expect(succeeded == expected)
  }
}
