import TimelineCore
import TimelineEngine

/// Shortage of a system resource, for example processes or descriptors, when a host was to be started.
struct HostShortage: Sendable {
  var reason: String
}

// Times in which no further host can be started: load, and no fault of a plugin or a job.
extension HostPoolState {
  /// A host could not be started for want of something that the system gives back by and by: runs go on waiting, with the
  /// hosts that there are, and it is tried again later.
  mutating func spawnPutOff(_ id: HostID, _ reason: String) {
    guard let index = index(of: id) else { return }
    let kind = hosts.remove(at: index).kind
    effects.append(.forget(.load(id)))
    // An inquiry about a plugin has no time to wait.
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

  /// Forgets that something was short.
  mutating func endShortage() {
    guard shortage != nil else { return }
    shortage = nil
    effects.append(.forget(.shortage))
  }
}
