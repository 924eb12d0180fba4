package import TimelineCore

/// The record of a plugin host that one daemon leaves to the next: the kind of the host, and its run that is active or has
/// ended.
///
/// The record begins with the version of the wire, because a daemon that cannot read the record cannot communicate with the
/// plugin host either.
package struct HandoffRecord: Sendable, Equatable {
  /// The fields that identify a run.
  package struct Run: Sendable, Equatable {
    package var number: UInt64
    package var job: JobName
    package var nominal: WallInstant
    /// From 1.
    package var attempt: UInt32

    package init(number: UInt64, job: JobName, nominal: WallInstant, attempt: UInt32) {
      self.number = number
      self.job = job
      self.nominal = nominal
      self.attempt = attempt
    }
  }

  /// A run that is over.
  package struct Ending: Sendable, Equatable {
    package var run: Run
    package var end: RunEnd

    package init(run: Run, end: RunEnd) {
      self.run = run
      self.end = end
    }
  }

  /// The host's process number, which is also the number of its process group.
  package let process: Int32
  package let pluginPath: String
  /// The user that the host became; `nil` for the daemon's own user.
  package let user: String?
  package let leftovers: LeftoverPolicy
  /// The run whose plugin has been called and whose end was not received.
  package var running: Run?
  /// The last end that was received. The daemon may not have written it to the ledger.
  package var ending: Ending?

  /// Makes the record of a host that has not run yet; throws ``WireError/tooLong(field:length:max:)``.
  package init(
    process: Int32, pluginPath: String, user: String?, leftovers: LeftoverPolicy = .kill
  ) throws(WireError) {
    if pluginPath.utf8.count > WireLimits.pathMax {
      throw .tooLong(field: "the path", length: pluginPath.utf8.count, max: WireLimits.pathMax)
    }
    if let user, user.utf8.count > WireLimits.userMax {
      throw .tooLong(field: "the user", length: user.utf8.count, max: WireLimits.userMax)
    }
    self.process = process
    self.pluginPath = pluginPath
    self.user = user
    self.leftovers = leftovers
  }

  /// The byte after the version. No message has this value there.
  private static let kind: UInt8 = 129

  /// The record in bytes, at most ``WireLimits/messageMax``.
  package func encoded() -> [UInt8] {
    encode(Self.kind) { writer in
      writer.write(process)
      writer.write(pluginPath)
      writer.write(user) { $0.write($1) }
      writer.write(leftovers == .keep)
      writer.write(running) { $1.write(to: &$0) }
      writer.write(ending) { writer, ending in
        ending.run.write(to: &writer)
        writer.write(HostMessage.ended(ending.end).encoded())
      }
    }
  }

  /// Reads a record. Decoding and encoding again yields the same bytes.
  package init(decoding bytes: [UInt8]) throws(WireError) {
    var reader = try WireReader(bytes)
    guard reader.kind == Self.kind else { throw .kind(reader.kind) }
    let process: Int32 = try reader.integer()
    guard process > 1 else { throw .malformed(field: "process") }
    try self.init(
      process: process, pluginPath: reader.text("path", max: WireLimits.pathMax),
      user: reader.optional("user") { reader throws(WireError) in
        try reader.text("user", max: WireLimits.userMax)
      },
      leftovers: reader.boolean("leftovers") ? .keep : .kill)
    running = try reader.optional("running") { reader throws(WireError) in try Run(from: &reader) }
    ending = try reader.optional("ending") { reader throws(WireError) in
      let run = try Run(from: &reader)
      let message = try HostMessage(decoding: reader.data("end", max: WireLimits.messageMax))
      guard case .ended(let end) = message, end.run == run.number else { throw .malformed(field: "end") }
      return Ending(run: run, end: end)
    }
    try reader.finish()
  }
}

extension HandoffRecord.Run {
  fileprivate func write(to writer: inout WireWriter) {
    writer.write(number)
    writer.write(job.text)
    writer.write(nominal.nanosecondsSinceEpoch)
    writer.write(attempt)
  }

  fileprivate init(from reader: inout WireReader) throws(WireError) {
    let number: UInt64 = try reader.integer()
    guard let job = JobName(try reader.text("job", max: JobName.lengthMax)) else {
      throw .malformed(field: "job")
    }
    self.init(
      number: number, job: job, nominal: WallInstant(nanosecondsSinceEpoch: try reader.integer()),
      attempt: try reader.integer())
  }
}
