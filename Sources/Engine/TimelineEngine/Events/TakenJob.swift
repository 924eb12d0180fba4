package import TimelineCore

/// A job whose owner the node has become, with its state in the cluster's store.
package struct TakenJob: Sendable, Equatable {
  package var name: JobName
  /// Nominal instant up to which entries are decided. Later entries that have passed are missed. `nil` for a new job, which
  /// begins now, or with the first entry in ``open`` that has passed.
  ///
  /// Includes outcomes that this node has settled and the store does not have yet.
  package var watermark: WallInstant?
  /// Spans later than the watermark in which entries have outcomes, in the store or in this node's ledger.
  package var decided: [ClosedRange<WallInstant>]
  /// Instant of the pause; `nil` if the job is not paused.
  package var pausedSince: WallInstant?
  /// Whether the last run failed. The next success is then a recovery.
  package var isFailing: Bool
  /// Incidents that earlier owners have counted. Incidents of a policy other than the job's are dropped.
  package var incidents: [IncidentNote]
  /// Claims of earlier owners without an outcome. Each is an entry that was certainly not started, or a run with an unknown
  /// end.
  ///
  /// An entry with an active run here goes on.
  package var open: [OpenRun]

  package init(
    name: JobName, watermark: WallInstant? = nil, decided: [ClosedRange<WallInstant>] = [],
    pausedSince: WallInstant? = nil, isFailing: Bool = false, incidents: [IncidentNote] = [],
    open: [OpenRun] = []
  ) {
    (self.name, self.watermark, self.decided, self.pausedSince) = (name, watermark, decided, pausedSince)
    (self.isFailing, self.incidents, self.open) = (isFailing, incidents, open)
  }
}
