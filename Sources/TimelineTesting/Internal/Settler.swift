internal import Synchronization

/// Lets the tasks of a clock come to rest.
///
/// They are the tasks of the lane in which the clock was made. A task that has a lane of its own already, because
/// it belongs to another clock, brings that lane with it when it touches this one.
final class Settler: Sendable {
  private let lanes: Mutex<[Lane]>
  private let home: Lane

  init() {
    home = Lanes.open()
    lanes = Mutex([home])
  }

  deinit { Lanes.close(home) }

  /// Whether all tasks of the process are seen.
  var isExact: Bool { Lanes.isHooked }

  /// Counts the current task among those to wait for.
  func join() {
    guard let lane = Lanes.join(home), lane !== home else { return }
    lanes.withLock { lanes in
      if !lanes.contains(where: { $0 === lane }) { lanes.append(lane) }
    }
  }

  /// Waits until no task has anything left to do.
  func settle() async {
    join()
    guard isExact else {
      for _ in 0..<Limits.turnsWithoutHook { await Task.yield() }
      return
    }
    await home.rest()
    // Lanes can keep each other busy: they must be found at rest one after another without much having been done.
    for _ in 0..<Limits.roundsOfLanes {
      let lanes = self.lanes.withLock { $0 }
      if lanes.count == 1 { return }
      let before = lanes.map(\.served)
      for lane in lanes { await lane.rest() }
      let turns = zip(lanes, before).map { $0.served - $1 }.reduce(0, +)
      if turns <= lanes.count * Limits.turnsOfARound { return }
    }
  }
}
