internal import Synchronization

/// Processes that this process has started and no other part of it tracks, so that they do not count as orphans. Thread-safe.
package final class OwnChildren: Sendable {
  private struct State {
    var numbers: Set<Int32> = []
    /// Number of starts under way. Their processes have no number here yet.
    var startingCount = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether a process is in the list, or may be added: while a start is under way, any process may be the new one.
  package func mayContain(_ process: Int32) -> Bool {
    state.withLock { $0.startingCount > 0 || $0.numbers.contains(process) }
  }

  /// Starts a process and adds it to the list.
  package func start(
    _ spawn: () throws(SystemError) -> ChildProcess
  ) throws(SystemError) -> ChildProcess {
    state.withLock { $0.startingCount += 1 }
    defer { state.withLock { $0.startingCount -= 1 } }
    let child = try spawn()
    state.withLock { state in _ = state.numbers.insert(child.pid) }
    return child
  }

  /// Removes a process from the list, because it was reaped.
  package func remove(_ process: Int32) {
    state.withLock { state in _ = state.numbers.remove(process) }
  }
}
