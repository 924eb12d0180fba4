import TimelineCore

/// End of a run that was stopped, or whose plugin was never called.
enum RunEndDecision: Sendable, Hashable {
  /// The entry has this outcome and reason.
  case settle(Outcome, reason: String)
  /// The next daemon takes up the run.
  case leave

  /// Decides about a run whose attempt waited for a plugin host and was not started.
  ///
  /// - Parameters:
  ///   - stop: Reason of the stop request; `nil` for none.
  ///   - isSuperseded: Whether a later entry is to replace the run.
  ///   - isStopping: Whether the engine has stopped all starts.
  ///   - isLeft: Whether the ledger has the waiting entry for the next daemon.
  ///   - isRetired: Whether the job was removed.
  ///   - isTooLate: Whether the missed window has passed.
  ///   - noHost: Reason why there was no plugin host in time.
  init(
    unstarted stop: StopReason?, isSuperseded: Bool, isStopping: Bool, isLeft: Bool, isRetired: Bool,
    isTooLate: Bool, noHost: @autoclosure () -> String
  ) {
    if stop == .cancel {
      self =
        isSuperseded
        ? .settle(.superseded, reason: Reason.superseded)
        : .settle(.cancelled, reason: "stopped before its plugin was called")
    } else if stop == .shutDown || isStopping {
      self = isLeft ? .leave : .settle(.shutDown, reason: Reason.stopping)
    } else if isRetired {
      self = .settle(.missed, reason: Reason.removed)
    } else if isTooLate {
      self = .settle(
        .missed, reason: "no plugin host was free before it was later than the missed window allows")
    } else {
      self = .settle(.limited, reason: noHost())
    }
  }

  /// Decides about a run whose attempt ended after it was asked to stop.
  ///
  /// - Parameters:
  ///   - stop: Reason of the stop request.
  ///   - isSuperseded: Whether a later entry is to replace the run.
  ///   - result: Result of the attempt. Its message follows the reason of the stop.
  ///   - timeout: Timeout that the run exceeded. A reload may have given the job another timeout since.
  ///   - isLeftToRunAgain: Whether the next daemon starts the run again.
  init(
    stopped stop: StopReason, isSuperseded: Bool, _ result: AttemptResult, timeout: ElapsedTime,
    isLeftToRunAgain: Bool
  ) {
    let message = result.message.isEmpty ? "" : ": \(result.message)"
    switch stop {
    case .timeout: self = .settle(.timedOut, reason: "ran longer than its timeout of \(timeout)\(message)")
    case .cancel:
      self = .settle(
        .cancelled, reason: (isSuperseded ? "stopped by its overlap policy" : "stopped on request") + message)
    case .shutDown where isLeftToRunAgain && result.status != .succeeded: self = .leave
    case .shutDown: self = .settle(.cancelled, reason: "stopped because timelined was stopping\(message)")
    }
  }
}
