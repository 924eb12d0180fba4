internal import Synchronization

/// The processes that this one has started by itself and that no other part of it knows: they are no orphans.
package final class OwnChildren: Sendable {
  private let numbers = Mutex<Set<Int32>>([])

  /// Makes a list without processes.
  package init() {}

  /// Whether a process is in the list.
  package func contains(_ process: Int32) -> Bool { numbers.withLock { $0.contains(process) } }

  /// Puts a process on the list.
  package func insert(_ process: Int32) {
    numbers.withLock { numbers in _ = numbers.insert(process) }
  }

  /// Takes a process off the list, because it was reaped.
  package func remove(_ process: Int32) {
    numbers.withLock { numbers in _ = numbers.remove(process) }
  }
}
