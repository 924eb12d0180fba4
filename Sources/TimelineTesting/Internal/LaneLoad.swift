/// The jobs that the lane has before it, and who waits for it to come to rest; plain data under the lock of ``Lane``.
///
/// The lane rests as a whole. An actor that several tests share runs the work of all of them in one turn, which is
/// the job of one family: no family by itself shows whether its own work is done.
struct LaneLoad {
  private struct Waiter {
    let families: Set<UInt64>
    let continuation: CheckedContinuation<Void, Never>
  }

  /// Jobs taken and not yet run.
  private var outstanding = 0
  /// Jobs run since a waiter went on last.
  private var served = 0
  private var waiters: [Waiter] = []

  private var isAtRest: Bool { outstanding == 0 || served >= TestingLimits.jobsPerSettling }

  mutating func add(_ jobs: Int) { outstanding += jobs }

  mutating func finishJob() {
    outstanding -= 1
    served += 1
  }

  mutating func addWaiter(for families: Set<UInt64>, _ continuation: CheckedContinuation<Void, Never>) {
    waiters.append(Waiter(families: families, continuation: continuation))
  }

  /// Takes out the waiter that goes on now; `nil` while the lane is not at rest.
  ///
  /// Of the waiters that share a family the latest, because a task that was woken by an advance and makes one itself is
  /// part of the first one. Tests that have nothing in common take turns.
  mutating func popWaiter() -> CheckedContinuation<Void, Never>? {
    guard isAtRest, let index = waiters.indices.first(where: isLatestOfItsFamilies) else { return nil }
    served = 0
    return waiters.remove(at: index).continuation
  }

  private func isLatestOfItsFamilies(_ index: Int) -> Bool {
    waiters[(index + 1)...].allSatisfy { $0.families.isDisjoint(with: waiters[index].families) }
  }
}
