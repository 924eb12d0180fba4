import Testing
import TimelineCore

@testable import TimelineWire

/// The messages between daemon and host, without processes.
@Suite struct WireTests {
  static func daemonMessages() throws -> [DaemonMessage] {
    let job = try #require(JobName("a"))
    let longest = try #require(JobName(String(repeating: "j", count: JobName.lengthMax)))
    return [
      .load(try LoadRequest(path: "/a.so")),
      .load(
        try LoadRequest(
          path: String(repeating: "p", count: WireLimits.pathMax),
          user: String(repeating: "u", count: WireLimits.userMax), setup: fullSetup(),
          credentialsDirectory: String(repeating: "c", count: WireLimits.pathMax),
          controlGroup: String(repeating: "g", count: WireLimits.controlGroupMax))),
      .open(try OpenRequest(job: job)),
      .open(
        try OpenRequest(
          job: longest, parameters: String(repeating: "é", count: WireLimits.parametersMax / 2),
          isRehearsal: true)),
      .run(try RunRequest(run: 0, runKey: "", nominal: .min, actual: .max)),
      .run(
        try RunRequest(
          run: .max, runKey: String(repeating: "k", count: WireLimits.runKeyMax), nominal: .epoch,
          actual: .epoch,
          deadline: .max, cadence: .minutes, mode: .lowFrequency, attempt: .max, entryCount: .max,
          previous: .init(status: .cancelled, text: String(repeating: "t", count: 100_000)),
          cursor: Array(repeating: 255, count: WireLimits.cursorMax),
          upstream: String(repeating: "s", count: WireLimits.upstreamMax), notBefore: .max, spin: .max,
          movedFrom: Array(repeating: .max, count: WireLimits.movedFromMax))),
      .cancel(run: 77), .mode(run: 77, CurrentMode(.lowFrequency, .seconds)), .close(instance: 3), .exit,
    ]
  }

  /// A setup with every field set and tables of the largest size.
  private static func fullSetup() -> HostSetup {
    var setup = HostSetup()
    setup.memoryBytes = .max
    setup.processorTime = .max
    setup.openFileCount = 0
    setup.processCount = 1
    setup.runLimits.memoryBytes = .max
    setup.runLimits.processorPercent = .max
    setup.runLimits.taskCount = .max
    setup.runLimits.unsupported = .refuse
    setup.niceness = -20
    setup.ioPriority = .bestEffort(level: 7)
    setup.noNewPrivileges = false
    setup.sandbox.systemCalls = .strict
    setup.sandbox.unsupported = .run
    setup.sandbox.writable = (0..<JobLimits.writablePathsMax).map { index in
      let length = JobLimits.writablePathsByteCountMax / JobLimits.writablePathsMax
      return ExpectedPath("\(index % 2 == 0 ? "-" : "/")" + String(repeating: "p", count: length - 1))
    }
    setup.fileModeMask = 0o777
    setup.workingDirectory = String(repeating: "w", count: WireLimits.pathMax)
    for index in 0..<WireLimits.variablesMax {
      setup.environment["V\(100 + index)"] = String(
        repeating: "v", count: WireLimits.environmentMax / WireLimits.variablesMax - 4)
    }
    setup.group = String(repeating: "g", count: WireLimits.userMax)
    for index in 0..<JobLimits.environmentFilesMax {
      let length = JobLimits.environmentFilePathsMax / JobLimits.environmentFilesMax
      setup.environmentFiles.append(
        ExpectedPath("\(index % 2 == 0 ? "-" : "/")" + String(repeating: "f", count: length - 1)))
    }
    for index in 0..<WireLimits.credentialsMax {
      setup.credentials["c\(10 + index)"] = String(
        repeating: "c", count: WireLimits.credentialNamesMax / WireLimits.credentialsMax - 3)
    }
    return setup
  }

  static func hostMessages() throws -> [HostMessage] {
    let long = String(repeating: "é", count: 100_000)
    return [
      .loaded(
        try PluginDescription(
          name: long, version: long, summary: long,
          parametersSchema: String(repeating: "s", count: WireLimits.schemaMax),
          abiOldest: 1, abiNewest: .max)),
      .loaded(
        try PluginDescription(
          name: "n", version: "", summary: "", parametersSchema: nil, abiOldest: 0, abiNewest: 0)),
      .refused(Refusal(file: long, reason: long, remedy: long)), .opened,
      .openFailed(OpenFailure(status: .failedForNow, text: "no")),
      .log(LogLine(run: nil, level: .debug, message: "")),
      .log(
        LogLine(
          run: .max, level: .error, message: long,
          fields: Array(repeating: .init(key: long, value: long), count: 100))),
      .progress(Progress(run: 1, millionths: nil, text: "")),
      .progress(Progress(run: 1, millionths: .max, text: long)),
      .ended(RunEnd(run: 1, failure: long)),
      .ended(try RunEnd(run: 1, status: .succeeded, text: "ok", cursor: [])),
      .ended(try RunEnd(run: 1, status: .failed, text: "", call: .init(began: .min, took: .max))),
      .ended(
        try RunEnd(
          run: 1, status: .succeeded, text: long, cursor: Array(repeating: 0, count: WireLimits.cursorMax),
          call: .init(began: .max, took: 0))),
      .closed, .exiting(status: -1), .dropped(bytes: .max), .leaving, .retiring,
    ]
  }

