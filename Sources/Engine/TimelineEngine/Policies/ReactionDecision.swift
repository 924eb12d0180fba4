import TimelineCore

/// A job that reacts to the end of an entry, and the incident that is reported to it.
struct Listener: Sendable, Hashable {
  let name: JobName
  /// Report of an incident; `nil` for a reaction to a single entry.
  let report: IncidentReport?
}

/// Decision about the jobs that react to the end of an entry, and whether the next success is a recovery.
struct ReactionDecision: Sendable, Hashable {
  /// Jobs that react; each job once.
  private(set) var listeners: [Listener] = []
  /// Whether the last run of the job failed.
  private(set) var hasFailed: Bool
  private(set) var incidents: JobIncidents

  /// Decides by the job's reactions.
  ///
  /// - Parameters:
  ///   - hasFailed: Whether the previous run failed.
  ///   - hasOutput: Whether this run has written output.
  ///   - wasLate: Whether the entry cannot end an incident of late entries.
  init(
    _ reactions: Reactions, _ record: EntryRecord, hasFailed: Bool, hasOutput: Bool, wasLate: Bool = false,
    _ incidents: JobIncidents
  ) {
    (self.hasFailed, self.incidents) = (hasFailed, incidents)
    // A reminder reports how the late entry ended.
    if let last = incidents[.late]?.last, last.entry == record.entry { self.incidents[.late]?.last = record }
    switch record.outcome.kind {
    case .failure:
      fail(.failure, reactions, record)
      self.hasFailed = true
    case .miss:
      fail(.missed, reactions, record)
    case .success:
      succeed(reactions, record, wasLate: wasLate)
      add(reactions.onSuccess)
      self.hasFailed = false
    case .cancellation, .omission:
      break
    }
    if hasOutput { add(reactions.onOutput) }
  }

  private mutating func fail(_ kind: IncidentKind, _ reactions: Reactions, _ record: EntryRecord) {
    guard let policy = reactions.policy(of: kind) else { return add(reactions.listener(to: kind)) }
    let phase = policy.fail(&incidents[kind], record)
    if let phase { add(reactions.listener(to: kind), incidents[kind]?.report(of: kind, phase)) }
  }

  /// Ends incidents. The success is a recovery if one of them was reported, or if each failure is reported and the last run
  /// failed.
  private mutating func succeed(_ reactions: Reactions, _ record: EntryRecord, wasLate: Bool) {
    var reports: [IncidentReport] = []
    for kind in IncidentKind.allCases where incidents[kind] != nil {
      guard !(wasLate && kind == .late), let policy = reactions.policy(of: kind),
        let ended = policy.succeed(&incidents[kind], at: record.endedAt)
      else { continue }
      reports.append(ended.report(of: kind, .recovered))
    }
    if hasFailed && reactions.policy(of: .failure) == nil || !reports.isEmpty {
      add(reactions.onRecovery, reports.first)
    }
  }

  private mutating func add(_ listener: JobName?, _ report: IncidentReport? = nil) {
    if let listener, !listeners.contains(where: { $0.name == listener }) {
      listeners.append(Listener(name: listener, report: report))
    }
  }
}

extension Incident {
  /// Returns a report of the incident.
  func report(of kind: IncidentKind, _ phase: IncidentReport.Phase) -> IncidentReport {
    IncidentReport(kind: kind, phase: phase, count: count, since: since)
  }
}
