package import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// One call of a plugin with all it needs: what the engine decided, and what the configuration and the ledger add.
///
/// It passes through many hands and is nearly never changed. So its parts lie in one place that copies share.
package struct PluginRun: Sendable, Hashable {
  private struct Parts: Sendable, Hashable {
    var attempt: Attempt
    var kind: HostKind
    var parameters: String
    var revision: UInt64
    var cursor: [UInt8]
    var isRehearsal: Bool
    var notBefore: MonotonicInstant?
    var spin: ElapsedTime
    var isAwaited: Bool
  }

  private final class Place: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private var place: Place

  /// Makes a request.
  package init(
    attempt: Attempt, kind: HostKind, parameters: String = "{}", revision: UInt64 = 0,
    cursor: [UInt8] = [], isRehearsal: Bool = false, spin: ElapsedTime = .zero, isAwaited: Bool = false
  ) {
    place = Place(
      Parts(
        attempt: attempt, kind: kind, parameters: parameters, revision: revision, cursor: cursor,
        isRehearsal: isRehearsal, spin: spin, isAwaited: isAwaited))
  }

  /// What the engine decided to start.
  package var attempt: Attempt {
    get { place.parts.attempt }
    set { change { $0.attempt = newValue } }
  }
  /// Which plugin is called, and as whom.
  package var kind: HostKind {
    get { place.parts.kind }
    set { change { $0.kind = newValue } }
  }
  /// The job's parameters as one JSON object.
  package var parameters: String {
    get { place.parts.parameters }
    set { change { $0.parameters = newValue } }
  }
  /// The job's revision: an instance opened for another revision or other parameters is closed and opened anew.
  package var revision: UInt64 {
    get { place.parts.revision }
    set { change { $0.revision = newValue } }
  }
  /// What the job's last run asked to have kept; empty if there is nothing.
  package var cursor: [UInt8] {
    get { place.parts.cursor }
    set { change { $0.cursor = newValue } }
  }
  /// Whether the daemon runs on a clock that is not the system's.
  package var isRehearsal: Bool {
    get { place.parts.isRehearsal }
    set { change { $0.isRehearsal = newValue } }
  }

  /// Until when its host waits before it calls the plugin; `nil` for not at all.
  package var notBefore: MonotonicInstant? {
    get { place.parts.notBefore }
    set { change { $0.notBefore = newValue } }
  }

  /// For how long before ``notBefore`` its host keeps a processor busy; zero for as long as its wake-ups have been late.
  package var spin: ElapsedTime { place.parts.spin }

  /// Whether entries wait in line, of which one may be started as soon as this run has ended.
  package var isAwaited: Bool { place.parts.isAwaited }

  /// The run that the attempt belongs to.
  package var run: RunID { place.parts.attempt.run }
  /// The job that is run.
  package var job: JobName { place.parts.attempt.entry.job }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = place.parts
    body(&parts)
    place = Place(parts)
  }

  /// Whether the two ask for the same in every part.
  package static func == (left: PluginRun, right: PluginRun) -> Bool {
    left.place === right.place || left.place.parts == right.place.parts
  }

  /// Feeds every part.
  package func hash(into hasher: inout Hasher) { hasher.combine(place.parts) }
}

/// How a call of a plugin ended, and what it left behind.
package struct PluginRunEnd: Sendable, Hashable {
  /// What the engine is told.
  package var outcome: AttemptOutcome
  /// What the plugin asked to have kept for the job's next run; `nil` leaves what is kept as it is.
  package var cursor: [UInt8]?
  /// What the plugin gave as the run's result; `nil` if it gave none.
  package var result: String?
  /// When the plugin was called; `nil` when its host has not told, or there was no call.
  package var call: CallInstants?

  /// Makes an end.
  package init(outcome: AttemptOutcome, cursor: [UInt8]? = nil, result: String? = nil) {
    self.outcome = outcome
    self.cursor = cursor
    self.result = result
  }

  /// An end in failure, with one line for people.
  package static func failed(_ message: String, isWorthRetrying: Bool = false) -> PluginRunEnd {
    PluginRunEnd(
      outcome: AttemptOutcome(status: .failed, isWorthRetrying: isWorthRetrying, message: message))
  }

  /// The end of an attempt that was stopped before its plugin could say how it ended.
  package static func cancelled(_ message: String) -> PluginRunEnd {
    PluginRunEnd(outcome: AttemptOutcome(status: .cancelled, message: message))
  }
}

/// Who a plugin says it is, and what parameters it takes.
package struct PluginIdentity: Sendable, Hashable {
  /// The plugin's name.
  package var name: String
  /// The plugin's version, in its author's own spelling.
  package var version: String
  /// One line that says what it does.
  package var summary: String
  /// The JSON schema of its parameters; empty when it takes any.
  package var schema: String
  /// How many instances it can have open in one host, at least 1.
  package var instancesMax: Int

  /// Makes an identity.
  package init(
    name: String, version: String, summary: String = "", schema: String = "", instancesMax: Int = 1
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.schema = schema
    self.instancesMax = instancesMax
  }
}
