import TimelineCore
import TimelineEngine

/// Shortage of a system resource (for example processes or descriptors) that prevented the start of a host.
struct HostShortage: Sendable {
  var reason: String
}

// Handling of shortages: no further host can be started because of load, not because of a fault of a plugin or a job.
extension HostPoolState {
  /// Handles a failure to start a host because of a shortage. Runs continue to wait and use the present hosts. The start is
  /// tried again later, because a resource that was short becomes free again.
  mutating func spawnPutOff(_ id: HostID, _ reason: String) {
    guard let index = index(of: id) else { return }
    let kind = hosts.remove(at: index).kind
    effects.append(.forget(.load(id)))
    // An inquiry about a plugin does not wait for the end of the shortage.
    if let index = waiting.firstIndex(where: { $0.run == nil && $0.kind == kind }) {
      let sentence = "\(kind.pluginPath): its plugin host could not be started: \(reason)"
      dismiss(removeWaiter(at: index), .failed(sentence))
    }
    if shortage == nil, !isShuttingDown {
      shortage = HostShortage(reason: reason)
      shortageCount += 1
      let pause = limits.pause(afterFailures: shortageCount)
      effects.append(.wait(.shortage, pause))
      effects.append(.note(.shortage(pause, reason: reason)))
    }
    finishIfDone()
  }

  /// Ends the shortage.
  mutating func endShortage() {
    guard shortage != nil else { return }
    shortage = nil
    effects.append(.forget(.shortage))
  }
}
