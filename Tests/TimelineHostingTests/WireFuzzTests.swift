import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineWire

/// The decoder with mutated and random bytes, a fixed number of them from printed seeds.
@Suite struct WireFuzzTests {
  /// Number of cases of a test for each of its seeds.
  private static let cases = 20_000

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `fuzz: no mutation of a message makes the decoder trap, and accepted bytes have one spelling`(
    seed: UInt64
  ) throws {
    print("wire fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let seeds =
      try WireTests.daemonMessages().map { $0.encoded() } + WireTests.hostMessages().map { $0.encoded() }
    // Large messages are used now and then, to mutate their lengths.
    let small = seeds.filter { $0.count < 200 }
    var taken = 0
    for index in 0..<Self.cases {
      let pool = index % 50 == 0 ? seeds : small
      var bytes = pool[random.below(pool.count)]
      for _ in 0...random.below(4) where !bytes.isEmpty { Self.mutate(&bytes, &random) }
      taken += Self.decode(bytes)
    }
    #expect(taken > 100, "the mutations are not all noise")
  }

  @Test(arguments: [5, 6] as [UInt64])
  func `fuzz: no noise makes the decoder trap`(seed: UInt64) {
    print("wire fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let kinds: [UInt8] = Array(0...7) + Array(64...74)
    var taken = 0
    for _ in 0..<Self.cases {
      var bytes = (0..<random.below(64)).map { _ in
        // Half of the bytes are small numbers, which are plausible lengths and flags.
        UInt8(random.below(2) == 0 ? random.below(4) : random.below(256))
      }
      bytes.insert(contentsOf: [WireVersion.current, kinds[random.below(kinds.count)]], at: 0)
      taken += Self.decode(bytes)
    }
    #expect(taken > 10, "some noise is a message")
  }

  @Test(arguments: [7, 8] as [UInt64])
  func `fuzz: decoding an encoded message returns the same message, in both directions`(seed: UInt64) throws {
    print("wire fuzz seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Self.cases / 2 {
      let request = try random.daemonMessage()
      let answer = try random.hostMessage()
      #expect(request.encoded().count <= WireLimits.messageMax)
      #expect(answer.encoded().count <= WireLimits.messageMax)
      #expect(try DaemonMessage(decoding: request.encoded()) == request)
      #expect(try HostMessage(decoding: answer.encoded()) == answer)
    }
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    let index = random.below(bytes.count)
    switch random.below(5) {
    case 0: bytes[index] = UInt8(random.below(256))
    case 1: bytes[index] ^= 1 << random.below(8)
    case 2: bytes.remove(at: index)
    case 3: bytes.removeLast(random.below(bytes.count))
    default: bytes.insert(UInt8(random.below(256)), at: index)
    }
  }

  /// Decodes the bytes as a message of either side; returns the number of sides that accept them.
  private static func decode(_ bytes: [UInt8]) -> Int {
    let request = try? DaemonMessage(decoding: bytes)
    let answer = try? HostMessage(decoding: bytes)
    if let request { #expect(request.encoded() == bytes) }
    if let answer { #expect(answer.encoded() == bytes) }
    return (request == nil ? 0 : 1) + (answer == nil ? 0 : 1)
  }
}

// Random messages.
extension SeededGenerator {
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func maybe<Value>(_ value: Value) -> Value? { below(3) == 0 ? nil : value }

  mutating func text(_ lengthMax: Int = 40) -> String {
    let alphabet: [Unicode.Scalar] = ["a", "/", "\0", "\"", "é", "\u{301}", "€", "😀", "\n", "e"]
    var text = ""
    for _ in 0..<below(lengthMax) { text.unicodeScalars.append(alphabet[below(alphabet.count)]) }
    return text
  }

  mutating func bytes() -> [UInt8] { (0..<below(40)).map { _ in UInt8(below(256)) } }

  mutating func instant() -> WallInstant {
    WallInstant(nanosecondsSinceEpoch: Int64(truncatingIfNeeded: next()))
  }

  mutating func table() -> [String: String] {
    var table: [String: String] = [:]
    for _ in 0..<below(6) { table[text(8)] = text() }
    return table
  }

  mutating func setup() -> HostSetup {
    var setup = HostSetup()
    setup.memoryBytes = maybe(next())
    setup.processorTime = maybe(ElapsedTime(nanoseconds: Int64(truncatingIfNeeded: next())))
    setup.openFileCount = maybe(next())
    setup.processCount = maybe(next())
    setup.runLimits.memoryBytes = maybe(next())
    setup.runLimits.processorPercent = maybe(below(1000))
    setup.runLimits.taskCount = maybe(below(1000))
    setup.runLimits.unsupported = below(2) == 0 ? .refuse : .run
    setup.niceness = maybe(below(40) - 20)
    setup.ioPriority = maybe(below(2) == 0 ? .idle : .bestEffort(level: below(8)))
    setup.noNewPrivileges = below(2) == 0
    setup.sandbox.systemCalls = SystemCallPolicy.allCases[below(SystemCallPolicy.allCases.count)]
    setup.sandbox.writable = maybe((0..<below(3)).map { _ in ExpectedPath(text()) })
    setup.sandbox.unsupported = below(2) == 0 ? .refuse : .run
    setup.fileModeMask = maybe(UInt16(below(0o1000)))
    setup.workingDirectory = maybe(text())
    setup.environment = table()
    setup.credentials = table()
    setup.group = maybe(text())
    setup.pluginDigest = maybe(String(repeating: "0a", count: 32)).flatMap { FileDigest($0) }
    setup.environmentFiles = (0..<below(3)).map { _ in ExpectedPath(text()) }
    return setup
  }

  mutating func status() -> RunStatus { RunStatus.allCases[below(RunStatus.allCases.count)] }

  mutating func daemonMessage() throws -> DaemonMessage {
    switch below(7) {
    case 0:
      return .load(
        try LoadRequest(
          path: text(), user: maybe(text()), setup: setup(), credentialsDirectory: maybe(text()),
          controlGroup: maybe(text())))
    case 1:
      let job = try #require(JobName("job-\(below(1_000))"))
      return .open(
        try OpenRequest(
          job: job, parameters: text(200), isRehearsal: below(2) == 0,
          instance: UInt32(below(300))))
    case 2:
      return .run(
        try RunRequest(
          run: next(), runKey: text(), nominal: instant(), actual: instant(), deadline: maybe(instant()),
          cadence: Cadence(rawValue: below(3)) ?? .live, mode: below(2) == 0 ? .normal : .lowFrequency,
          attempt: UInt32(truncatingIfNeeded: next()), entryCount: next(),
          previous: maybe(.init(status: status(), text: text(200))), cursor: bytes(),
          upstream: maybe(text(200)), instance: UInt32(below(300)),
          notBefore: maybe(Int64(truncatingIfNeeded: next())),
          spin: Int64(truncatingIfNeeded: next()), movedFrom: (0..<below(4)).map { _ in instant() }))
    case 3: return .cancel(run: next())
    case 4:
      return .mode(
        run: next(),
        CurrentMode(below(2) == 0 ? .normal : .lowFrequency, Cadence(rawValue: below(3)) ?? .live))
    case 5: return .close(instance: UInt32(truncatingIfNeeded: next()))
    default: return .exit
    }
  }

  mutating func hostMessage() throws -> HostMessage {
    switch below(10) {
    case 0:
      return .loaded(
        try PluginDescription(
          name: text(), version: text(), summary: text(), parametersSchema: maybe(text(200)),
          abiOldest: UInt32(truncatingIfNeeded: next()), abiNewest: UInt32(truncatingIfNeeded: next())))
    case 1: return .refused(Refusal(file: text(), reason: text(), remedy: text()))
    case 2: return .opened
    case 3:
      return .openFailed(OpenFailure(status: below(2) == 0 ? .failed : .failedForNow, text: text(200)))
    case 4:
      return .log(
        LogLine(
          run: maybe(next()), level: LogLine.Level.allCases[below(LogLine.Level.allCases.count)],
          message: text(200), fields: (0..<below(5)).map { _ in .init(key: text(), value: text()) }))
    case 5:
      return .progress(
        Progress(run: next(), millionths: maybe(UInt32(below(1_000_001))), text: text()))
    case 6:
      return .ended(
        try RunEnd(
          run: next(), status: status(), text: text(200), cursor: maybe(bytes()),
          call: maybe(.init(began: Int64(bitPattern: next()), took: next()))))
    case 7: return .closed
    case 8: return .dropped(bytes: next())
    default: return .exiting(status: Int32(truncatingIfNeeded: next()))
    }
  }
}
