import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// One host's side of the wire as the daemon sees it: what may be said next, and what an answer means.
///
/// Pure. The wire allows one unanswered message at a time, and a `cancel` beside a run; so a run that needs another
/// instance is a queue of `close`, `open` and `run` that is sent answer by answer.
struct HostSession {
  private enum Awaiting: Equatable {
    case nothing, loaded, ended
    case opened(InstanceNumber)
    case closed(InstanceNumber)
  }

  /// Meaning of a host's message for the rest of this module.
  enum Meaning: Equatable {
    case event(HostPoolEvent)
    case line(LogLine)
    case dropped(bytes: UInt64)
    case progress(Progress)
    /// The host stays as the parent of processes of its run, and takes no further run after the end that follows. Only with
    /// `leftovers = "keep"`: otherwise a plugin that writes to the socket could keep its processes.
    case leaving
    case nothing
  }

  private let id: HostID
  private let kind: HostSpec
  private var awaiting = Awaiting.nothing
  private var queue: [DaemonMessage] = []
  private var instances: Set<InstanceNumber> = []
  private var isStopWanted = false
  /// Mode and cadence that the run under way has still to be told.
  private var untoldMode: CurrentMode?
  /// Whether an earlier daemon began it: its host may be of a version that does not know every message.
  private let isAdopted: Bool
  /// The run that is under way, its opening included.
  private(set) var run: PluginRun?
  /// Earliest instant at which the plugin can have been called: before it the run was not sent, or had to wait. The
  /// start of the machine when only an earlier daemon knew it.
  var earliestCall = MonotonicInstant(nanosecondsSinceBoot: 0)

  /// Begins with the question to load the plugin.
  init(
    id: HostID, kind: HostSpec, credentialsDirectory: String? = nil, controlGroup: String? = nil
  ) throws(WireError) {
    self.id = id
    self.kind = kind
    isAdopted = false
    queue = [
      .load(
        try LoadRequest(
          path: kind.pluginPath, user: kind.user, setup: kind.setup,
          credentialsDirectory: credentialsDirectory, controlGroup: controlGroup))
    ]
  }

  /// Goes on in the middle of a run that an earlier daemon has begun.
  init(id: HostID, adopting run: PluginRun) {
    self.id = id
    kind = run.kind
    self.run = run
    isAdopted = true
    awaiting = .ended
  }

  /// Whether the plugin has been called and nothing but the end of the run is awaited.
  var isInRun: Bool { awaiting == .ended }

  /// The next message that may be sent now; it counts as sent.
  mutating func next() -> DaemonMessage? {
    if isStopWanted, awaiting == .ended, let run {
      isStopWanted = false
      return .cancel(run: run.run.number)
    }
    if let mode = untoldMode, awaiting == .ended, let run {
      untoldMode = nil
      return .mode(run: run.run.number, mode)
    }
    guard awaiting == .nothing, !queue.isEmpty else { return nil }
    let message = queue.removeFirst()
    switch message {
    case .load: awaiting = .loaded
    case .open(let request): awaiting = .opened(request.instance)
    case .close(let number): awaiting = .closed(number)
    case .run: awaiting = .ended
    case .cancel, .mode, .exit: break
    }
    return message
  }

  /// Puts a run, and what has to happen before it, in the queue. Throws when its texts do not fit the wire; then nothing is queued.
  mutating func begin(_ request: PluginRun, _ use: InstanceUse) throws(WireError) {
    var messages: [DaemonMessage] = []
    let number = use.number
    let isOpen = instances.contains(number)
    if use != .open(number) || !isOpen {
      if isOpen { messages.append(.close(instance: number)) }
      messages.append(
        .open(
          try OpenRequest(
            job: request.job, parameters: request.parameters,
            isRehearsal: request.isRehearsal, instance: number)))
    }
    messages.append(.run(try TimelineWire.RunRequest(request, instance: number)))
    run = request
    isStopWanted = false
    untoldMode = nil
    queue.append(contentsOf: messages)
  }

  /// Puts the closing of an instance in the queue; a run that begins before the answer opens another.
  mutating func closeInstance(_ number: InstanceNumber) {
    guard instances.remove(number) != nil else { return }
    queue.append(.close(instance: number))
  }

  /// Asks the run to stop, now or when it has begun.
  mutating func askToStop(_ id: RunID) {
    if run?.run == id { isStopWanted = true }
  }

  /// Tells the run under way the daemon's mode and cadence, now or when it has begun.
  mutating func tell(_ mode: CurrentMode) {
    if run != nil, !isAdopted { untoldMode = mode }
  }

  /// Says what a message means that was heard at `now`; a message out of order means that the host has misbehaved.
  mutating func take(_ message: HostMessage, at now: MonotonicInstant) -> Meaning {
    switch (message, awaiting) {
    case (.loaded(let plugin), .loaded):
      awaiting = .nothing
      return .event(.loaded(id, PluginIdentity(plugin)))
    case (.refused(let refusal), .loaded):
      awaiting = .nothing
      return .event(.refused(id, refusal.description))
    case (.opened, .opened(let number)):
      awaiting = .nothing
      instances.insert(number)
      return isStopWanted ? stopBeforeRun() : .nothing
    case (.openFailed(let failure), .opened):
      awaiting = .nothing
      return openFailed(failure)
    case (.closed, .closed(let number)):
      awaiting = .nothing
      instances.remove(number)
      return .nothing
    case (.ended(let end), .ended):
      awaiting = .nothing
      return ended(end, at: now)
    case (.log(let line), _):
      return line.run == nil || line.run == run?.run.number ? .line(line) : .nothing
    case (.dropped(let bytes), _):
      return .dropped(bytes: bytes)
    case (.progress(let progress), _):
      return progress.run == run?.run.number ? .progress(progress) : .nothing
    case (.leaving, .ended) where kind.setup.leftovers == .keep:
      return .leaving
    case (.retiring, _):
      queue.removeAll()
      run = nil
      return .event(.retiring(id))
    case (.exiting, _):
      // The exit status says the same.
      return .nothing
    default:
      return .event(.misbehaved(id, "its host said something out of turn (\(message.name))"))
    }
  }

  private mutating func stopBeforeRun() -> Meaning {
    guard let run else { return .nothing }
    queue.removeAll()
    self.run = nil
    return .event(.ended(id, run.run, .cancelled("stopped before the plugin was called")))
  }

  private mutating func openFailed(_ failure: OpenFailure) -> Meaning {
    guard let run else { return .event(.misbehaved(id, "its host opened an instance for nobody")) }
    queue.removeAll()
    self.run = nil
    return .event(.openFailed(id, run.run, PluginRunEnd(failure.status, failure.text, in: run)))
  }

  private mutating func ended(_ end: RunEnd, at now: MonotonicInstant) -> Meaning {
    guard let run, end.run == run.run.number else {
      return .event(.misbehaved(id, "its host ended a run that it did not have"))
    }
    self.run = nil
    isStopWanted = false
    return .event(.ended(id, run.run, PluginRunEnd(end, in: run, from: earliestCall, heard: now)))
  }
}

extension HostMessage {
  /// The message's name on the wire, for a sentence.
  fileprivate var name: String {
    switch self {
    case .loaded: "loaded"
    case .refused: "refused"
    case .opened: "opened"
    case .openFailed: "openFailed"
    case .log: "log"
    case .progress: "progress"
    case .ended: "ended"
    case .closed: "closed"
    case .exiting: "exiting"
    case .dropped: "dropped"
    case .leaving: "leaving"
    case .retiring: "retiring"
    }
  }
}
