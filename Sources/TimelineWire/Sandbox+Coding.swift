import TimelineCore

extension WireWriter {
  mutating func write(_ sandbox: Sandbox) {
    write(sandbox.systemCalls.rawValue)
    write(sandbox.writable) { writer, paths in
      writer.write(UInt16(clamping: paths.count))
      for path in paths { writer.write(path.text) }
    }
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
      try reader.writablePaths()
    }
    sandbox.unsupported = try boolean("unsupported") ? .run : .refuse
    return sandbox
  }

  private mutating func writablePaths() throws(WireError) -> [WritablePath] {
    let (field, max) = ("writable paths", JobLimits.writablePathsMax)
    let count = Int(try integer(UInt16.self))
    guard count <= max else { throw .tooMany(field: field, count: count, max: max) }
    var paths: [WritablePath] = []
    for _ in 0..<count {
      paths.append(WritablePath(try text(field, max: JobLimits.writablePathsByteCountMax)))
    }
    return paths
  }
}
