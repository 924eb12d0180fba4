import TimelineCore

/// Decision about a run that an earlier daemon left open.
enum DeliveryDecision: Sendable, Hashable {
  /// The run is active: its plugin host is alive.
  case adopt
  /// The last attempt failed. The next attempt comes at this instant.
  case retry(at: WallInstant)
  /// The run died with its daemon. Its delivery policy guarantees another attempt at once.
  case runAgain
  /// The run ended with this outcome and reason.
  case end(Outcome, reason: String)

  /// Decides by the job's policies; `nil` for a job that is not configured.
  ///
  /// After an attempt that is known to have failed, a next attempt is right under either delivery policy, because the failed
  /// attempt has ended. A run whose number another run has (`isDuplicate`) does not go on.
  init(_ run: OpenRun, isDuplicate: Bool, _ policies: JobPolicies?, _ now: WallInstant) {
    // A reaction whose upstream entry is not known has nothing to react to, and a repetition nothing to repeat.
    let isUnknown =
      run.cause == .reaction && run.upstream == nil || run.cause.repeatsEntry && run.rerun == nil
    let policies = isUnknown ? nil : policies
    let isPromised = policies?.delivery == .atLeastOnce
    if run.isAlive, !isDuplicate {
      self = .adopt
    } else if let instant = run.retryAt {
      let plan = RetryPlan(isDuplicate ? nil : policies?.retry)
      let next = plan.resumption(after: run.attempts, dueAt: instant, now)
      self = next.map { .retry(at: $0) } ?? .end(.failed, reason: run.message)
    } else if isPromised, !isDuplicate, run.attempts < RetryPlan(policies?.retry).startsMax {
      self = .runAgain
    } else if isPromised {
      let reason = run.node.map(Reason.silent) ?? "the daemon died in the last of \(run.attempts) attempts"
      self = .end(.lost, reason: reason)
    } else {
      self = .end(.unknown, reason: run.node.map(Reason.silent) ?? Reason.daemonDied)
    }
  }
}
