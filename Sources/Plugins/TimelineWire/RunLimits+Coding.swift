import TimelineCore

extension WireWriter {
  mutating func write(_ limits: RunLimits) {
    write(limits.memoryBytes) { $0.write($1) }
    write(limits.processorPercent) { $0.write(Int64($1)) }
    write(limits.taskCount) { $0.write(Int64($1)) }
    write(limits.unsupported == .run)
  }
}

extension WireReader {
  mutating func runLimits() throws(WireError) -> RunLimits {
    var limits = RunLimits()
    limits.memoryBytes = try optional("memory of a run") { reader throws(WireError) in try reader.integer() }
    limits.processorPercent = try optional("processor share") { reader throws(WireError) in
      Int(try reader.integer(Int64.self))
    }
    limits.taskCount = try optional("tasks") { reader throws(WireError) in
      Int(try reader.integer(Int64.self))
    }
    limits.unsupported = try boolean("unsupported limits") ? .run : .refuse
    return limits
  }
}
