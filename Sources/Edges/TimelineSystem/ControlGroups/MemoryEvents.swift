/// Counts of out-of-memory events of a control group, from its file `memory.events`.
struct MemoryEvents: Sendable, Hashable {
  /// Number of times that the group's processes reached the group's own limit and no memory could be freed.
  var limitReached: UInt64 = 0
  /// Number of the group's processes that an out-of-memory killer killed, at the group's own limit or at another limit.
  var kills: UInt64 = 0

  init() {}

  /// Reads the lines `oom 1` and `oom_kill 1`.
  init(reading text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, let count = UInt64(words[1]) else { continue }
      switch words[0] {
      case "oom": limitReached = count
      case "oom_kill": kills = count
      default: break
      }
    }
  }

  /// Returns the kind of shortage for which processes were killed since `former`; `nil` if none were killed.
  func shortage(since former: MemoryEvents) -> MemoryShortage? {
    guard kills > former.kills else { return nil }
    return limitReached > former.limitReached ? .ofRun : .ofMachine
  }
}

/// The memory that was short when the kernel killed a process of a run.
package enum MemoryShortage: Sendable, Hashable {
  /// The run's own memory: the run used more than its limit.
  case ofRun
  /// The memory of the service or of the machine.
  case ofMachine
}
