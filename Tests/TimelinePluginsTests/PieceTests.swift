import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelinePlugins

@Suite struct `How a stream becomes lines` {
  @Test(
    arguments: [
      (["a\nb\n"], ["a", "b"]),
      (["a", "b", "\n"], ["ab"]),
      (["one\r\ntwo\r\n"], ["one", "two"]),
      (["\n\n"], ["", ""]),
      (["no end"], ["no end"]),
      (["12345678\n"], ["12345678"]),
      (["123456789\nnext\n"], ["12345678... [cut]", "next"]),
      (["12345678", "9", "0\nnext"], ["12345678... [cut]", "next"]),
      (["\u{e9}\n"], ["\u{e9}"]),
    ] as [([String], [String])])
  func `Lines come out whole however the bytes come in`(pieces: [String], expected: [String]) {
    var splitter = LineSplitter(lengthMax: 8)
    var lines: [String] = []
    for piece in pieces { splitter.feed(Array(piece.utf8)) { lines.append($0) } }
    splitter.flush { lines.append($0) }
    #expect(lines == expected)
  }

  @Test func `A line of which a part was lost is no line`() {
    var splitter = LineSplitter(lengthMax: 8)
    var lines: [String] = []
    splitter.feed(Array("begun".utf8)) { lines.append($0) }
    splitter.lose()
    splitter.feed(Array("end\nnext\n".utf8)) { lines.append($0) }
    #expect(lines == ["next"])
  }

  @Test func `Bytes that are not text are marked, and cutting does not depend on the pieces`() {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<200 {
      let alphabet: [UInt8] = [0x0A, 0x0D, 0x41, 0xC3, 0xA9]
      let bytes = (0..<100).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
      var whole: [String] = []
      var splitter = LineSplitter(lengthMax: 5)
      splitter.feed(bytes) { whole.append($0) }
      splitter.flush { whole.append($0) }
      var pieced: [String] = []
      var other = LineSplitter(lengthMax: 5)
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...7, using: &generator)
        other.feed(Array(rest.prefix(count))) { pieced.append($0) }
        rest = rest.dropFirst(count)
      }
      other.flush { pieced.append($0) }
      #expect(whole == pieced)
    }
  }
}

@Suite struct `How much a host may write` {
  private func instant(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: milliseconds * 1_000_000)
  }

  @Test func `A burst passes, then so many a second`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerSecond = 5
    var allowance = LineAllowance(limits: limits)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(0)) } == 10)
    #expect(allowance.takeDroppedBytes() == 10)
    #expect(allowance.takeDroppedBytes() == 0)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(1_000)) } == 5)
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(100_000)) } == 10)
  }

  @Test func `What is dropped is told once a second, and all of it`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerSecond = 100
    var allowance = LineAllowance(limits: limits)
    var told: [Int64] = []
    var admitted = 0
    for millisecond in Int64(0)..<3_000 {
      for _ in 0..<10 where allowance.admit(length: 1, at: instant(millisecond)) { admitted += 1 }
      let dropped = allowance.takeDroppedBytes(dueAt: instant(millisecond))
      if dropped > 0 { told.append(dropped) }
    }
    #expect(told.count == 3)
    told.append(allowance.takeDroppedBytes())
    #expect(told.reduce(0, +) + Int64(admitted) == 30_000)
  }

  @Test
  func `A host that claims to have left out more than can be counted is believed to the end of counting`() {
    var allowance = LineAllowance(limits: OutputLimits())
    for _ in 0..<3 { allowance.drop(bytes: .max) }
    let dropped = allowance.takeDroppedBytes()
    #expect(dropped == .max)
  }

  @Test func `Long lines use it up sooner`() {
    var limits = OutputLimits()
    limits.burstBytes = 100
    var allowance = LineAllowance(limits: limits)
    #expect((0..<20).count { _ in allowance.admit(length: 30, at: instant(0)) } == 4)
  }

  @Test func `A new run can always say something`() {
    var limits = OutputLimits()
    limits.burstLines = 10
    limits.linesPerRunMin = 3
    var allowance = LineAllowance(limits: limits)
    for _ in 0..<20 { _ = allowance.admit(length: 1, at: instant(0)) }
    allowance.beginRun()
    #expect((0..<20).count { _ in allowance.admit(length: 1, at: instant(1)) } == 3)
  }

  @Test func `Nothing is lost when it is asked often`() {
    var limits = OutputLimits()
    limits.burstLines = 100
    limits.linesPerSecond = 100
    var allowance = LineAllowance(limits: limits)
    for _ in 0..<100 { _ = allowance.admit(length: 1, at: instant(0)) }
    let admitted = (1...1_000).count { allowance.admit(length: 1, at: instant($0)) }
    #expect((95...101).contains(admitted))
  }
}

