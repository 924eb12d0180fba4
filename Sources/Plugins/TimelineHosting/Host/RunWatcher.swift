internal import CTimelinePlugin
internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The host's second thread: while the main thread is inside the plugin, it waits for `cancel`, `mode` and the end of the
/// socket.
///
/// One flag under one lock decides which thread may read the socket: the main thread between calls, this one during a call.
/// The daemon sends only `cancel` and `mode` during a call, so each message reaches the right thread. Thus the main thread
/// can receive a run and call the plugin without a change of threads. This thread sleeps through short calls: an alarm
/// wakes it for longer ones. The alarm stays set after a call, so that a series of short calls costs one alarm per period
/// and not a system call per call.
final class RunWatcher: RunListener, Sendable {
  private struct State {
    var isInPlugin = false
    var isListening = false
    /// `callCount` is the number of calls so far. `alarmedCall` is the number of the call for which the alarm is set; `nil`
    /// while it is not set.
    var callCount: UInt64 = 0
    var alarmedCall: UInt64?
    var running: RunningCall?
    var isDaemonGone = false
  }

  /// The time for which a run may go on after the daemon has ended. The run's result will not be stored, but the plugin may
  /// have to clean up.
  private static let graceWithoutDaemonMilliseconds: CInt = 2_000

  /// The duration of a call after which this thread begins to read the socket: much longer than most calls, including calls
  /// that start a command and await its end, and short compared to the grace of a stop. A `cancel` waits for at most twice
  /// this time, because the alarm may still be set for an earlier call.
  private static let patience = ElapsedTime.milliseconds(10)

  /// Whether a run has been entered, or will not be entered because it was asked to stop before. The value is kept outside
  /// the locked state, because it is read at the very instant of the run.
  private enum Entry: UInt8, AtomicRepresentable {
    case ahead, entered, forgone
  }

  private let socket: HostSocket
  private let outlet: MessageOutlet
  private let state = Mutex(State())
  private let entry = Atomic(Entry.ahead)
  private let isLasting: Alarm

  /// Throws when the process has too many descriptors.
  init(_ socket: HostSocket, _ outlet: MessageOutlet) throws(SystemError) {
    self.socket = socket
    self.outlet = outlet
    isLasting = try Alarm()
  }

  /// Starts the thread; returns false when the system cannot start one.
  func start() -> Bool {
    HostSystem.startThread { self.listen() }
  }

  /// Calls `body`, which calls the plugin. Meanwhile the watcher's thread may read the socket.
  func whileInPlugin<Result>(_ body: () -> Result) -> Result {
    let mustSet = state.withLock { state in
      state.isInPlugin = true
      state.callCount += 1
      guard !state.isListening, state.alarmedCall == nil else { return false }
      state.alarmedCall = state.callCount
      return true
    }
    if mustSet { isLasting.mustSet(after: Self.patience) }
    let result = body()
    let isDaemonGone = state.withLock { state in
      state.isInPlugin = false
      return state.isDaemonGone
    }
    // The watcher has read the end of the socket. The main thread kills the group now, as it does when it reads the end
    // itself.
    if isDaemonGone { HostSystem.killGroup() }
    return result
  }

  /// Allows a `cancel` to reach the run from now on.
  func runBegins(_ running: RunningCall) {
    state.withLock { state in
      state.running = running
      entry.store(.ahead, ordering: .relaxed)
      if state.isDaemonGone { askToStop(running) }
    }
  }

  /// Whether the run is to be entered now; false if the run was asked to stop before.
  func runEnters() -> Bool {
    entry.compareExchange(expected: .ahead, desired: .entered, ordering: .acquiringAndReleasing).exchanged
  }

  /// Asks an active run to stop, under the lock. A run that has not been entered yet will not be entered. In that case its
  /// cancel function is not called: the function may assume that the run has been entered, and might wait for that forever.
  private func askToStop(_ running: RunningCall) {
    let isAhead = entry.compareExchange(
      expected: .ahead, desired: .forgone, ordering: .acquiringAndReleasing
    ).exchanged
    if isAhead { CurrentCall.shared.cancel(running.name) } else { running.askToStop() }
  }

  /// Stops `cancel` from reaching the run, and waits until a `cancel` in progress has been handled. If the run was asked to
  /// stop, ends the processes that it has left, because they may not end at once or by themselves.
  func runEnded() {
    let wasAskedToStop = state.withLock { state in
      defer { state.running = nil }
      return state.running.map { CurrentCall.shared.isCancelled($0.name) } ?? false
    }
    if wasAskedToStop { HostSystem.endDescendants() }
  }

