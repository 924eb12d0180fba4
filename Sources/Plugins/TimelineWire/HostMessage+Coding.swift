extension HostMessage {
  /// The message in bytes, at most ``WireLimits/messageMax``.
  package func encoded() -> [UInt8] {
    switch self {
    case .loaded(let plugin): encode(65) { plugin.write(to: &$0) }
    case .refused(let refusal): encode(66) { refusal.write(to: &$0) }
    case .opened: encode(67)
    case .openFailed(let failure): encode(68) { failure.write(to: &$0) }
    case .log(let line): encode(69) { line.write(to: &$0) }
    case .progress(let progress): encode(70) { progress.write(to: &$0) }
    case .ended(let end): encode(71) { end.write(to: &$0) }
    case .closed: encode(72)
    case .exiting(let status): encode(73) { $0.write(status) }
    case .dropped(let bytes): encode(74) { $0.write(bytes) }
    case .leaving: encode(75)
    case .retiring: encode(76)
    }
  }

  /// Reads a message. Decoding and encoding again yields the same bytes.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    var reader = try WireReader(bytes)
    switch reader.kind {
    case 65: self = .loaded(try PluginDescription(from: &reader))
    case 66: self = .refused(try Refusal(from: &reader))
    case 67: self = .opened
    case 68: self = .openFailed(try OpenFailure(from: &reader))
    case 69: self = .log(try LogLine(from: &reader))
    case 70: self = .progress(try Progress(from: &reader))
    case 71: self = .ended(try RunEnd(from: &reader))
    case 72: self = .closed
    case 73: self = .exiting(status: try reader.integer())
    case 74: self = .dropped(bytes: try reader.integer())
    case 75: self = .leaving
    case 76: self = .retiring
    default: throw .kind(reader.kind)
    }
    try reader.finish()
  }
}

extension PluginDescription {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(name)
    writer.write(version)
    writer.write(summary)
    writer.write(parametersSchema) { $0.write($1) }
    writer.write(abiOldest)
    writer.write(abiNewest)
    writer.write(instancesMax)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    try self.init(
      name: reader.text("name", max: WireLimits.wordMax),
      version: reader.text("version", max: WireLimits.wordMax),
      summary: reader.text("summary", max: WireLimits.textMax),
      parametersSchema: reader.optional("schema") { reader throws(WireError) in
        try reader.text("schema", max: WireLimits.schemaMax)
      },
      abiOldest: reader.integer(),
      abiNewest: reader.integer(),
      instancesMax: reader.count("instances"))
  }
}

extension WireReader {
  /// Reads a number of at least 1. Zero is rejected, so that each description has one encoding.
  fileprivate mutating func count(_ field: String) throws(WireError) -> UInt32 {
    let count = try integer(UInt32.self)
    guard count > 0 else { throw .malformed(field: field) }
    return count
  }
}

extension Refusal {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(file)
    writer.write(reason)
    writer.write(remedy)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    self.init(
      file: try reader.text("file", max: WireLimits.pathMax),
      reason: try reader.text("reason", max: WireLimits.textMax),
      remedy: try reader.text("remedy", max: WireLimits.textMax))
  }
}

extension OpenFailure {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(status.rawValue)
    writer.write(text)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    let status = try reader.status()
    guard status != .succeeded else { throw .malformed(field: "status") }
    self.init(status: status, text: try reader.text("text", max: WireLimits.textMax))
  }
}

extension LogLine {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(run) { $0.write($1) }
    writer.write(level.rawValue)
    writer.write(message)
    writer.write(UInt8(clamping: fields.count))
    for field in fields {
      writer.write(field.key)
      writer.write(field.value)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    let run = try reader.optional("run") { reader throws(WireError) in try reader.integer(UInt64.self) }
    guard let level = Level(rawValue: try reader.integer()) else { throw .malformed(field: "level") }
    let message = try reader.text("message", max: WireLimits.textMax)
    let count = Int(try reader.integer(UInt8.self))
    guard count <= WireLimits.fieldsMax else { throw .malformed(field: "fields") }
    var fields: [Field] = []
    for _ in 0..<count {
      fields.append(
        Field(
          key: try reader.text("key", max: WireLimits.wordMax),
          value: try reader.text("value", max: WireLimits.fieldValueMax)))
    }
    self.init(run: run, level: level, message: message, fields: fields)
  }
}

extension Progress {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(run)
    writer.write(millionths) { $0.write($1) }
    writer.write(text)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    let run: UInt64 = try reader.integer()
    let millionths = try reader.optional("progress") { reader throws(WireError) in
      try reader.integer(UInt32.self)
    }
    guard millionths ?? 0 <= 1_000_000 else { throw .malformed(field: "progress") }
    self.init(run: run, millionths: millionths, text: try reader.text("text", max: WireLimits.textMax))
  }
}

extension RunEnd {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(run)
    writer.write(status.rawValue)
    writer.write(text)
    writer.write(cursor) { $0.write($1) }
    writer.write(call) {
      $0.write($1.began)
      $0.write($1.took)
    }
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    try self.init(
      run: reader.integer(), status: reader.status(), text: reader.text("text", max: WireLimits.textMax),
      cursor: reader.optional("cursor") { reader throws(WireError) in
        try reader.data("cursor", max: WireLimits.cursorMax)
      },
      call: reader.optional("call") { reader throws(WireError) in
        Call(began: try reader.integer(), took: try reader.integer())
      })
  }
}
