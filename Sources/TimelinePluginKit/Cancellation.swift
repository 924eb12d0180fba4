import Synchronization

/// Holds a run's action for a request to stop until the request comes. One for each instance, emptied after each run.
final class Cancellation: Sendable {
  private struct State: Sendable {
    var isCancelled = false
    var action: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// Takes `action`, or performs it at once when the run has been asked to stop already.
  func set(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      if !state.isCancelled { state.action = action }
      return state.isCancelled
    }
    if isLate { action() }
  }

  /// Performs the action outside the lock, so that it may call ``set(_:)``.
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