  private func listen() {
    var buffer = HostSocket.makeBuffer()
    while true {
      isLasting.mustWait()
      enum Next { case listen, wait, rest }
      let next = state.withLock { state -> Next in
        guard let alarmedCall = state.alarmedCall else { return .rest }
        state.alarmedCall = nil
        guard state.isInPlugin else { return .rest }
        state.isListening = state.callCount == alarmedCall
        // The alarm was set for an earlier call, and the current call may have begun just now.
        if !state.isListening { state.alarmedCall = state.callCount }
        return state.isListening ? .listen : .wait
      }
      switch next {
      case .listen: while listenOnce(&buffer) {}
      case .wait: isLasting.mustSet(after: Self.patience)
      case .rest: break
      }
    }
  }

  /// Waits for the next message and handles it. Returns false when the call is over.
  private func listenOnce(_ buffer: inout [UInt8]) -> Bool {
    if socket.waitUntilReadable(or: outlet.isPassable) {
      outlet.isPassable.mustWait()
      outlet.sendHeldLines()
    }
    enum Next { case listen, rest, end, broken }
    let next = state.withLock { state -> Next in
      guard state.isInPlugin else {
        state.isListening = false
        return .rest
      }
      switch socket.receive(into: &buffer, waiting: false) {
      case .nothing:
        return .listen
      case .message(let bytes):
        let running = state.running
        switch try? DaemonMessage(decoding: bytes) {
        case .cancel(let run)?:
          if let running, running.run == run {
            askToStop(running)
            HostSystem.terminateDescendants()
          }
        case .mode(let run, let mode)?:
          if let running, running.run == run {
            CurrentCall.shared.call(running.name)?.note(mode)
          }
        default: return .broken
        }
        return .listen
      case .end:
        state.isDaemonGone = true
        if let running = state.running { askToStop(running) }
        return .end
      }
    }
    switch next {
    case .listen: return true
    case .rest: return false
    case .broken:
      HostSystem.complain(
        "timeline-host: the daemon sent something other than \"cancel\" or \"mode\" during a call, which is a mistake in "
          + "timelined; report it")
      HostSystem.exitNow(HostExitStatus.protocolBroken)
    case .end:
      HostSystem.terminateDescendants()
      HostSystem.pause(milliseconds: Self.graceWithoutDaemonMilliseconds)
      HostSystem.killGroup()
    }
  }
}

extension Alarm {
  /// Sets the alarm. Ends the process if the plugin has closed the alarm's descriptor.
  func mustSet(after elapsed: ElapsedTime) {
    if !set(after: elapsed) { HostSystem.endWithoutDescriptors() }
  }

  /// Waits for the alarm. Ends the process if the plugin has closed the alarm's descriptor.
  func mustWait() {
    if !wait() { HostSystem.endWithoutDescriptors() }
  }
}

/// A listener that may ask a run to stop.
protocol RunListener: AnyObject {
  /// Allows requests to stop the run from now on.
  func runBegins(_ running: RunningCall)
  /// Whether the plugin's run may be called now; false if the run was asked to stop before. The call must follow directly.
  func runEnters() -> Bool
  /// Prevents further requests to stop the run. If a request is in progress, waits until it is handled.
  func runEnded()
}

extension RunListener {
  /// The default for listeners that only stop runs that have been entered.
  func runEnters() -> Bool { true }
}

/// An active run, with the data that is needed to ask it to stop.
///
/// Sendable although it holds pointers. The pointers are used only between `runBegins` and `runEnded`, under a lock of the
/// listener, and the run's thread keeps their targets alive until `runEnded` returns.
@safe struct RunningCall: @unchecked Sendable {
  let run: UInt64
  let name: UInt
  let cancel: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<timelined_context>?) -> Void)?
  let instance: UnsafeMutableRawPointer?
  let context: UnsafePointer<timelined_context>

  init(
    run: UInt64, name: UInt,
    cancel: (@convention(c) (UnsafeMutableRawPointer?, UnsafePointer<timelined_context>?) -> Void)?,
    instance: UnsafeMutableRawPointer?, context: UnsafePointer<timelined_context>
  ) {
    self.run = run
    self.name = name
    unsafe self.cancel = cancel
    unsafe self.instance = instance
    unsafe self.context = context
  }

  /// Makes is_cancelled true and calls the plugin's cancel function, once.
  func askToStop() {
    guard !CurrentCall.shared.isCancelled(name) else { return }
    CurrentCall.shared.cancel(name)
    callCancel()
  }

  /// Calls the plugin's cancel function. May be called only once.
  func callCancel() {
    unsafe cancel?(instance, context)
  }
}
