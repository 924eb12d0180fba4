/// Counts of what happened to a control group for want of memory, from its file `memory.events`.
struct MemoryEvents: Sendable, Hashable {
  /// Times that its processes reached its own limit and nothing could be freed.
  var limitReached: UInt64 = 0
  /// Processes that the kernel killed for want of memory, whoever lacked it.
  var kills: UInt64 = 0

  /// Makes the events of a new group.
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

  /// The shortage for which processes were killed since `former`; `nil` if none were.
  func shortage(since former: MemoryEvents) -> MemoryShortage? {
    guard kills > former.kills else { return nil }
    return limitReached > former.limitReached ? .ofRun : .ofMachine
  }
}

/// The memory that was short when the kernel killed a process of a run.
package enum MemoryShortage: Sendable, Hashable {
  /// The run's own: it used more than its limit.
  case ofRun
  /// The memory of the service or of the machine.
  case ofMachine
}
