import TimelineCore

extension WireWriter {
  mutating func write(_ sandbox: Sandbox) {
    write(sandbox.systemCalls.rawValue)
    write(sandbox.writable) { $0.write($1) }
    write(sandbox.unsupported == .run)
  }
}

extension WireReader {
  mutating func sandbox() throws(WireError) -> Sandbox {
    var sandbox = Sandbox()
    guard
      let policy = SystemCallPolicy(rawValue: try text("system calls", max: WireLimits.wordMax))
    else { throw .malformed(field: "system calls") }
    sandbox.systemCalls = policy
    sandbox.writable = try optional("writable paths") { reader throws(WireError) in
      try reader.paths(
        "writable paths", countMax: JobLimits.writablePathsMax, bytesMax: JobLimits.writablePathsByteCountMax)
    }
    sandbox.unsupported = try boolean("unsupported") ? .run : .refuse
    return sandbox
  }
}
