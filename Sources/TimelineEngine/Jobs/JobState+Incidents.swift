import TimelineCore

// Questions about incidents, and about jobs that are told.
extension JobState {
  /// Its incidents, each with the policy by which its failures are counted.
  var incidentNotes: [IncidentNote] {
    incidents.isEmpty
      ? []
      : incidents.changes(
        since: JobIncidents(), of: definition.name, isCounted: false, by: definition.policies.reactions)
  }

  /// Whether a job is told of late entries. It is asked for each entry that waits for its claim, and without a call copies nothing.
  @inline(__always) var hasLateListener: Bool { definition.policies.reactions.onLate != nil }

  /// Whether a job may react to this success: it reacts to each, or to the output, or an incident may end.
  ///
  /// It is asked at each success. Without a call, the two values are read where they lie, and the state of the job is not copied.
  @inline(__always) func hasListener(toSuccessWithOutput hasOutput: Bool) -> Bool {
    definition.policies.reactions.onSuccess != nil
      || hasOutput && definition.policies.reactions.onOutput != nil || !incidents.isEmpty
  }
}
