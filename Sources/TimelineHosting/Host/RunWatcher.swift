internal import CTimelinePlugin
internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// The host's second thread: while the main thread is inside the plugin, it listens for `cancel`, `mode` and the
/// end of the socket.
///
/// One flag under one lock decides which thread may read the socket: the main thread while no call is going on, this
/// one while there is. The daemon sends nothing but `cancel` and `mode` during a call, so no message can reach the
/// wrong thread. The main thread thus receives a run and calls the plugin without a hop between threads. And this one sleeps
/// through calls that are over in no time: an alarm wakes it for those that last. The alarm stays set when a call is over,
/// so that many short ones in a row cost no system call each, but one alarm in each of its periods.
final class RunWatcher: RunListener, Sendable {
  private struct State {
    var isInPlugin = false
    var isListening = false
    /// The number of calls, and the call that the alarm was set for, while it is.
    var callCount: UInt64 = 0
    var alarmedCall: UInt64?
    var running: RunningCall?
    var isDaemonGone = false
  }

  /// The time that a run may go on after the daemon has gone: nobody will store its result, but it may have something
  /// of its own to put in order.
  private static let graceWithoutDaemonMilliseconds: CInt = 2_000

  /// The time that a call goes on before this thread listens: far more than most calls take, those that start a
  /// command and await it included, and little beside the grace of a stop. `cancel` waits for twice that at most,
  /// when the alarm was still set for a call before.
  private static let patience = ElapsedTime.milliseconds(10)

  /// Whether a run has been entered, which it is not when it was to stop before. Not part of the state, because the run's
  /// instant has come when it is asked for.
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

  /// Starts the thread; false when the system has none to give.
  func start() -> Bool {
    HostSystem.startThread { self.listen() }
  }

  /// Calls `body`, which calls the plugin, while this thread listens.
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
    // The watcher has seen the end of the socket, which the main thread will see next: the group goes with it.
    if isDaemonGone { HostSystem.killGroup() }
    return result
  }

  /// Lets a `cancel` reach the run from now on.
  func runBegins(_ running: RunningCall) {
    state.withLock { state in
      state.running = running
      entry.store(.ahead, ordering: .relaxed)
      if state.isDaemonGone { askToStop(running) }
    }
  }

  /// Whether the run is to be entered now; if not, it was asked to stop before.
  func runEnters() -> Bool {
    entry.compareExchange(expected: .ahead, desired: .entered, ordering: .acquiringAndReleasing).exchanged
  }

  /// Asks a run to stop that is going on, under the lock. One that is still ahead is forgone: its cancel function may take
  /// for granted that it has been entered, and whoever waits for that function only would wait for ever.
  private func askToStop(_ running: RunningCall) {
    let isAhead = entry.compareExchange(
      expected: .ahead, desired: .forgone, ordering: .acquiringAndReleasing
    ).exchanged
    if isAhead { CurrentCall.shared.cancel(running.name) } else { running.askToStop() }
  }

  /// Lets no `cancel` reach the run from now on, and waits until one that is going on has returned. Ends the processes left by a run
  /// that was asked to stop: not all of them end at once, or by themselves.
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
        // It was set for a call before, and this one may have begun just now.
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

  /// Waits for the next message; false when there is no call to listen for any more.
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
  /// Sets the alarm; ends the process when the plugin has closed its descriptor.
  func mustSet(after elapsed: ElapsedTime) {
    if !set(after: elapsed) { HostSystem.endWithoutDescriptors() }
  }

  /// Waits for the alarm; ends the process when the plugin has closed its descriptor.
  func mustWait() {
    if !wait() { HostSystem.endWithoutDescriptors() }
  }
}

/// A listener that may ask a run to stop.
protocol RunListener: AnyObject {
  /// Lets the run be asked to stop from now on.
  func runBegins(_ running: RunningCall)
  /// Whether the plugin's run is to be called, which is the next thing to be done; if not, it was asked to stop before.
  func runEnters() -> Bool
  /// Lets the run not be asked to stop any more. Does not return while it is being asked.
  func runEnded()
}

extension RunListener {
  /// The default for listeners that ask only runs to stop that have been entered.
  func runEnters() -> Bool { true }
}

/// A run that is going on, as far as it takes to ask it to stop.
///
/// Sendable although it holds pointers: they are used only between `runBegins` and `runEnded`, under a lock of the
/// listener's, and the run's thread holds what they point at until `runEnded` returns.
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

  /// Makes is_cancelled true and calls the plugin's cancel, once.
  func askToStop() {
    guard !CurrentCall.shared.isCancelled(name) else { return }
    CurrentCall.shared.cancel(name)
    callCancel()
  }

  /// Calls the plugin's cancel, which is to happen once.
  func callCancel() {
    unsafe cancel?(instance, context)
  }
}
