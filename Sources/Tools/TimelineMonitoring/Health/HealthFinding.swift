/// A fact about a daemon that an operator should notice.
package struct HealthFinding: Codable, Sendable, Equatable {
  /// Weight of a finding.
  package enum Severity: String, Codable, Sendable, CaseIterable {
    /// A fault that an operator must correct.
    case problem
    /// A state that may be intended.
    case notice
  }

  /// Kinds of findings.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// The ledger cannot be written, or has lost records.
    case ledger
    /// The control socket does not have the configured state, so some clients may not reach the daemon.
    case control
    /// A job does not run, because a requirement is missing on this machine.
    case suspended
    /// A job runs, but will not run after a restart.
    case fault
    case overdue
    /// The last run of a job failed.
    case failing
    /// A job waits because the clock was set backwards.
    case clockWait = "clock-wait"
    /// The clock is wrong, or is not synchronized.
    case clock
    /// The node is not a member of its cluster, or the store cannot be used.
    case cluster
    /// No node of the cluster runs a job.
    case unowned
    /// Cron runs jobs of crontabs, or cron or systemd still runs the source of imported jobs.
    case cron
    case stopping
  }

  package var kind: Kind
  package var severity: Severity
  /// `nil` for the daemon.
  package var job: String?
  /// The fact and the remedy.
  package var message: String

  package init(_ kind: Kind, as severity: Severity = .problem, job: String? = nil, _ message: String) {
    (self.kind, self.severity, self.job, self.message) = (kind, severity, job, message)
  }

  /// One line for people.
  package var text: String { "\(severity.rawValue): \(job.map { "job \($0)" } ?? subject): \(message)" }

  private var subject: String {
    switch kind {
    case .ledger, .clock, .cluster, .cron: kind.rawValue
    case .control: "control socket"
    case .suspended, .fault, .overdue, .failing, .clockWait, .unowned: "jobs"
    case .stopping: "timelined"
    }
  }
}
