import TimelineCore
import TimelineEngine

/// Checks that each matching record is reported once, and no other record is.
struct Stories {
  /// Records that are to be reported and have not been, by the job that is to receive them.
  private var owed: [JobName: [EntryRecord]] = [:]
  private var told: [EntryKey: EntryRecord] = [:]
  /// Numbers of reactions that were settled without a run. Their upstreams are unknown.
  private var untold: [JobName: Int] = [:]
  /// The jobs whose last run failed; after a crash those of the ledger, because uncommitted outcomes do not count.
  var failing: Set<JobName> = []
  /// Consecutive failures of each kind, and whether they were reported, for jobs with an incident policy.
  private var incidents: [JobName: [IncidentKind: (count: Int, isTold: Bool)]] = [:]
  /// Numbers of reactions that were not caused by the outcome of an entry.
  private(set) var counts = Counts()
  /// Whether the reports to expect are known exactly. After a reload a report may be missing, or may follow rules that are
  /// unknown here.
  var isExact = true

  /// Numbers of reactions to starts, to late entries, and of reminders.
  struct Counts {
    private(set) var (starts, late, reminders) = (0, 0, 0)

    mutating func add(_ upstream: EntryRecord) {
      if upstream.stage == .running { starts += 1 }
      if upstream.incident?.kind == .late { late += 1 }
      if upstream.incident?.phase == .reminder { reminders += 1 }
    }

    mutating func add(_ other: Counts) {
      starts += other.starts
      late += other.late
      reminders += other.reminders
    }
  }

  /// Records an outcome, and the jobs to which it is to be reported.
  mutating func note(
    _ record: EntryRecord, by definition: JobDefinition?, hasOutput: Bool, isListening: (JobName) -> Bool
  ) {
    if !record.cause.isReported { return }
    if record.cause == .reaction {
      if told[record.entry] == nil { untold[record.entry.job, default: 0] += 1 }
      return
    }
    let reactions = definition?.policies.reactions ?? Reactions()
    // Records do not show which of these reactions run.
    if reactions.onStart != nil || reactions.onLate != nil { isExact = false }
    var listeners: [JobName?] = []
    switch record.outcome.kind {
    case .failure:
      failing.insert(record.entry.job)
      if opens(.failure, record, reactions.failureIncidents) { listeners = [reactions.onFailure] }
    case .miss: if opens(.missed, record, reactions.missedIncidents) { listeners = [reactions.onMissed] }
    case .success:
      let ended = incidents.removeValue(forKey: record.entry.job) ?? [:]
      let hasFailed = failing.remove(record.entry.job) != nil && reactions.failureIncidents == nil
      if hasFailed || ended.values.contains(where: \.isTold) { listeners = [reactions.onRecovery] }
      listeners.append(reactions.onSuccess)
    case .cancellation, .omission: break
    }
    if hasOutput { listeners.append(reactions.onOutput) }
    for listener in Set(listeners.compactMap(\.self)) where isListening(listener) {
      owed[listener, default: []].append(record)
    }
  }

  /// Records that a backfill has ended with failures, and that `listener` gets the report.
  mutating func report(_ record: EntryRecord, to listener: JobName) {
    owed[listener, default: []].append(record)
  }

  /// Whether a record is to be reported: without a policy every record, otherwise the record that opens an incident.
  private mutating func opens(_ kind: IncidentKind, _ record: EntryRecord, _ policy: IncidentPolicy?) -> Bool
  {
    guard let policy else { return true }
    // IncidentPolicyTests has a model of windows and reminders.
    if policy.within != nil || policy.remind != nil { isExact = false }
    var (count, wasTold) = incidents[record.entry.job]?[kind] ?? (0, false)
    count += record.entryCount
    incidents[record.entry.job, default: [:]][kind] = (count, wasTold || count >= policy.after)
    return !wasTold && count >= policy.after
  }

  /// Replaces the failing jobs and the incidents by those with which another daemon starts. A success that was not committed
  /// comes again, and is a recovery again.
  mutating func restarted(failing: Set<JobName>, _ notes: [IncidentNote]) {
    self.failing = failing
    incidents = [:]
    for note in notes {
      incidents[note.job, default: [:]][note.kind] = note.incident.map { ($0.count, $0.toldAt != nil) }
    }
  }

  /// Notes that another machine was granted the reaction.
  mutating func denied(_ key: EntryKey) {
    if told[key] == nil, owed[key.job] != nil { isExact = false }
  }

  /// Notes the reactions that a daemon did not start before it died. They are still expected, because they are durable with
  /// their upstreams.
  mutating func noted(in effects: [EngineEffect], performed count: Int) {
    let lost = effects.dropFirst(count)
    for case .start(let attempt) in lost where attempt.cause == .reaction && attempt.number == 1 {
      guard var upstream = attempt.upstream else { continue }
      upstream.incident = nil
      guard lost.contains(.settle(upstream)) else { continue }
      owed[attempt.entry.job, default: []].append(upstream)
    }
  }

  /// Checks a reaction that starts.
  mutating func check(_ attempt: Attempt, _ violations: inout [String]) {
    guard let upstream = attempt.upstream else {
      return violations.append("\(attempt.entry) has no upstream")
    }
    if let former = told[attempt.entry] {
      if former != upstream { violations.append("\(attempt.entry) changed its upstream") }
      return
    }
    told[attempt.entry] = upstream
    if upstream.cause == .reaction { violations.append("\(attempt.entry) reacts to a reaction") }
    counts.add(upstream)
    if upstream.stage != .ended || upstream.incident?.phase == .reminder { isExact = false }
    guard isExact else { return }
    var record = upstream
    record.incident = nil
    guard let position = owed[attempt.entry.job]?.firstIndex(of: record) else {
      return violations.append("\(attempt.entry) tells what nobody was to hear: \(upstream)")
    }
    owed[attempt.entry.job]?.remove(at: position)
  }

  /// Checks that no report is missing.
  func checkAllTold(_ violations: inout [String]) {
    guard isExact else { return }
    for (listener, records) in owed where records.count != untold[listener, default: 0] {
      violations.append("\(listener) never heard of some of \(records.count) records, or of one twice")
    }
  }
}
