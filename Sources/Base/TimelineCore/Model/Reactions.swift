/// The jobs that are triggered by another job's entries, with the upstream entry as their context.
public struct Reactions: Sendable, Hashable {
  /// Triggered when an entry ends `failed`, `timed-out`, `lost` or `unknown`.
  public var onFailure: JobName?
  /// Triggered when an entry ends `missed`, `overlapped` or `limited`.
  public var onMissed: JobName?
  /// Triggered when an entry is overdue, by ``lateIncidents``.
  public var onLate: JobName?
  /// Triggered when a run begins: when the plugin of its first attempt is called.
  public var onStart: JobName?
  /// Triggered by the first success after a failure, or by the end of a reported incident.
  public var onRecovery: JobName?
  /// Triggered when an entry ends `succeeded`.
  public var onSuccess: JobName?
  /// Triggered when a run with output has ended, with any outcome.
  public var onOutput: JobName?
  /// The incidents for which ``onFailure`` is triggered; `nil` to trigger it by each failure.
  public var failureIncidents: IncidentPolicy?
  /// The incidents for which ``onMissed`` is triggered; `nil` to trigger it by each missed entry.
  public var missedIncidents: IncidentPolicy?
  /// The incidents for which ``onLate`` is triggered. Not optional, because a late entry is a state that lasts.
  public var lateIncidents: IncidentPolicy

  /// Makes reactions; without arguments no job is triggered.
  public init(
    onFailure: JobName? = nil, onMissed: JobName? = nil, onRecovery: JobName? = nil,
    onSuccess: JobName? = nil, onOutput: JobName? = nil, failureIncidents: IncidentPolicy? = nil,
    missedIncidents: IncidentPolicy? = nil, onLate: JobName? = nil,
    lateIncidents: IncidentPolicy = IncidentPolicy(), onStart: JobName? = nil
  ) {
    self.onFailure = onFailure
    self.onMissed = onMissed
    self.onRecovery = onRecovery
    self.onSuccess = onSuccess
    self.onOutput = onOutput
    self.failureIncidents = failureIncidents
    self.missedIncidents = missedIncidents
    self.onLate = onLate
    self.lateIncidents = lateIncidents
    self.onStart = onStart
  }

  /// The jobs that reactions trigger. A job can occur several times.
  package var targets: [JobName] {
    [onFailure, onMissed, onLate, onStart, onRecovery, onSuccess, onOutput].compactMap(\.self)
  }

  /// Whether a reaction triggers the job of that name.
  package func contains(_ name: JobName) -> Bool { targets.contains(name) }
}
