import Synchronization

/// Stores the action that a run has set for a request to stop, until the request arrives. Each instance has one store, which
/// is emptied after each run.
final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Stores `action`, or performs it at once when the run has already been asked to stop.
  func set(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.action = action }
      return state.isCancelled
    }
    if isLate { action() }
  }

  /// Performs the action outside the lock, so that the action may call ``set(_:)``.
  func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      defer { state.action = nil }
      return state.action
    }
    action?()
  }

  func reset() {
    state.withLock { $0 = State() }
  }
}
