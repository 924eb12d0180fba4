import TimelineCore

/// Failures of a job, and the reports of them to jobs that react.
struct JobFailures: Sendable {
  /// Whether the last run failed.
  private(set) var hasFailed = false
  private(set) var incidents = JobIncidents()
  /// Instant of the next check for late entries; `.max` for never, and for a job without a reaction to late entries.
  private var lateCheck = WallInstant.max

  /// Records the outcome of an entry. Returns the jobs that react to it.
  mutating func noteOutcome(
    of record: EntryRecord, hasOutput: Bool, wasLate: Bool, by reactions: Reactions
  ) -> [Listener] {
    let decision = ReactionDecision(
      reactions, record, hasFailed: hasFailed, hasOutput: hasOutput, wasLate: wasLate, incidents)
    (hasFailed, incidents) = (decision.hasFailed, decision.incidents)
    return decision.listeners
  }

  /// Records that the last run failed under an earlier daemon.
  mutating func noteFormerFailure() { hasFailed = true }

  /// Continues an incident of an earlier daemon or owner.
  mutating func restore(_ incident: Incident, of kind: IncidentKind, at now: WallInstant) {
    incidents[kind] = incident
    incidents.clockStepped(to: now)
  }

  /// Drops the incidents whose policy in `former` differs from the policy in `reactions`.
  mutating func keepOnly(from former: Reactions, to reactions: Reactions) {
    incidents.keepOnly(from: former, to: reactions)
  }

  /// Drops all incidents.
  mutating func endIncidents() { incidents = JobIncidents() }

  /// Adapts the incidents to a clock that shows `now` after a step.
  mutating func clockStepped(to now: WallInstant) { incidents.clockStepped(to: now) }

  /// Records a late entry. Returns the job to which the entry is reported.
  mutating func noteLate(_ record: EntryRecord, by reactions: Reactions) -> Listener? {
    guard let name = reactions.onLate,
      let phase = reactions.lateIncidents.fail(&incidents[.late], record), let incident = incidents[.late]
    else { return nil }
    return Listener(name: name, report: incident.report(of: .late, phase))
  }

  /// Records that the reminders due at `now` are sent, and returns them. For a paused job, records but does not return them.
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

  /// Plans a check for late entries at `instant`, unless an earlier check is planned.
  mutating func planLateCheck(at instant: WallInstant) { lateCheck = min(lateCheck, instant) }

  /// Returns whether a check for late entries is due at `now`. If so, no further check is planned.
  mutating func takeLateCheck(at now: WallInstant) -> Bool {
    guard lateCheck <= now else { return false }
    lateCheck = .max
    return true
  }

  /// Returns the instant of the next reminder of an incident or check for late entries; `nil` for none.
  func reminder(by reactions: Reactions) -> WallInstant? {
    let check = lateCheck < .max ? lateCheck : nil
    guard let reminder = incidents.reminder(by: reactions) else { return check }
    return min(reminder, check ?? .max)
  }
}
