package import TimelineCore

/// Failures of one kind of a job that no success has ended, as an ``IncidentPolicy`` counts them.
package struct Incident: Sendable, Hashable {
  /// Number of failures.
  package var count: Int
  /// Instant of the first of them.
  package var since: WallInstant
  /// Instant of the last report, or of one that a pause held back; `nil` before the incident opens.
  package var toldAt: WallInstant?
  /// Instants of the latest failures, ascending, at most as many as open an incident; none for a policy without a window.
  package var recent: [WallInstant]
  /// Record of the last failure, which a reminder has as its upstream.
  package var last: EntryRecord

  /// Makes an incident that has not opened.
  package init(
    count: Int = 0, since: WallInstant, toldAt: WallInstant? = nil, recent: [WallInstant] = [],
    last: EntryRecord
  ) {
    (self.count, self.since, self.toldAt) = (count, since, toldAt)
    (self.recent, self.last) = (recent, last)
  }

  /// Moves instants later than `now` to `now`, because the clock was set back. The next reminder comes one interval later at
  /// most.
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
  /// Entries that should have begun and have not, by ``OverdueDecision``.
  case late
}

/// Report of an incident, which a reaction receives with its upstream entry.
package struct IncidentReport: Sendable, Hashable {
  /// Place of the report in the course of the incident.
  package enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The incident has opened.
    case opened
    /// It still lasts.
    case reminder
    /// It has ended.
    case recovered
  }

  /// Kind of its failures.
  package var kind: IncidentKind
  /// Place in its course.
  package var phase: Phase
  /// Number of failures.
  package var count: Int
  /// Instant of the first of them.
  package var since: WallInstant

  /// Makes a report.
  package init(kind: IncidentKind, phase: Phase, count: Int, since: WallInstant) {
    (self.kind, self.phase, self.count, self.since) = (kind, phase, count, since)
  }
}

/// Change of an incident, recorded for a later daemon.
package struct IncidentNote: Sendable, Hashable {
  /// Name of the job.
  package var job: JobName
  /// Kind of the failures.
  package var kind: IncidentKind
  /// Policy by which they are counted.
  package var policy: IncidentPolicy
  /// The incident; `nil` when there is none any more.
  package var incident: Incident?

  /// Makes a note.
  package init(job: JobName, kind: IncidentKind, policy: IncidentPolicy, incident: Incident?) {
    (self.job, self.kind, self.policy, self.incident) = (job, kind, policy, incident)
  }
}
