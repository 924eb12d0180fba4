package import TimelineCore

/// Incidents of one job, by their kinds.
struct JobIncidents: Sendable, Hashable {
  // At most one incident of each kind. Stored out of line, because few jobs have incidents.
  private var incidents: [Element] = []

  private struct Element: Sendable, Hashable {
    let kind: IncidentKind
    var incident: Incident
  }

  var isEmpty: Bool { incidents.isEmpty }

  /// The incident of a kind; `nil` for none.
  subscript(kind: IncidentKind) -> Incident? {
    get { incidents.first { $0.kind == kind }?.incident }
    set {
      incidents.removeAll { $0.kind == kind }
      if let newValue { incidents.append(Element(kind: kind, incident: newValue)) }
    }
  }

  /// Returns the last entry that was counted as late; `.min` for none, or if the clock will show this entry again.
  func lastLate(at now: WallInstant) -> WallInstant {
    guard let last = self[.late]?.last, last.endedAt <= now else { return .min }
    return last.entry.nominal
  }

  /// Adapts the incidents to a clock that shows `now` after a step.
  mutating func clockStepped(to now: WallInstant) {
    for place in incidents.indices { incidents[place].incident.clockStepped(to: now) }
  }

  /// Drops the incidents whose policy in `former` differs from the policy in `reactions`.
  mutating func keepOnly(from former: Reactions, to reactions: Reactions) {
    incidents.removeAll { former.policy(of: $0.kind) != reactions.policy(of: $0.kind) }
  }

  /// Returns the instant of the first reminder; `nil` for none.
  func reminder(by reactions: Reactions) -> WallInstant? {
    incidents.compactMap { reactions.policy(of: $0.kind)?.reminder(of: $0.incident) }.min()
  }

  /// Returns notes of the incidents that have changed since `former`. For a counted job, only a new report is a change.
  func changes(
    since former: JobIncidents, of job: JobName, isCounted: Bool, by reactions: Reactions
  ) -> [IncidentNote] {
    IncidentKind.allCases.compactMap { kind in
      guard self[kind] != former[kind], let policy = reactions.policy(of: kind) else { return nil }
      if isCounted, self[kind]?.toldAt == former[kind]?.toldAt { return nil }
      return IncidentNote(job: job, kind: kind, policy: policy, incident: self[kind])
    }
  }
}

extension Reactions {
  /// Returns the policy for incidents of a kind; `nil` if each failure is reported, or no failure.
  package func policy(of kind: IncidentKind) -> IncidentPolicy? {
    // Without a listener there is nothing to count, and no reminder to plan.
    if listener(to: kind) == nil { return nil }
    return switch kind {
    case .failure: failureIncidents
    case .missed: missedIncidents
    case .late: lateIncidents
    }
  }

  /// Returns the job to which incidents of a kind are reported; `nil` for none.
  package func listener(to kind: IncidentKind) -> JobName? {
    switch kind {
    case .failure: onFailure
    case .missed: onMissed
    case .late: onLate
    }
  }
}
