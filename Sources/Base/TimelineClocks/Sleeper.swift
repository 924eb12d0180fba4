internal import Synchronization

/// One call of ``ScaledClock/sleep(until:tolerance:)``: its outcome, and a signal to check the clock again.
final class Sleeper: Sendable {
  enum Outcome {
    case due
    case cancelled
  }

  let task: TaskIdentity
  /// Whether the task is expected to sleep again, until its ``SleeperVisit`` leaves.
  let isVisitor: Bool

  init(isVisitor: Bool) {
    self.task = .current
    self.isVisitor = isVisitor
  }

  private enum WakeSignal {
    case silent
    /// Signaled while no task waited; the next wait returns at once.
    case rung
    case awaited(CheckedContinuation<Void, Never>)
  }

  private struct State {
    var outcome: Outcome?
    var bell = WakeSignal.silent
    var hasDeparted = false
    var farewell: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// The outcome of the sleep; `nil` while it lasts.
  var outcome: Outcome? { state.withLock { $0.outcome } }

  /// Ends the sleep. Only the first call has an effect.
  func decide(_ outcome: Outcome) {
    state.withLock { if $0.outcome == nil { $0.outcome = outcome } }
  }

  /// Waits for a signal. Returns at once if there was a signal since the last wait.
  func signal() async {
    await withCheckedContinuation { continuation in
      let hasRung = state.withLock { state in
        if case .rung = state.bell {
          state.bell = .silent
          return true
        }
        state.bell = .awaited(continuation)
        return false
      }
      if hasRung { continuation.resume() }
    }
  }

  /// Sends a signal.
  func post() {
    let listener: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .awaited(let continuation) = state.bell else {
        state.bell = .rung
        return nil
      }
      state.bell = .silent
      return continuation
    }
    listener?.resume()
  }

  /// Records that the sleeper has left, and resumes the tasks that wait in ``departure()``.
  func depart() {
    let waiting = state.withLock { state in
      state.hasDeparted = true
      defer { state.farewell = [] }
      return state.farewell
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until the sleeper has left.
  func departure() async {
    await withCheckedContinuation { continuation in
      let hasDeparted = state.withLock { state in
        if !state.hasDeparted { state.farewell.append(continuation) }
        return state.hasDeparted
      }
      if hasDeparted { continuation.resume() }
    }
  }
}
