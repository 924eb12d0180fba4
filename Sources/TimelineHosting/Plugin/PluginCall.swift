internal import CTimelinePlugin
internal import Synchronization
internal import TimelineWire

/// One call of open or run that is going on, and what the plugin has said in it so far.
final class PluginCall: Sendable {
  /// The results that the plugin has set for the end of the call; the last value of each counts.
  struct Answers: Sendable {
    var result: String?
    var error: String?
    var cursor: [UInt8]?
    var progress: Progress?
  }

  /// The number of the run; `nil` within open.
  let run: UInt64?
  /// Sends lines and progress at once.
  let send: @Sendable (HostMessage) -> Void
  private let answers = Mutex(Answers())

  init(run: UInt64?, send: @escaping @Sendable (HostMessage) -> Void) {
    self.run = run
    self.send = send
  }

  /// The results that the plugin has set so far.
  var said: Answers { answers.withLock { $0 } }

  func setResult(_ text: String?) { answers.withLock { $0.result = text } }

  func setError(_ text: String?) { answers.withLock { $0.error = text } }

  func setCursor(_ bytes: [UInt8]) -> Bool {
    guard run != nil, bytes.count <= WireLimits.cursorMax else { return false }
    answers.withLock { $0.cursor = bytes }
    return true
  }

  /// Sends how far the run is, unless that is what was sent last: plugins call this in loops.
  func report(fraction: Double, text: String) {
    guard let run else { return }
    let millionths = fraction.isNaN ? nil : UInt32(max(0, min(1, fraction)) * 1_000_000)
    let progress = Progress(run: run, millionths: millionths, text: text)
    let isNew = answers.withLock { answers in
      defer { answers.progress = progress }
      return answers.progress != progress
    }
    if isNew { send(.progress(progress)) }
  }
}

/// The messages of a plugin in a call, perhaps from threads of its own.
final class Said: Sendable {
  private struct State: Sendable {
    var messages: [HostMessage] = []
    var tail = HeldOutput<HostMessage>()
    var droppedBytes = 0
  }

  private let state = Mutex(State())
  private let countMax: Int

  /// Makes the messages of a call that keeps at most `countMax` of them.
  init(countMax: Int) {
    self.countMax = countMax
  }

  /// All of it, in its order, with how much of the log was not kept where that is missing.
  var all: [HostMessage] {
    state.withLock { state in
      let dropped = HostMessage.dropped(bytes: UInt64(state.droppedBytes))
      var tail = state.tail
      var last: [HostMessage] = []
      while let message = tail.popFirst() { last.append(message) }
      return state.messages + (state.droppedBytes > 0 ? [dropped] : []) + last
    }
  }

  func add(_ message: HostMessage) {
    state.withLock { state in
      if state.messages.count < countMax {
        state.messages.append(message)
      } else if case .log(let line) = message {
        state.droppedBytes += state.tail.append(message, length: line.message.utf8.count)
      }
    }
  }
}

/// The call that is going on in this process, found by the name that the plugin hands back.
///
/// The C functions of the host's table have no other argument that could lead to it. The names are numbers and not
/// addresses, so one that is used after its call, by a thread that a plugin left behind, leads nowhere.
final class CurrentCall: Sendable {
  /// The one of this process. Several calls may go on in it, on threads of their own, but no two that can be asked to stop:
  /// a host makes one call at a time, and calls in the daemon's own process are never asked.
  static let shared = CurrentCall()

  private struct State: Sendable {
    var lastName: UInt = 0
    var calls: [UInt: PluginCall] = [:]
    /// Calls of a series in which the plugin has said something.
    var heard: [UInt: HeardCall] = [:]
  }

  private let state = Mutex(State())
  /// The call of a series that is going on, 0 for none, and the number of its run: written by one thread, and so that to make a
  /// call one that can be heard costs two stores and no lock.
  private let serial = Atomic<UInt>(0)
  private let serialRun = Atomic<UInt64>(0)
  /// The name of the call that was asked to stop; read by ``isCancelled(_:)`` without a lock.
  private let cancelled = Atomic<UInt>(0)

  /// Makes `call` a current one and gives it a name that was never used before.
  func begin(_ call: PluginCall) -> UInt {
    state.withLock { state in
      state.lastName += 1
      state.calls[state.lastName] = call
      return state.lastName
    }
  }

  /// Removes the call of that name.
  func end(_ name: UInt) {
    state.withLock { $0.calls[name] = nil }
  }

  /// The call of that name, if it is still going on.
  func call(_ name: UInt) -> PluginCall? {
    state.withLock { state in state.calls[name] ?? serialCall(name, &state) }
  }

  func cancel(_ name: UInt) {
    cancelled.store(name, ordering: .releasing)
  }

  func isCancelled(_ name: UInt) -> Bool {
    name != 0 && cancelled.load(ordering: .acquiring) == name
  }
}

/// A call of a series in which the plugin has said something.
struct HeardCall: Sendable {
  let call: PluginCall
  let said: Said
}

// A series of calls, one after the other on one thread, of which most are made without a word from the plugin.
extension CurrentCall {
  /// Names of `count` calls that were never used before; gives the first of them.
  func reserve(_ count: Int) -> UInt {
    state.withLock { state in
      defer { state.lastName += UInt(count) }
      return state.lastName + 1
    }
  }

  /// Makes the call of a reserved name the current one of the series.
  func beginSerial(_ name: UInt, run: UInt64) {
    // Whoever sees the new run sees that the former call is over.
    serialRun.store(run, ordering: .releasing)
    serial.store(name, ordering: .releasing)
  }

  /// Removes the name of the series' current call.
  func endSerial() { serial.store(0, ordering: .releasing) }

  /// Returns the messages of the calls `names`, by these names, and removes them here.
  func takeHeard(of names: Range<UInt>) -> [UInt: HeardCall] {
    state.withLock { state in
      guard !state.heard.isEmpty else { return [:] }
      let taken = state.heard.filter { names.contains($0.key) }
      state.heard = state.heard.filter { !names.contains($0.key) }
      return taken
    }
  }

  /// The series' current call if that is its name, made when it is first asked for.
  private func serialCall(_ name: UInt, _ state: inout State) -> PluginCall? {
    guard name != 0, serial.load(ordering: .acquiring) == name else { return nil }
    let run = serialRun.load(ordering: .acquiring)
    guard serial.load(ordering: .relaxed) == name else { return nil }
    if let heard = state.heard[name] { return heard.call }
    let said = Said(countMax: InProcessPlugin.messagesMax)
    let call = PluginCall(run: run) { said.add($0) }
    state.heard[name] = HeardCall(call: call, said: said)
    return call
  }
}
