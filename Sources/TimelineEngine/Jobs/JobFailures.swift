import TimelineCore

/// Failures of a job, and the reports of them to jobs that react.
struct JobFailures: Sendable {
  /// Whether the last run failed.
  private(set) var hasFailed = false
  /// Incidents of the job.
  private(set) var incidents = JobIncidents()
  /// Instant at which to look for late entries; `.max` for never, and for a job without a reaction to them.
  private var lateCheck = WallInstant.max

  /// Takes in the outcome of an entry, and returns the jobs that react to it.
  mutating func noteOutcome(
    of record: EntryRecord, hasOutput: Bool, wasLate: Bool, by reactions: Reactions
  ) -> [Listener] {
    let decision = ReactionDecision(
      reactions, record, hasFailed: hasFailed, hasOutput: hasOutput, wasLate: wasLate, incidents)
    (hasFailed, incidents) = (decision.hasFailed, decision.incidents)
    return decision.listeners
  }

  /// Takes in that the last run failed in the time of an earlier daemon.
  mutating func noteFormerFailure() { hasFailed = true }

  /// Goes on with an incident of an earlier daemon, or owner.
  mutating func restore(_ incident: Incident, of kind: IncidentKind, at now: WallInstant) {
    incidents[kind] = incident
    incidents.clockStepped(to: now)
  }

  /// Drops the incidents that were counted by another policy than that of `reactions`.
  mutating func keepOnly(from former: Reactions, to reactions: Reactions) {
    incidents.keepOnly(from: former, to: reactions)
  }

  /// Drops all incidents.
  mutating func endIncidents() { incidents = JobIncidents() }

  /// Takes in that the clock shows `now` after a step.
  mutating func clockStepped(to now: WallInstant) { incidents.clockStepped(to: now) }

  /// Takes in an entry that is late, and returns the job that is told of it.
  mutating func noteLate(_ record: EntryRecord, by reactions: Reactions) -> Listener? {
    guard let name = reactions.onLate,
      let phase = reactions.lateIncidents.fail(&incidents[.late], record), let incident = incidents[.late]
    else { return nil }
    return Listener(name: name, report: incident.report(of: .late, phase))
  }

  /// Takes in that the reminders that are due at `now` come, and returns what is told; a paused job has no reminders.
  mutating func remind(
    at now: WallInstant, by reactions: Reactions, isPaused: Bool
  ) -> [(listener: Listener, upstream: EntryRecord)] {
    IncidentKind.allCases.compactMap { kind in
      guard let policy = reactions.policy(of: kind), let name = reactions.listener(to: kind),
        let phase = policy.remind(&incidents[kind], at: now), !isPaused, let incident = incidents[kind]
      else { return nil }
      return (Listener(name: name, report: incident.report(of: kind, phase)), incident.last)
    }
  }

  /// Looks for late entries at `instant`, or earlier if that is planned.
  mutating func planLateCheck(at instant: WallInstant) { lateCheck = min(lateCheck, instant) }

  /// Whether to look for late entries at `now`; then no further look is planned.
  mutating func takeLateCheck(at now: WallInstant) -> Bool {
    guard lateCheck <= now else { return false }
    lateCheck = .max
    return true
  }

  /// Returns the instant of the next reminder of an incident or look for late entries; `nil` for none.
  func reminder(by reactions: Reactions) -> WallInstant? {
    let check = lateCheck < .max ? lateCheck : nil
    guard let reminder = incidents.reminder(by: reactions) else { return check }
    return min(reminder, check ?? .max)
  }
}
