package import TimelineCore

/// A job whose owner the node has become, with its state in the cluster's store.
package struct TakenJob: Sendable, Equatable {
  /// Name of the job.
  package var name: JobName
  /// Nominal instant up to which entries are decided; later ones are missed if they have passed. `nil` for a new job, which
  /// begins now or with the first entry in ``open`` that has passed.
  ///
  /// Outcomes that this node has settled and the store does not have yet count, too.
  package var watermark: WallInstant?
  /// Spans later than the watermark in which entries have outcomes, in the store or in this node's ledger.
  package var decided: [ClosedRange<WallInstant>]
  /// Instant since which the job is paused; `nil` when it is not.
  package var pausedSince: WallInstant?
  /// Whether its last run failed, so that the next success is a recovery.
  package var isFailing: Bool
  /// Incidents that earlier owners have counted; incidents of a policy other than the job's are dropped.
  package var incidents: [IncidentNote]
  /// Claims of earlier owners without an outcome, each as an entry that was certainly not started or as a run whose end is not
  /// known.
  ///
  /// An entry with an active run here goes on.
  package var open: [OpenRun]

  /// Makes a job.
  package init(
    name: JobName, watermark: WallInstant? = nil, decided: [ClosedRange<WallInstant>] = [],
    pausedSince: WallInstant? = nil, isFailing: Bool = false, incidents: [IncidentNote] = [],
    open: [OpenRun] = []
  ) {
    (self.name, self.watermark, self.decided, self.pausedSince) = (name, watermark, decided, pausedSince)
    (self.isFailing, self.incidents, self.open) = (isFailing, incidents, open)
  }
}
