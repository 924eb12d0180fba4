/// Incidents of a job, which are passed on to its next owner.
package struct StoredIncidents: Codable, Sendable, Hashable {
  /// Name of the job.
  package var job: String
  /// Term of the owner that has counted them. The store accepts only incidents of the present term, so that a late call of a
  /// former owner has no effect.
  package var term: Int64
  /// The incidents, at most one of each kind; empty after the last one has ended.
  package var incidents: [StoredIncident]

  /// Makes incidents of a job.
  package init(job: String, term: Int64, incidents: [StoredIncident]) {
    (self.job, self.term, self.incidents) = (job, term, incidents)
  }
}

/// Failures of one kind of a job that no success has ended, and the policy by which they were counted.
package struct StoredIncident: Codable, Sendable, Hashable {
  /// Policy of an incident.
  package struct Policy: Codable, Sendable, Hashable {
    /// Number of failures that open an incident.
    package var after: Int
    /// Time within which the failures must lie, in nanoseconds; `nil` for any.
    package var within: Int64?
    /// Time between two reports, in nanoseconds; `nil` for one report.
    package var remind: Int64?

    /// Makes a policy.
    package init(after: Int, within: Int64?, remind: Int64?) {
      (self.after, self.within, self.remind) = (after, within, remind)
    }
  }

  /// Kind of the failures: `failure`, `missed` or `late`.
  package var kind: String
  /// Policy by which they were counted.
  package var policy: Policy
  /// Number of failures.
  package var count: Int
  /// Instant of the first failure, in nanoseconds since 1970.
  package var since: Int64
  /// Instant of the last report, in nanoseconds since 1970; `nil` before the incident opens.
  package var reportedAt: Int64?
  /// Instants of the latest failures, ascending, in nanoseconds since 1970; none for a policy without ``Policy/within``.
  package var recent: [Int64]
  /// Record of the last failure. For a late entry without an outcome, the record has the stage of the entry instead of the
  /// outcome.
  package var last: StoredRecord

  /// Makes an incident.
  package init(
    kind: String, policy: Policy, count: Int, since: Int64, reportedAt: Int64?, recent: [Int64],
    last: StoredRecord
  ) {
    (self.kind, self.policy, self.count) = (kind, policy, count)
    (self.since, self.reportedAt) = (since, reportedAt)
    (self.recent, self.last) = (recent, last)
  }
}
