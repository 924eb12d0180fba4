/// Something about a daemon that an operator should know.
package struct HealthFinding: Codable, Sendable, Hashable {
  /// Weight of a finding.
  package enum Severity: String, Codable, Sendable, CaseIterable {
    /// Something that an operator has to correct.
    case problem
    /// Something that may be as an operator wants it.
    case notice
  }

  /// Kinds of findings.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    /// The ledger cannot be written, or has lost records.
    case ledger
    /// The control socket is not as it should be: some clients may not reach the daemon.
    case control
    /// A job does not run, because it lacks something of the machine.
    case suspended
    /// A job runs, and will not after a restart.
    case fault
    /// An entry should have begun some time ago and has not.
    case overdue
    /// The last run of a job failed.
    case failing
    /// A job waits because the clock was set back.
    case clockWait = "clock-wait"
    /// The clock is off, or nothing keeps it right.
    case clock
    /// The node is no member of its cluster, or the store cannot be used.
    case cluster
    /// No node of the cluster runs a job.
    case unowned
    /// Cron runs jobs of crontabs, or cron or systemd what jobs were imported from.
    case cron
    /// The daemon stops.
    case stopping
  }

  /// The kind.
  package var kind: Kind
  /// The weight.
  package var severity: Severity
  /// The job that it is about; `nil` for the daemon.
  package var job: String?
  /// The fact, and what to do about it.
  package var message: String

  /// Makes a finding.
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
