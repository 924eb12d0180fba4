internal import Synchronization

/// The processes that this one has started by itself and that no other part of it knows: they are no orphans. Any thread may use it.
package final class OwnChildren: Sendable {
  private struct State {
    var numbers: Set<Int32> = []
    /// Number of starts under way, whose processes have no number here yet.
    var startingCount = 0
  }

  private let state = Mutex(State())

  /// Makes a list without processes.
  package init() {}

  /// Whether a process is in the list, or may come to it: while one is being started, any process may be that one.
  package func mayContain(_ process: Int32) -> Bool {
    state.withLock { $0.startingCount > 0 || $0.numbers.contains(process) }
  }

  /// Starts a process and puts it on the list.
  package func start(
    _ spawn: () throws(SystemError) -> ChildProcess
  ) throws(SystemError) -> ChildProcess {
    state.withLock { $0.startingCount += 1 }
    defer { state.withLock { $0.startingCount -= 1 } }
    let child = try spawn()
    state.withLock { state in _ = state.numbers.insert(child.pid) }
    return child
  }

  /// Takes a process off the list, because it was reaped.
  package func remove(_ process: Int32) {
    state.withLock { state in _ = state.numbers.remove(process) }
  }
}
