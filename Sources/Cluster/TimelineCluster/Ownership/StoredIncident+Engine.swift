package import TimelineCore
package import TimelineEngine
package import TimelineStoreWire

extension StoredIncident {
  /// Makes the stored form of an incident; `nil` if the incident has ended.
  ///
  /// - Parameters:
  ///   - node: Name of the node that counted the incident.
  ///   - epoch: Epoch of the node.
  package init?(_ note: IncidentNote, node: String, epoch: String) {
    guard let incident = note.incident else { return nil }
    let policy = note.policy
    self.init(
      kind: note.kind.rawValue,
      policy: Policy(
        after: policy.after, within: policy.within?.nanoseconds, remind: policy.remind?.nanoseconds),
      count: incident.count, since: incident.since.nanosecondsSinceEpoch,
      reportedAt: incident.toldAt?.nanosecondsSinceEpoch,
      recent: incident.recent.map(\.nanosecondsSinceEpoch),
      last: StoredRecord(incident.last, node: node, epoch: epoch))
  }
}

extension IncidentNote {
  /// Makes the engine's form of an incident; `nil` if its kind or its last record is of a later version of the program.
  package init?(_ stored: StoredIncident, of job: JobName) {
    guard let kind = IncidentKind(rawValue: stored.kind), let last = EntryRecord(stored.last, of: job) else {
      return nil
    }
    let policy = IncidentPolicy(
      after: stored.policy.after, within: stored.policy.within.map(ElapsedTime.nanoseconds),
      remind: stored.policy.remind.map(ElapsedTime.nanoseconds))
    let incident = Incident(
      count: stored.count, since: WallInstant(nanosecondsSinceEpoch: stored.since),
      toldAt: stored.reportedAt.map(WallInstant.init(nanosecondsSinceEpoch:)),
      recent: stored.recent.map(WallInstant.init(nanosecondsSinceEpoch:)), last: last)
    self.init(job: job, kind: kind, policy: policy, incident: incident)
  }
}

extension StoredRecord {
  /// Makes the stored form of a record. The reason is cut to ``StoreWireLimits/reasonMax`` bytes.
  ///
  /// - Parameters:
  ///   - node: Name of the node that settled the entry.
  ///   - epoch: Epoch of the node.
  ///   - token: Token of the entry's claim; `nil` without a claim.
  package init(_ record: EntryRecord, node: String, epoch: String, token: Int64? = nil) {
    let whole = StoredRecord(
      key: record.entry, firstNominal: record.firstNominal.nanosecondsSinceEpoch,
      entryCount: record.entryCount, outcome: record.stateText, cause: record.cause.rawValue,
      reason: record.reason, startedAt: record.startedAt?.nanosecondsSinceEpoch,
      endedAt: record.endedAt.nanosecondsSinceEpoch, attempts: record.attempts, node: node, epoch: epoch,
      token: token)
    self = whole.withShortReason
  }
}

extension EntryRecord {
  /// Makes a record of another node, without its run; `nil` if its cause or its outcome is of a later version of the program.
  fileprivate init?(_ stored: StoredRecord, of job: JobName) {
    guard let cause = RunCause(rawValue: stored.cause),
      let (stage, outcome) = Self.state(ofText: stored.outcome)
    else { return nil }
    self.init(
      entry: EntryKey(job: job, nominal: stored.key.nominal),
      cause: cause, outcome: outcome, reason: stored.reason,
      startedAt: stored.startedAt.map(WallInstant.init(nanosecondsSinceEpoch:)),
      endedAt: WallInstant(nanosecondsSinceEpoch: stored.endedAt), attempts: stored.attempts,
      entryCount: max(1, stored.entryCount),
      firstNominal: WallInstant(nanosecondsSinceEpoch: stored.firstNominal))
    self.stage = stage
  }
}
