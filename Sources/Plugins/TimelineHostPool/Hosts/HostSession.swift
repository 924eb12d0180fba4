import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineWire

/// Session with one host: the messages that may be sent next, and the meaning of the host's answers.
///
/// A pure value. The wire allows one unanswered message at a time, and a `cancel` beside a run. If a run needs another
/// instance, `close`, `open` and `run` are queued, and each is sent when the previous one was answered.
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
    /// The host stays as the parent of its run's leftovers, and accepts no further run. Valid only with
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
  /// Mode and cadence that are still to be sent to the active run.
  private var untoldMode: CurrentMode?
  /// Whether an earlier daemon began the run: its host may be of a version that does not support every message.
  private let isAdopted: Bool
  /// The active run, including the opening of its instance.
  private(set) var run: PluginRun?
  /// Earliest instant at which the plugin can have been called: the instant at which the run was sent, or the end of its wait
  /// if that is later. If an earlier daemon sent the run, both are unknown, and the value is the start of the machine.
  var earliestCall = MonotonicInstant(nanosecondsSinceBoot: 0)

  /// Makes the session of a new host. Its first message is the request to load the plugin.
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

  /// Continues in the middle of a run that an earlier daemon has begun.
  init(id: HostID, adopting run: PluginRun) {
    self.id = id
    kind = run.kind
    self.run = run
    isAdopted = true
    awaiting = .ended
  }

  /// Whether the plugin has been called and only the end of the run is awaited.
  var isInRun: Bool { awaiting == .ended }

  /// Returns the next message that may be sent now, and marks it as sent.
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

  /// Queues a run and the messages that must precede it. Throws if the run's texts do not fit the wire; then nothing is
  /// queued.
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

  /// Queues the closing of an instance. A run that begins before the answer opens another instance.
  mutating func closeInstance(_ number: InstanceNumber) {
    guard instances.remove(number) != nil else { return }
    queue.append(.close(instance: number))
  }

  /// Asks the run to stop, now or as soon as the run has begun.
  mutating func askToStop(_ id: RunID) {
    if run?.run == id { isStopWanted = true }
  }

  /// Sends the daemon's mode and cadence to the active run, now or as soon as the run has begun.
  mutating func tell(_ mode: CurrentMode) {
    if run != nil, !isAdopted { untoldMode = mode }
  }

  /// Returns the meaning of a message received at `now`; a message out of order means that the host has misbehaved.
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
      // The exit status carries the same information as this message.
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
    return .event(.ended(id, run.run, PluginRunEnd(end, in: run, from: earliestCall, receivedAt: now)))
  }
}

extension HostMessage {
  /// The name of the message on the wire, for error messages.
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
