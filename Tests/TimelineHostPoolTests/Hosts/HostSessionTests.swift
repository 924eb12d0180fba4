import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHostPool

@Suite struct `Messages to a host` {
  private func dialogue(instance: Bool = false) throws -> HostSession {
    let pools = Pools()
    var dialogue = try HostSession(id: host(1), kind: pools.kind)
    _ = dialogue.next()
    let description = try PluginDescription(
      name: "a", version: "1", summary: "", parametersSchema: "{}", abiOldest: 1, abiNewest: 1)
    #expect(dialogue.take(.loaded(description)) == .event(.loaded(host(1), pools.identity)))
    return dialogue
  }

  /// The names of the messages that may be sent now.
  private func sent(_ dialogue: inout HostSession) -> [String] {
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
    case .mode(_, let current): "mode \(current.mode.rawValue) \(current.cadence)"
    case .close: "close"
    case .exit: "exit"
    }
  }

  private func ended(_ run: UInt64, _ status: RunStatus = .succeeded, _ text: String = "") throws
    -> HostMessage
  {
    .ended(try RunEnd(run: run, status: status, text: text, cursor: status == .succeeded ? [1] : nil))
  }

  @Test(arguments: LeftoverPolicy.allCases, [true, false])
  func `a host stays with leftovers only if its job keeps them, also after a hand-over`(
    policy: LeftoverPolicy, isAdopted: Bool
  ) throws {
    var request = Pools().request(1)
    request.kind.setup.leftovers = policy
    var dialogue =
      isAdopted
      ? HostSession(id: host(1), adopting: request) : try HostSession(id: host(1), kind: request.kind)
    if !isAdopted {
      _ = dialogue.next()
      _ = dialogue.take(
        .loaded(
          try PluginDescription(
            name: "a", version: "1", summary: "", parametersSchema: nil, abiOldest: 1, abiNewest: 1)))
      try dialogue.begin(request, .new(0))
      _ = (dialogue.next(), dialogue.take(.opened), dialogue.next())
    }
    let misbehaved = HostSession.Meaning.event(
      .misbehaved(host(1), "its host said something out of turn (leaving)"))
    #expect(dialogue.take(.leaving) == (policy == .keep ? .leaving : misbehaved))
  }

  @Test func `a retiring host gives back the run that it has not begun`() throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(1), .new(0))
    #expect(dialogue.take(.retiring) == .event(.retiring(host(1))))
    #expect(dialogue.run == nil && sent(&dialogue) == [])
  }

  @Test func `a change of the mode is sent to the active run when it has begun, and to no other run`() throws
  {
    let pools = Pools()
    var dialogue = try dialogue()
    dialogue.tell(CurrentMode(.lowFrequency, .minutes))
    #expect(sent(&dialogue) == [], "no run is under way")
    try dialogue.begin(pools.request(1), .new(0))
    dialogue.tell(CurrentMode(.lowFrequency, .minutes))
    dialogue.tell(CurrentMode(.lowFrequency, .seconds))
    #expect(sent(&dialogue) == ["open"])
    _ = dialogue.take(.opened)
    #expect(sent(&dialogue) == ["run", "mode low-frequency seconds"])
    dialogue.tell(CurrentMode(.normal, .live))
    dialogue.askToStop(RunID(number: 1))
    #expect(sent(&dialogue) == ["cancel", "mode normal live"])
    _ = dialogue.take(try ended(1))
    dialogue.tell(CurrentMode(.lowFrequency, .minutes))
    try dialogue.begin(pools.request(2), .open(0))
    #expect(sent(&dialogue) == ["run"], "it has the mode in its context")

    var adopted = HostSession(id: host(2), adopting: pools.request(3))
    adopted.tell(CurrentMode(.lowFrequency, .minutes))
    #expect(sent(&adopted) == [], "its host may not know the message")
  }

  @Test func `an instance that is being closed is not closed again for the run that starts meanwhile`() throws
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

  @Test func `an old instance is closed, a new one opened, then the run is sent, one answer at a time`()
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

  @Test func `a run is asked to stop once, when it has begun`() throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(1), .new(0))
    _ = sent(&dialogue) + (dialogue.take(.opened) == .nothing ? sent(&dialogue) : [])
    dialogue.askToStop(run(2))
    #expect(sent(&dialogue).isEmpty)
    dialogue.askToStop(run(1))
    #expect(sent(&dialogue) == ["cancel"])
  }

  @Test func `a run that is stopped while its instance is opened is not begun`() throws {
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
    (RunStatus.failed, "", AttemptResult.Status.failed, false, "did not say why"),
    (.failed, "no disk", .failed, false, "no disk"),
    (.failedForNow, "no network", .failed, true, "no network"),
    (.cancelled, "", .cancelled, false, "when it was asked to"),
  ])
  func `the plugin's text is in the run's end`(
    status: RunStatus, text: String, expected: AttemptResult.Status, retry: Bool, message: String
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

  @Test func `a message out of order means that the host has misbehaved`() throws {
    for message in [HostMessage.opened, .closed, try ended(1)] {
      var dialogue = try dialogue()
      guard case .event(.misbehaved) = dialogue.take(message) else {
        Issue.record("\(message) was taken")
        continue
      }
    }
  }

  @Test func `lines and progress of runs that are over are dropped`() throws {
    var dialogue = try dialogue()
    try dialogue.begin(Pools().request(2), .new(0))
    #expect(dialogue.take(.log(LogLine(run: 1, level: .info, message: "late"))) == .nothing)
    let line = LogLine(run: 2, level: .info, message: "in time")
    #expect(dialogue.take(.log(line)) == .line(line))
    #expect(dialogue.take(.progress(Progress(run: 1, millionths: nil, text: ""))) == .nothing)
  }

  @Test func `a request that does not fit the wire is refused before a message is sent`() throws {
    var dialogue = try dialogue()
    var request = Pools().request(1)
    request.cursor = [UInt8](repeating: 0, count: WireLimits.cursorMax + 1)
    #expect(throws: WireError.self) { try dialogue.begin(request, .new(0)) }
    #expect(sent(&dialogue).isEmpty)
  }
}

extension HostSession {
  /// Handles a message at an arbitrary instant.
  fileprivate mutating func take(_ message: HostMessage) -> Meaning {
    take(message, at: MonotonicInstant(nanosecondsSinceBoot: 0))
  }
}
