package import TimelineCore
package import TimelineEngine
package import TimelineSystem

/// One call of a plugin with all its input: the attempt that the engine decided on, and data of the configuration and the
/// ledger.
///
/// The value is copied many times and rarely changed. So its parts are stored in one object that copies share.
package struct PluginRun: Sendable, Hashable {
  private struct Parts: Sendable, Hashable {
    var attempt: Attempt
    var kind: HostSpec
    var parameters: String
    var revision: UInt64
    var cursor: [UInt8]
    var isRehearsal: Bool
    var notBefore: MonotonicInstant?
    var spin: ElapsedTime
    var startBy: ElapsedTime?
  }

  private final class Place: Sendable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }
  }

  private var place: Place

  /// Makes the call of a plugin for `attempt`. By default it has no parameters and no cursor, and is made at once.
  package init(
    attempt: Attempt, kind: HostSpec, parameters: String = "{}", revision: UInt64 = 0,
    cursor: [UInt8] = [], isRehearsal: Bool = false, spin: ElapsedTime = .zero, startBy: ElapsedTime? = nil
  ) {
    place = Place(
      Parts(
        attempt: attempt, kind: kind, parameters: parameters, revision: revision, cursor: cursor,
        isRehearsal: isRehearsal, spin: spin, startBy: startBy))
  }

  package var attempt: Attempt {
    get { place.parts.attempt }
    set { change { $0.attempt = newValue } }
  }
  /// The plugin that is called, and the user and setup of its host.
  package var kind: HostSpec {
    get { place.parts.kind }
    set { change { $0.kind = newValue } }
  }
  /// The job's parameters as one JSON object.
  package var parameters: String {
    get { place.parts.parameters }
    set { change { $0.parameters = newValue } }
  }
  /// The job's revision. An instance that was opened for another revision or other parameters is closed and opened again.
  package var revision: UInt64 {
    get { place.parts.revision }
    set { change { $0.revision = newValue } }
  }
  /// The cursor that the job's last run stored; empty if there is none.
  package var cursor: [UInt8] {
    get { place.parts.cursor }
    set { change { $0.cursor = newValue } }
  }
  /// Whether the daemon runs on a clock that is not the system's.
  package var isRehearsal: Bool {
    get { place.parts.isRehearsal }
    set { change { $0.isRehearsal = newValue } }
  }

  /// Instant before which the host does not call the plugin; `nil` for a call at once.
  package var notBefore: MonotonicInstant? {
    get { place.parts.notBefore }
    set { change { $0.notBefore = newValue } }
  }

  /// Time since the machine's start after which the host does not call the plugin any more; `nil` for no limit.
  package var startBy: ElapsedTime? {
    get { place.parts.startBy }
    set { change { $0.startBy = newValue } }
  }

  /// Minimum time before ``notBefore`` for which the host keeps a processor busy. The host extends this time if its wake-ups
  /// were later.
  package var spin: ElapsedTime { place.parts.spin }

  package var run: RunID { place.parts.attempt.run }
  package var job: JobName { place.parts.attempt.entry.job }

  private mutating func change(_ body: (inout Parts) -> Void) {
    var parts = place.parts
    body(&parts)
    place = Place(parts)
  }

  /// Whether `left` and `right` are equal in every part.
  package static func == (left: PluginRun, right: PluginRun) -> Bool {
    left.place === right.place || left.place.parts == right.place.parts
  }

  /// Feeds every part.
  package func hash(into hasher: inout Hasher) { hasher.combine(place.parts) }
}

/// End of a call of a plugin, with the call's results.
package struct PluginRunEnd: Sendable, Equatable {
  package var outcome: AttemptResult
  /// The cursor that the plugin stored for the job's next run; `nil` leaves the stored cursor unchanged.
  package var cursor: [UInt8]?
  /// The text that the plugin set as the run's result; `nil` if it set none.
  package var result: String?
  /// Instants of the plugin's call; `nil` when the host has not reported them, or there was no call.
  package var call: CallInstants?
  /// Resource usage of the plugin and all its descendants. Unknown if the host has no control group, or if an earlier
  /// daemon began the call.
  package var usage = RunUsage()

  package init(outcome: AttemptResult, cursor: [UInt8]? = nil, result: String? = nil) {
    self.outcome = outcome
    self.cursor = cursor
    self.result = result
  }

  /// Makes the end of a failed call, with a one-line message for operators.
  package static func failed(_ message: String, isWorthRetrying: Bool = false) -> PluginRunEnd {
    PluginRunEnd(
      outcome: AttemptResult(status: .failed, isWorthRetrying: isWorthRetrying, message: message))
  }

  /// Makes the end of an attempt that was stopped before its plugin reported a result.
  package static func cancelled(_ message: String) -> PluginRunEnd {
    PluginRunEnd(outcome: AttemptResult(status: .cancelled, message: message))
  }
}

/// Identity of a plugin as it describes itself, with the schema of its parameters.
package struct PluginIdentity: Sendable, Equatable {
  package var name: String
  /// The plugin's version, in its author's own spelling.
  package var version: String
  /// One line about the plugin's purpose.
  package var summary: String
  /// The JSON schema of the plugin's parameters; empty when it accepts any parameters.
  package var schema: String
  /// Largest number of instances that the plugin can have open in one host, at least 1.
  package var instancesMax: Int

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
