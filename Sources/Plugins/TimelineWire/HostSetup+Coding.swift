import TimelineCore

extension HostSetup {
  /// Writes every field. Tables are written in the byte order of their keys, so that each setup has one encoding.
  func write(to writer: inout WireWriter) {
    writer.write(memoryBytes) { $0.write($1) }
    writer.write(processorTime) { $0.write($1.nanoseconds) }
    writer.write(openFileCount) { $0.write($1) }
    writer.write(processCount) { $0.write($1) }
    writer.write(runLimits)
    writer.write(niceness) { $0.write(Int64($1)) }
    writer.write(ioPriority) { $0.write($1) }
    writer.write(noNewPrivileges)
    writer.write(sandbox)
    writer.write(fileModeMask) { $0.write($1) }
    writer.write(workingDirectory) { $0.write($1) }
    writer.write(group) { $0.write($1) }
    writer.write(environmentFiles)
    writer.write(environment)
    writer.write(credentials)
    writer.write(leftovers == .keep)
    writer.write(pluginDigest) { $0.write($1.text) }
  }

  init(from reader: inout WireReader) throws(WireError) {
    self.init()
    memoryBytes = try reader.optional("memory") { reader throws(WireError) in try reader.integer() }
    processorTime = try reader.optional("processor time") { reader throws(WireError) in
      ElapsedTime(nanoseconds: try reader.integer())
    }
    openFileCount = try reader.optional("open files") { reader throws(WireError) in try reader.integer() }
    processCount = try reader.optional("processes") { reader throws(WireError) in try reader.integer() }
    runLimits = try reader.runLimits()
    niceness = try reader.optional("niceness") { reader throws(WireError) in
      Int(try reader.integer(Int64.self))
    }
    ioPriority = try reader.optional("io priority") { reader throws(WireError) in try reader.ioPriority() }
    noNewPrivileges = try reader.boolean("no new privileges")
    sandbox = try reader.sandbox()
    fileModeMask = try reader.optional("umask") { reader throws(WireError) in try reader.integer() }
    workingDirectory = try reader.optional("working directory") { reader throws(WireError) in
      try reader.text("working directory", max: WireLimits.pathMax)
    }
    group = try reader.optional("group") { reader throws(WireError) in
      try reader.text("group", max: WireLimits.userMax)
    }
    environmentFiles = try reader.paths(
      "environment files", countMax: JobLimits.environmentFilesMax,
      bytesMax: JobLimits.environmentFilePathsMax)
    environment = try reader.table(
      "environment", countMax: WireLimits.variablesMax, bytesMax: WireLimits.environmentMax)
    credentials = try reader.table(
      "credentials", countMax: WireLimits.credentialsMax, bytesMax: WireLimits.credentialNamesMax)
    leftovers = try reader.boolean("leftovers") ? .keep : .kill
    pluginDigest = try reader.optional("digest") { reader throws(WireError) in
      guard let digest = FileDigest(try reader.text("digest", max: FileDigest.digitCount)) else {
        throw .malformed(field: "digest")
      }
      return digest
    }
  }
}

extension WireWriter {
  fileprivate mutating func write(_ priority: HostSetup.IOPriority) {
    switch priority {
    case .bestEffort(let level):
      write(UInt8(0))
      write(Int64(level))
    case .idle:
      write(UInt8(1))
    }
  }

  fileprivate mutating func write(_ table: [String: String]) {
    write(UInt16(clamping: table.count))
    for (key, value) in table.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      write(key)
      write(value)
    }
  }
}

extension WireReader {
  fileprivate mutating func ioPriority() throws(WireError) -> HostSetup.IOPriority {
    switch try integer(UInt8.self) {
    case 0: return .bestEffort(level: Int(try integer(Int64.self)))
    case 1: return .idle
    default: throw .malformed(field: "io priority")
    }
  }

  fileprivate mutating func table(
    _ field: String, countMax: Int, bytesMax: Int
  ) throws(WireError) -> [String: String] {
    let count = Int(try integer(UInt16.self))
    guard count <= countMax else { throw .tooMany(field: field, count: count, max: countMax) }
    var table: [String: String] = [:]
    var last: String?
    for _ in 0..<count {
      let key = try text(field, max: bytesMax)
      // Two keys with ascending bytes can be equal in Swift, because its == compares characters.
      guard last?.utf8.lexicographicallyPrecedes(key.utf8) ?? true, table[key] == nil else {
        throw .malformed(field: field)
      }
      table[key] = try text(field, max: bytesMax)
      last = key
    }
    return table
  }
}
