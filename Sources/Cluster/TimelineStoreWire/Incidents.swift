/// Incidents of a job. The next owner of the job inherits them.
package struct StoredIncidents: Codable, Sendable, Equatable {
  package var job: String
  /// Term of the owner that counted the incidents. The store accepts only incidents of the present term, so a late call of a
  /// former owner has no effect.
  package var term: Int64
  /// At most one incident of each kind; empty after the last incident has ended.
  package var incidents: [StoredIncident]

  package init(job: String, term: Int64, incidents: [StoredIncident]) {
    (self.job, self.term, self.incidents) = (job, term, incidents)
  }
}

/// Failures of one kind of a job without a success since then, and the policy by which they were counted.
package struct StoredIncident: Codable, Sendable, Equatable {
  /// Settings that open an incident and repeat its report.
  package struct Policy: Codable, Sendable, Equatable {
    /// Number of failures that open an incident.
    package var after: Int
    /// Maximum time from the first to the last of these failures, in nanoseconds; `nil` for no limit.
    package var within: Int64?
    /// Time between two reports, in nanoseconds; `nil` for a single report.
    package var remind: Int64?

    package init(after: Int, within: Int64?, remind: Int64?) {
      (self.after, self.within, self.remind) = (after, within, remind)
    }
  }

  /// Kind of the failures: `failure`, `missed` or `late`.
  package var kind: String
  /// Policy by which the failures were counted.
  package var policy: Policy
  package var count: Int
  /// Instant of the first failure, in nanoseconds since 1970.
  package var since: Int64
  /// Instant of the last report, in nanoseconds since 1970; `nil` before the incident opens.
  package var reportedAt: Int64?
  /// Instants of the latest failures, ascending, in nanoseconds since 1970; empty for a policy without ``Policy/within``.
  package var recent: [Int64]
  /// Record of the last failure. The record of a late entry without an outcome has the stage of the entry in place of the
  /// outcome.
  package var last: StoredRecord

  package init(
    kind: String, policy: Policy, count: Int, since: Int64, reportedAt: Int64?, recent: [Int64],
    last: StoredRecord
  ) {
    (self.kind, self.policy, self.count) = (kind, policy, count)
    (self.since, self.reportedAt) = (since, reportedAt)
    (self.recent, self.last) = (recent, last)
  }
}
