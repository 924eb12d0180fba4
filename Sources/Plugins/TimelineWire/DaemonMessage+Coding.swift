import TimelineCore

extension DaemonMessage {
  /// The message in bytes, at most ``WireLimits/messageMax``.
  package func encoded() -> [UInt8] {
    switch self {
    case .load(let request): encode(1) { request.write(to: &$0) }
    case .open(let request): encode(2) { request.write(to: &$0) }
    case .run(let request): encode(3) { request.write(to: &$0) }
    case .cancel(let run): encode(4) { $0.write(run) }
    case .close(let instance): encode(5) { $0.write(instance) }
    case .exit: encode(6)
    case .mode(let run, let current):
      encode(7) { writer in
        writer.write(run)
        writer.write(current.mode == .lowFrequency)
        writer.write(UInt8(current.cadence.rawValue))
      }
    }
  }

  /// Reads a message. Decoding and encoding again yields the same bytes.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    var reader = try WireReader(bytes)
    switch reader.kind {
    case 1: self = .load(try LoadRequest(from: &reader))
    case 2: self = .open(try OpenRequest(from: &reader))
    case 3: self = .run(try RunRequest(from: &reader))
    case 4: self = .cancel(run: try reader.integer())
    case 5: self = .close(instance: try reader.integer())
    case 6: self = .exit
    case 7:
      let run: UInt64 = try reader.integer()
      let mode: ScheduleMode = try reader.boolean("mode") ? .lowFrequency : .normal
      self = .mode(run: run, CurrentMode(mode, try reader.cadence()))
    default: throw .kind(reader.kind)
    }
    try reader.finish()
  }
}

/// Returns the bytes of a message of the kind `kind`; `body` writes the fields.
func encode(_ kind: UInt8, _ body: (inout WireWriter) -> Void = { _ in }) -> [UInt8] {
  var writer = WireWriter(kind: kind)
  body(&writer)
  return writer.finish()
}

extension LoadRequest {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(path)
    writer.write(user) { $0.write($1) }
    setup.write(to: &writer)
    writer.write(credentialsDirectory) { $0.write($1) }
    writer.write(controlGroup) { $0.write($1) }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    try self.init(
      path: reader.text("path", max: WireLimits.pathMax),
      user: reader.optional("user") { reader throws(WireError) in
        try reader.text("user", max: WireLimits.userMax)
      },
      setup: HostSetup(from: &reader),
      credentialsDirectory: reader.optional("credentials directory") { reader throws(WireError) in
        try reader.text("credentials directory", max: WireLimits.pathMax)
      },
      controlGroup: reader.optional("control group") { reader throws(WireError) in
        try reader.text("control group", max: WireLimits.controlGroupMax)
      })
  }
}

extension OpenRequest {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(job.text)
    writer.write(parameters)
    writer.write(isRehearsal)
    writer.write(instance)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    guard let job = JobName(try reader.text("job", max: JobName.lengthMax)) else {
      throw .malformed(field: "job")
    }
    try self.init(
      job: job, parameters: reader.text("parameters", max: WireLimits.parametersMax),
      isRehearsal: reader.boolean("rehearsal"), instance: reader.integer())
  }
}

extension RunRequest {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(run)
    writer.write(runKey)
    writer.write(nominal.nanosecondsSinceEpoch)
    writer.write(actual.nanosecondsSinceEpoch)
    writer.write(deadline) { $0.write($1.nanosecondsSinceEpoch) }
    writer.write(UInt8(cadence.rawValue))
    writer.write(mode == .lowFrequency)
    writer.write(attempt)
    writer.write(entryCount)
    writer.write(previous) {
      $0.write($1.status.rawValue)
      $0.write($1.text)
    }
    writer.write(cursor)
    writer.write(upstream) { $0.write($1) }
    writer.write(instance)
    writer.write(notBefore) { $0.write($1) }
    writer.write(spin)
    writer.write(startBy) { $0.write($1) }
    writer.write(fencingToken) { $0.write($1) }
    writer.write(UInt16(movedFrom.count))
    for origin in movedFrom { writer.write(origin.nanosecondsSinceEpoch) }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    try self.init(
      run: reader.integer(),
      runKey: reader.text("run key", max: WireLimits.runKeyMax),
      nominal: WallInstant(nanosecondsSinceEpoch: reader.integer()),
      actual: WallInstant(nanosecondsSinceEpoch: reader.integer()),
      deadline: reader.optional("deadline") { reader throws(WireError) in
        WallInstant(nanosecondsSinceEpoch: try reader.integer())
      },
      cadence: reader.cadence(),
      mode: reader.boolean("mode") ? .lowFrequency : .normal,
      attempt: reader.integer(),
      entryCount: reader.integer(),
      previous: reader.optional("previous") { reader throws(WireError) in
        Previous(status: try reader.status(), text: try reader.text("previous", max: WireLimits.textMax))
      },
      cursor: reader.data("cursor", max: WireLimits.cursorMax),
      upstream: reader.optional("upstream") { reader throws(WireError) in
        try reader.text("upstream", max: WireLimits.upstreamMax)
      }, instance: reader.integer(),
      notBefore: reader.optional("not before") { reader throws(WireError) in try reader.integer() },
      spin: reader.integer(),
      startBy: reader.optional("start by") { reader throws(WireError) in try reader.integer() },
      fencingToken: reader.optional("fencing token") { reader throws(WireError) in try reader.integer() },
      movedFrom: reader.instants("instants that it moved from", max: WireLimits.movedFromMax))
  }
}

extension WireReader {
  fileprivate mutating func cadence() throws(WireError) -> Cadence {
    guard let cadence = Cadence(rawValue: Int(try integer(UInt8.self))) else {
      throw .malformed(field: "cadence")
    }
    return cadence
  }

  fileprivate mutating func instants(_ field: String, max: Int) throws(WireError) -> [WallInstant] {
    let count = Int(try integer(UInt16.self))
    guard count <= max else { throw .tooMany(field: field, count: count, max: max) }
    var instants: [WallInstant] = []
    for _ in 0..<count { instants.append(WallInstant(nanosecondsSinceEpoch: try integer())) }
    return instants
  }

  mutating func status() throws(WireError) -> RunStatus {
    guard let status = RunStatus(rawValue: try integer()) else { throw .malformed(field: "status") }
    return status
  }
}
