import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Incident in which a failed entry counts, in its present state.
struct WhyIncident {
  /// Kind of the incident's failures.
  var kind: IncidentKind
  /// The job that runs because of the incident.
  var listener: JobName
  /// Policy by which the failures are counted.
  var policy: IncidentPolicy
  /// The incident; `nil` if it is over, because the data of an incident is not kept after its end.
  var incident: Incident?
  /// Instant of its next reminder; `nil` for none.
  var reminder: WallInstant?

  /// The incident in the form of a reply; `nil` if it is over.
  var report: WhyReply.IncidentState? {
    incident.map { incident in
      var state = WhyReply.IncidentState(
        kind: kind.rawValue, failures: incident.count, after: policy.after, since: incident.since)
      state.withinNanoseconds = policy.within?.nanoseconds
      state.toldAt = incident.toldAt.map(Timestamp.init)
      state.nextReminder = reminder.map(Timestamp.init)
      return state
    }
  }
}

extension WhyQuestion {
  /// Returns the incident in which an entry counts; `nil` if the entry is no failure, or if the job reports each failure
  /// separately.
  func incident(at finding: WhyFinding) -> WhyIncident? {
    guard case .settled(let entry) = finding.kind, entry.record.cause != .reaction,
      let kind = entry.record.outcome.incidentKind, let listener = policies.reactions.listener(to: kind),
      let policy = policies.reactions.policy(of: kind)
    else { return nil }
    let present = incidents.first { $0.kind == kind }?.incident.flatMap { policy.standing(of: $0, at: now) }
    let incident = present.flatMap { entry.record.endedAt + Self.endDelayMax < $0.since ? nil : $0 }
    return WhyIncident(
      kind: kind, listener: listener, policy: policy, incident: incident,
      reminder: pausedSince == nil ? policy.reminder(of: incident) : nil)
  }

  /// Longest delay between the end of a plugin's call and the report of this end to the daemon. The ledger has the instant of
  /// the end, and an incident has the instant of the report.
  private static let endDelayMax = ElapsedTime.seconds(1)
}

extension Outcome {
  /// Kind of the incidents in which an entry with this outcome counts; `nil` for none.
  fileprivate var incidentKind: IncidentKind? {
    switch kind {
    case .failure: .failure
    case .miss: .missed
    case .success, .cancellation, .omission: nil
    }
  }
}

extension IncidentKind {
  /// Singular and plural of the noun for the events that an incident of this kind counts.
  fileprivate var nouns: (one: String, several: String) {
    switch self {
    case .failure: ("failure", "failures")
    case .missed: ("missed entry", "missed entries")
    case .late: ("late entry", "late entries")
    }
  }
}

// Consequences of an entry, in words.
extension WhyWords {
  /// The reactions to an entry, one line each.
  var reactionLines: [WhyReply.Detail] {
    var lines: [WhyReply.Detail] = []
    for reaction in finding.reactions.suffix(WhyQuestion.reactionsMax) {
      let key = reaction.record.entry
      let state =
        reaction.isOpen
        ? (reaction.record.startedAt == nil ? "waiting" : "running") : reaction.record.outcome.rawValue
      lines.append(.init("told", "\(key.job) at \(time(key.nominal)), \(state)"))
    }
    if finding.reactions.count > WhyQuestion.reactionsMax, let job = finding.reactions.first?.record.entry.job
    {
      lines.insert(.init("told", "earlier ones are in `timelinectl history \(job)`"), at: 0)
    }
    return lines
  }

  /// Returns lines about the reactions to a settled entry, and about the incident in which it counts.
  func consequences(of record: EntryRecord) -> [WhyReply.Detail] {
    var lines = reactionLines
    if let incident = finding.incident {
      if incident.incident != nil || lines.isEmpty { lines.append(.init("incident", text(of: incident))) }
    } else if lines.isEmpty, record.cause != .reaction, let kind = record.outcome.incidentKind,
      let listener = question.policies.reactions.listener(to: kind)
    {
      lines.append(.init("told", "not known: no record of a run of \(listener) for this entry is kept"))
    }
    return lines
  }

  private func text(of incident: WhyIncident) -> String {
    guard let state = incident.incident else { return "over; nothing is kept of one that is over" }
    let (noun, plural) = incident.kind.nouns
    guard state.toldAt != nil else {
      let bounds = incident.policy.within.map { "within \($0)" } ?? "without a success in between"
      return
        "\(state.count) of \(incident.policy.after) \(plural) \(bounds); \(incident.listener) runs when there are \(incident.policy.after)"
    }
    let reminder =
      incident.reminder.map { "next reminder at \(time($0))" }
      ?? (incident.policy.remind == nil ? "no reminders" : "no reminders while the job is paused")
    return
      "open since \(time(state.since)), \(state.count) \(state.count == 1 ? noun : plural); \(reminder)"
  }
}