@Suite struct `Where a plugin is looked for` {
  private let search = PluginSearch(folders: ["/first", "/second/"])

  @Test(arguments: [
    ("exec", "/second/exec.so"), ("exec.so", "/second/exec.so"),
    ("/anywhere/at/all.so", "/anywhere/at/all.so"),
    ("both", "/first/both.so"),
  ])
  func `A name is looked for in each folder, a path is taken as it is`(name: String, expected: String) throws
  {
    let files: Set<String> = ["/second/exec.so", "/first/both.so", "/second/both.so"]
    #expect(try search.path(of: name, isFile: files.contains) == expected)
  }

  @Test(arguments: [
    ("absent", "absent.so was not found in /first, /second/"),
    ("", "neither a plugin's name nor an absolute path"),
    ("../exec", "neither"), ("here/exec.so", "neither"), (".hidden", "neither"),
  ])
  func `What is not found is said with the folders searched`(name: String, expected: String) {
    let failure = #expect(throws: HostFailure.self) { try search.path(of: name, isFile: { _ in false }) }
    #expect(failure?.message.contains(expected) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains(";") == true, "there is a remedy")
  }
}

@Suite struct `What a plugin is told of another job's entry` {
  @Test func `All of the record, in JSON`() throws {
    let job = try #require(JobName("backup"))
    var record = EntryRecord(
      entry: EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 1_800_000_000)), cause: .missed,
      disposition: .timedOut, reason: "it said \"no\"\n\\ \u{1}é", run: RunID(number: 7),
      startedAt: WallInstant(secondsSinceEpoch: 1_800_000_001),
      endedAt: WallInstant(nanosecondsSinceEpoch: 1_800_000_002_500_000_000), attempts: 3)
    #expect(
      Story.json(record) == #"{"job":"backup","entry":"2027-01-15T08:00:00Z","disposition":"timed-out","#
        + #""reason":"it said \"no\"\n\\ \u0001é","cause":"missed","attempts":3,"entryCount":1,"#
        + #""endedAt":"2027-01-15T08:00:02.5Z","run":7,"startedAt":"2027-01-15T08:00:01Z"}"#)
    record.run = nil
    record.startedAt = nil
    record.entryCount = 4
    record.firstNominal = .epoch
    #expect(Story.json(record).hasSuffix(#""firstEntry":"1970-01-01T00:00:00Z"}"#))
  }

  @Test(arguments: ["\u{1}", "\"", "é", "x", "\0"])
  func `However long the reason, it fits the wire`(character: String) throws {
    let job = try #require(JobName(String(repeating: "j", count: JobName.lengthMax)))
    let record = EntryRecord(
      entry: EntryKey(job: job, nominal: .min), disposition: .daylightSavingGap,
      reason: String(repeating: character, count: 100_000), run: RunID(number: .max), startedAt: .min,
      endedAt: .max, attempts: .max, entryCount: .max, firstNominal: .min)
    #expect(Story.json(record).utf8.count <= WireLimits.storyMax)
  }
}

@Suite struct `What is said to a host, and when` {
  private func dialogue(instance: Bool = false) throws -> HostDialogue {
    let pools = Pools()
    var dialogue = try HostDialogue(id: host(1), kind: pools.kind)
    _ = dialogue.next()
    let description = try PluginDescription(
      name: "a", version: "1", summary: "", parametersSchema: "{}", abiOldest: 1, abiNewest: 1)
    #expect(dialogue.take(.loaded(description)) == .event(.loaded(host(1), pools.identity)))
    return dialogue
  }

  /// The names of the messages that may be sent now.
  private func sent(_ dialogue: inout HostDialogue) -> [String] {
    var names: [String] = []
    while let message = dialogue.next() { names.append(Self.name(message)) }
    return names
  }

  private static func name(_ message: DaemonMessage) -> String {
    switch message {
    case .load: "load"
    case .open: "open"
    case .run: "run"
    case .cancel: "cancel"
    case .close: "close"
    case .exit: "exit"
    }
  }

  private func ended(_ run: UInt64, _ status: RunStatus = .succeeded, _ text: String = "") throws
    -> HostMessage
  {
    .ended(try RunEnd(run: run, status: status, text: text, cursor: status == .succeeded ? [1] : nil))
  }

