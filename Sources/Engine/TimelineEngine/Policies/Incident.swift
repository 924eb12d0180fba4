package import TimelineCore

/// Failures of one kind of a job without a success since then, as an ``IncidentPolicy`` counts them.
package struct Incident: Sendable, Hashable {
  package var count: Int
  /// Instant of the first failure.
  package var since: WallInstant
  /// Instant of the last report, or of a report that a pause held back; `nil` before the incident opens.
  package var toldAt: WallInstant?
  /// Instants of the latest failures, ascending, at most as many as open an incident; empty for a policy without a window.
  package var recent: [WallInstant]
  /// Record of the last failure. It is the upstream of a reminder.
  package var last: EntryRecord

  package init(
    count: Int = 0, since: WallInstant, toldAt: WallInstant? = nil, recent: [WallInstant] = [],
    last: EntryRecord
  ) {
    (self.count, self.since, self.toldAt) = (count, since, toldAt)
    (self.recent, self.last) = (recent, last)
  }

  /// Moves instants later than `now` to `now`, because the clock was set back. The next reminder comes at most one interval
  /// later.
  mutating func clockStepped(to now: WallInstant) {
    toldAt = toldAt.map { min($0, now) }
    recent = recent.map { min($0, now) }
  }
}

/// Kind of the failures of an incident.
package enum IncidentKind: String, Sendable, Hashable, CaseIterable {
  /// Entries that end `failed`, `timed-out`, `lost` or `unknown`.
  case failure
  /// Entries that end `missed`, `overlapped` or `limited`.
  case missed
  /// Entries that should have begun but have not, by ``OverdueDecision``.
  case late
}

/// Report of an incident, which a reaction receives with its upstream entry.
package struct IncidentReport: Sendable, Hashable {
  /// Place of the report in the course of the incident.
  package enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The incident has opened.
    case opened
    /// The incident still lasts.
    case reminder
    /// The incident has ended.
    case recovered
  }

  package var kind: IncidentKind
  package var phase: Phase
  package var count: Int
  /// Instant of the first failure.
  package var since: WallInstant

  package init(kind: IncidentKind, phase: Phase, count: Int, since: WallInstant) {
    (self.kind, self.phase, self.count, self.since) = (kind, phase, count, since)
  }
}

/// Change of an incident, recorded for a later daemon.
package struct IncidentNote: Sendable, Hashable {
  package var job: JobName
  package var kind: IncidentKind
  /// Policy by which the failures are counted.
  package var policy: IncidentPolicy
  /// `nil` if the incident has ended.
  package var incident: Incident?

  package init(job: JobName, kind: IncidentKind, policy: IncidentPolicy, incident: Incident?) {
    (self.job, self.kind, self.policy, self.incident) = (job, kind, policy, incident)
  }
}