  @Test func `decoding an encoded message returns it, and the largest of each kind fits`() throws {
    for message in try Self.daemonMessages() {
      let bytes = message.encoded()
      #expect(bytes.count <= WireLimits.messageMax)
      #expect(try DaemonMessage(decoding: bytes) == message)
    }
    for message in try Self.hostMessages() {
      let bytes = message.encoded()
      #expect(bytes.count <= WireLimits.messageMax)
      #expect(try HostMessage(decoding: bytes) == message)
    }
  }

  @Test func `a truncated or extended message is an error`() throws {
    for bytes in try Self.daemonMessages().map({ $0.encoded() }) {
      for length in Set([0, 1, 2, 3, bytes.count / 2, bytes.count - 1]) where length < bytes.count {
        #expect(throws: WireError.self) { try DaemonMessage(decoding: Array(bytes.prefix(length))) }
      }
      #expect(throws: WireError.trailing(bytes: 1)) { try DaemonMessage(decoding: bytes + [0]) }
    }
    for bytes in try Self.hostMessages().map({ $0.encoded() }) where bytes.count < WireLimits.messageMax {
      #expect(throws: WireError.truncated) { try HostMessage(decoding: Array(bytes.dropLast())) }
      #expect(throws: WireError.trailing(bytes: 1)) { try HostMessage(decoding: bytes + [0]) }
    }
  }

  @Test func `another release is detected by its first byte`() throws {
    #expect(throws: WireError.version(found: 1)) { try DaemonMessage(decoding: [1, 5]) }
    #expect(throws: WireError.kind(200)) { try HostMessage(decoding: [WireVersion.current, 200]) }
    #expect(throws: WireError.kind(1)) { try HostMessage(decoding: try Self.daemonMessages()[0].encoded()) }
    #expect(throws: WireError.self) {
      try HostMessage(
        decoding: Array(repeating: WireVersion.current, count: WireLimits.messageMax + 1))
    }
  }

  /// Settings that make a setup too large for the wire.
  private static let excesses: [@Sendable (inout HostSetup) -> Void] = [
    { $0.workingDirectory = String(repeating: "x", count: WireLimits.pathMax + 1) },
    { $0.environment = ["A": String(repeating: "x", count: WireLimits.environmentMax)] },
    { setup in for number in 0...WireLimits.variablesMax { setup.environment["V\(number)"] = "" } },
    { $0.credentials = ["a": String(repeating: "x", count: WireLimits.credentialNamesMax)] },
    { setup in for number in 0...WireLimits.credentialsMax { setup.credentials["c\(number)"] = "/x" } },
  ]

  @Test func `a value that is too long and cannot be cut is refused when it is made`() throws {
    let long = String(repeating: "x", count: WireLimits.messageMax)
    let job = try #require(JobName("a"))
    #expect(throws: WireError.self) { try LoadRequest(path: long) }
    #expect(throws: WireError.self) { try LoadRequest(path: "/a", user: long) }
    #expect(throws: WireError.self) { try LoadRequest(path: "/a", credentialsDirectory: long) }
    #expect(throws: WireError.self) { try LoadRequest(path: "/a", controlGroup: long) }
    for adjust in Self.excesses {
      var setup = HostSetup()
      adjust(&setup)
      #expect(throws: WireError.self) { try LoadRequest(path: "/a", setup: setup) }
    }
    #expect(throws: WireError.self) { try OpenRequest(job: job, parameters: long) }
    #expect(throws: WireError.self) { try RunRequest(run: 1, runKey: long, nominal: .epoch, actual: .epoch) }
    #expect(throws: WireError.self) {
      try RunRequest(run: 1, runKey: "", nominal: .epoch, actual: .epoch, upstream: long)
    }
    #expect(throws: WireError.self) {
      try RunEnd(run: 1, status: .succeeded, text: "", cursor: Array(long.utf8))
    }
    #expect(throws: WireError.self) {
      try PluginDescription(
        name: "", version: "", summary: "", parametersSchema: long, abiOldest: 1, abiNewest: 1)
    }
  }

  @Test(arguments: 24...64)
  func `a cut falls between characters and cutting twice changes nothing`(lengthMax: Int) {
    let text = String(repeating: "aé😀", count: 100)
    let cut = text.cut(to: lengthMax)
    #expect(cut.utf8.count <= lengthMax && cut.hasSuffix("... [700 bytes, cut]"))
    #expect(!cut.unicodeScalars.contains("\u{FFFD}") && cut.cut(to: lengthMax) == cut)
    #expect("short".cut(to: lengthMax) == "short")
  }
}
