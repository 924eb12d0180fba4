internal import CTimelinePlugin
internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
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
  private let lastMode: Mutex<CurrentMode?>

  /// Makes a call; without a mode within open.
  init(run: UInt64?, mode: CurrentMode? = nil, send: @escaping @Sendable (HostMessage) -> Void) {
    self.run = run
    lastMode = Mutex(mode)
    self.send = send
  }

  /// Mode and cadence of the daemon at present; `nil` within open.
  var currentMode: CurrentMode? { lastMode.withLock { $0 } }

  /// Takes in that the mode or the cadence has changed.
  func note(_ mode: CurrentMode) { lastMode.withLock { $0 = mode } }

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
  }

  private let state = Mutex(State())
  /// The name of the call that was asked to stop; read by ``isCancelled(_:)`` without a lock.
  private let cancelled = Atomic<UInt>(0)
  /// Whether a plugin is tried, so that its author hears of what is otherwise passed over.
  private let complains = CurrentProcess.environment["TIMELINED_TRIAL"] != nil
  private let hasComplained = Atomic(false)

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
    let call = state.withLock { $0.calls[name] }
    if call == nil, complains, !hasComplained.exchange(true, ordering: .relaxed) {
      HostSystem.complain("timeline-host: the plugin called the host for a call of open or run that is over")
    }
    return call
  }

  func cancel(_ name: UInt) {
    cancelled.store(name, ordering: .releasing)
  }

  func isCancelled(_ name: UInt) -> Bool {
    name != 0 && cancelled.load(ordering: .acquiring) == name
  }
}
