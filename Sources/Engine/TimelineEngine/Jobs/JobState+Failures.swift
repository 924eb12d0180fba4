import TimelineCore

// Failures of the job, by its reactions.
extension JobState {
  /// Records the outcome of an entry. Returns the jobs that react to it.
  mutating func noteOutcome(of record: EntryRecord, hasOutput: Bool, wasLate: Bool) -> [Listener] {
    failures.noteOutcome(
      of: record, hasOutput: hasOutput, wasLate: wasLate, by: definition.policies.reactions)
  }

  /// Records a late entry. Returns the job to which the entry is reported.
  mutating func noteLate(_ record: EntryRecord) -> Listener? {
    failures.noteLate(record, by: definition.policies.reactions)
  }

  /// Records that the reminders due at `now` are sent, and returns them.
  mutating func remind(at now: WallInstant) -> [(listener: Listener, upstream: EntryRecord)] {
    failures.remind(at: now, by: definition.policies.reactions, isPaused: pause != nil)
  }

  /// Returns whether a check for late entries is due at `now`. If so, no further check is planned. A paused job has no late
  /// entries.
  mutating func takeLateCheck(at now: WallInstant) -> Bool {
    failures.takeLateCheck(at: now) && pause == nil
  }

  /// Instant of the next reminder of an incident or check for late entries; `nil` for none.
  var reminder: WallInstant? {
    isRetired ? nil : failures.reminder(by: definition.policies.reactions)
  }

  /// Incidents of the job, each with the policy by which its failures are counted.
  var incidentNotes: [IncidentNote] {
    failures.incidents.isEmpty
      ? []
      : failures.incidents.changes(
        since: JobIncidents(), of: definition.name, isCounted: false, by: definition.policies.reactions)
  }

  /// Whether late entries are reported to a job.
  var hasLateListener: Bool { definition.policies.reactions.onLate != nil }

  /// Whether a job may react to this success: a job reacts to each success, or to the output, or an incident may end.
  func hasListener(toSuccessWithOutput hasOutput: Bool) -> Bool {
    definition.policies.reactions.onSuccess != nil
      || hasOutput && definition.policies.reactions.onOutput != nil || !failures.incidents.isEmpty
  }
}
