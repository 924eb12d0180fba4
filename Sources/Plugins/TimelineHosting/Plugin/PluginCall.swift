internal import CTimelinePlugin
internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// One active call of open or run, and the results that the plugin has set in it so far.
final class PluginCall: Sendable {
  /// The results that a plugin has set for the end of the call. The last value of each result counts.
  struct Answers: Sendable {
    var result: String?
    var error: String?
    var cursor: [UInt8]?
    var progress: Progress?
  }

  /// `nil` within open.
  let run: UInt64?
  /// Sends log lines and progress at once.
  let send: @Sendable (HostMessage) -> Void
  private let answers = Mutex(Answers())
  private let lastMode: Mutex<CurrentMode?>

  /// Makes a call. A call of open has neither a run nor a mode.
  init(run: UInt64?, mode: CurrentMode? = nil, send: @escaping @Sendable (HostMessage) -> Void) {
    self.run = run
    lastMode = Mutex(mode)
    self.send = send
  }

  /// Mode and cadence of the daemon at present; `nil` within open.
  var currentMode: CurrentMode? { lastMode.withLock { $0 } }

  /// Records a change of the mode or the cadence.
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

  /// Sends the progress of the run. Progress that is equal to the last one sent is skipped, because plugins call this in
  /// loops.
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

/// The messages of a plugin during a call, possibly from several threads.
final class Said: Sendable {
  private struct State: Sendable {
    var messages: [HostMessage] = []
    var tail = HeldOutput<HostMessage>()
    var droppedBytes = 0
  }

  private let state = Mutex(State())
  private let countMax: Int

  /// Makes an empty list that keeps at most the first `countMax` messages, and the last lines of the log.
  init(countMax: Int) {
    self.countMax = countMax
  }

  /// All kept messages in order. The number of dropped bytes stands in place of the dropped log lines.
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

/// The active calls of this process, by their names. The host gives each call a name, and the plugin passes it back.
///
/// The name is the only argument by which the C functions of the host's table can identify a call. The names are numbers
/// and not addresses. So a name that is used after its call, by a thread that a plugin left behind, is not found and does
/// no harm.
final class CurrentCall: Sendable {
  /// The active calls of this process. Several calls may be active, each on its own thread, but only one of them can be
  /// asked to stop: a host makes one call at a time, and in-process calls are never asked to stop.
  static let shared = CurrentCall()

  private struct State: Sendable {
    var lastName: UInt = 0
    var calls: [UInt: PluginCall] = [:]
  }

  private let state = Mutex(State())
  /// The name of the call that was asked to stop; read by ``isCancelled(_:)`` without a lock.
  private let cancelled = Atomic<UInt>(0)
  /// Whether this process tests a plugin. Then faults that are otherwise ignored are reported to the plugin's author.
  private let complains = CurrentProcess.environment["TIMELINED_TRIAL"] != nil
  private let hasComplained = Atomic(false)

  /// Makes `call` active and returns a name for it that was never used before.
  func begin(_ call: PluginCall) -> UInt {
    state.withLock { state in
      state.lastName += 1
      state.calls[state.lastName] = call
      return state.lastName
    }
  }

  /// Removes the call with that name.
  func end(_ name: UInt) {
    state.withLock { $0.calls[name] = nil }
  }

  /// The call with that name; `nil` if it is not active any more.
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