  @Test func `An instance that is being closed is not closed again for the run that comes meanwhile`() throws
  {
    var dialogue = try dialogue()
    let pools = Pools()
    try dialogue.begin(pools.request(1), .new(0))
    _ = sent(&dialogue)
    _ = dialogue.take(.opened)
    _ = sent(&dialogue)
    _ = dialogue.take(try ended(1))
    dialogue.closeInstance(0)
    #expect(sent(&dialogue) == ["close"])
    try dialogue.begin(pools.request(2, job: "y"), .new(0))
    #expect(sent(&dialogue) == [])
    #expect(dialogue.take(.closed) == .nothing)
    #expect(sent(&dialogue) == ["open"])
    #expect(dialogue.take(.opened) == .nothing)
    #expect(sent(&dialogue) == ["run"])
  }

  @Test func `A new instance is opened before the run, an old one closed before that, one answer at a time`()
    throws
  {
    var dialogue = try dialogue()
    let pools = Pools()
    try dialogue.begin(pools.request(1), .new(0))
    #expect(sent(&dialogue) == ["open"])
    #expect(dialogue.take(.opened) == .nothing)
    #expect(sent(&dialogue) == ["run"])
    var success = pools.success
    success.cursor = [1]
    #expect(dialogue.take(try ended(1)) == .event(.ended(host(1), run(1), success)))
    try dialogue.begin(pools.request(2), .open(0))
    #expect(sent(&dialogue) == ["run"])
    _ = dialogue.take(try ended(2))
    try dialogue.begin(pools.request(3, job: "y"), .replacing(0))
    #expect(sent(&dialogue) == ["close"])
    #expect(dialogue.take(.closed) == .nothing)
    #expect(sent(&dialogue) == ["open"])
    #expect(dialogue.take(.opened) == .nothing)
    #expect(sent(&dialogue) == ["run"])
  }

  @Test func `A run is asked to stop once, when it has begun`() throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(1), .new(0))
    _ = sent(&dialogue) + (dialogue.take(.opened) == .nothing ? sent(&dialogue) : [])
    dialogue.askToStop(run(2))
    #expect(sent(&dialogue).isEmpty)
    dialogue.askToStop(run(1))
    #expect(sent(&dialogue) == ["cancel"])
  }

  @Test func `A run that is to stop while its instance is opened is not begun`() throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(1), .new(0))
    #expect(sent(&dialogue) == ["open"])
    dialogue.askToStop(run(1))
    #expect(sent(&dialogue).isEmpty)
    guard case .event(.ended(_, _, let end)) = dialogue.take(.opened) else {
      Issue.record("the run has no end")
      return
    }
    #expect(end.outcome.status == .cancelled)
    #expect(sent(&dialogue).isEmpty)
  }

  @Test(arguments: [
    (RunStatus.failed, "", AttemptOutcome.Status.failed, false, "did not say why"),
    (.failed, "no disk", .failed, false, "no disk"),
    (.failedForNow, "no network", .failed, true, "no network"),
    (.cancelled, "", .cancelled, false, "when it was asked to"),
  ])
  func `The plugin's words reach the run's end`(
    status: RunStatus, text: String, expected: AttemptOutcome.Status, retry: Bool, message: String
  ) throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(1), .new(0))
    _ = sent(&dialogue)
    _ = dialogue.take(.opened)
    _ = sent(&dialogue)
    guard case .event(.ended(_, _, let end)) = dialogue.take(try ended(1, status, text)) else {
      Issue.record("the run has no end")
      return
    }
    #expect(end.outcome.status == expected)
    #expect(end.outcome.isWorthRetrying == retry)
    #expect(end.outcome.message.contains(message))
    #expect(end.cursor == nil && end.result == nil)
  }

  @Test func `Words out of turn are a host's misbehaviour`() throws {
    for message in [HostMessage.opened, .closed, try ended(1)] {
      var dialogue = try dialogue()
      guard case .event(.misbehaved) = dialogue.take(message) else {
        Issue.record("\(message) was taken")
        continue
      }
    }
  }

  @Test func `Lines and progress of runs that are over are dropped`() throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(2), .new(0))
    #expect(dialogue.take(.log(LogLine(run: 1, level: .info, message: "late"))) == .nothing)
    let line = LogLine(run: 2, level: .info, message: "in time")
    #expect(dialogue.take(.log(line)) == .line(line))
    #expect(dialogue.take(.progress(Progress(run: 1, millionths: nil, text: ""))) == .nothing)
  }

  @Test func `What does not fit the wire is refused before anything is sent`() throws {
    var dialogue = try dialogue()
    var request = Pools().request(1)
    request.cursor = [UInt8](repeating: 0, count: WireLimits.cursorMax + 1)
    #expect(throws: WireError.self) { try dialogue.begin(request, .new(0)) }
    #expect(sent(&dialogue).isEmpty)
  }
}
