import TimelineCore

/// Reads a job's `run-limits`.
struct RunLimitsReader {
  let reading: FileReading

  /// Returns the limits. Reports and omits limits with errors.
  func read(_ item: Item) -> RunLimits {
    var limits = RunLimits()
    let help = ["it looks like { memory = \"200M\", cpu = \"50%\", tasks = 20 }"]
    guard let entries = reading.table(item, expected: "a table of limits", help: help) else { return limits }
    let fields = Fields(entries, of: .runLimits, path: item.path + ".", in: reading)
    limits.memoryBytes = fields["memory"].flatMap {
      reading.byteSize($0, in: ConfigurationLimits.memoryRange)
    }
    limits.processorPercent = fields["cpu"].flatMap {
      reading.percentage($0, in: ConfigurationLimits.processorPercentRange)
    }
    limits.taskCount = fields["tasks"].flatMap {
      reading.integer($0, in: ConfigurationLimits.processCountRange).map { Int($0) }
    }
    if let policy = fields["unsupported"].flatMap({ reading.choice($0, of: UnsupportedPolicy.self) }) {
      limits.unsupported = policy
    }
    return limits
  }
}
