/// The jobs that the lane has before it, by family, and who waits for them; plain data under the lock of ``Lane``.
struct LaneLoad {
  private struct Load {
    /// Jobs taken and not yet run.
    var outstanding = 0
    /// Jobs run since there was none left, or since somebody went on nevertheless.
    var served = 0

    var isAtRest: Bool { outstanding == 0 || served >= TestingLimits.jobsPerSettling }
  }

  private struct Waiter {
    let families: Set<UInt64>
    let continuation: CheckedContinuation<Void, Never>
  }

  /// Families with jobs left.
  private var loads: [UInt64: Load] = [:]
  private var waiters: [Waiter] = []

  mutating func add(_ jobs: Int, of family: UInt64) {
    loads[family, default: Load()].outstanding += jobs
  }

  /// Notes that a job has been run, and returns whether its family is at rest now.
  mutating func finishJob(of family: UInt64) -> Bool {
    var load = loads[family, default: Load(outstanding: 1)]
    load.outstanding -= 1
    load.served += 1
    loads[family] = load.outstanding == 0 ? nil : load
    return load.isAtRest
  }

  mutating func addWaiter(for families: Set<UInt64>, _ continuation: CheckedContinuation<Void, Never>) {
    waiters.append(Waiter(families: families, continuation: continuation))
  }

  /// Takes out the latest waiter whose families are at rest.
  ///
  /// The latest, because a task that was woken by an advance and makes one itself is part of the first one.
  mutating func popWaiter() -> CheckedContinuation<Void, Never>? {
    guard let index = waiters.lastIndex(where: { isAtRest($0.families) }) else { return nil }
    let waiter = waiters.remove(at: index)
    for family in waiter.families { loads[family]?.served = 0 }
    return waiter.continuation
  }

  private func isAtRest(_ families: Set<UInt64>) -> Bool {
    families.allSatisfy { loads[$0]?.isAtRest ?? true }
  }
}
