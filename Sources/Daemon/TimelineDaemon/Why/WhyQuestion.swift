import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Query about a job's timeline, with the daemon's data of the job. All other data is read from the ledger.
struct WhyQuestion {
  var job: JobName
  var schedule: ScheduleRule
  var policies: JobPolicies
  /// The zone in which the answer shows civil times.
  var zone: Zone
  var now: WallInstant
  /// Instant at which the daemon was started.
  var startedAt: WallInstant
  var moment: Moment
  /// The job's active runs.
  var runs: [RunID: ActiveRun] = [:]
  /// Waits of the job's due entries, by nominal time.
  var waits: [WallInstant: WaitReport] = [:]
  /// The job's next entry; of a closed loop the only predictable entry.
  var next: WallInstant?
  var pausedSince: WallInstant?
  /// The action of the operator who paused the job; `nil` for none.
  var pauseAction: OperatorAction?
  /// The reason why the job cannot be run; `nil` for none.
  var fault: String?
  /// The last future entry that is decided already, because the clock was set back.
  var settledThrough: WallInstant?
  /// Entries of the schedule that do not run because they have run where they had moved.
  var movedAway: [WallInstant] = []
  /// The last entry that was decided when the daemon was started; `nil` for none.
  var decidedAtStart: WallInstant?
  /// Due entries that wait.
  var waiting: Set<WallInstant> = []
  /// Other jobs that share a group with the job, and their active runs.
  var groupMates: [JobName: [ActiveRun]] = [:]
  /// Incidents of the job that no success has ended.
  var incidents: [IncidentNote] = []
}

extension WhyQuestion {
  /// Largest number of records that one query reads from the ledger.
  static let candidatesMax = 100

  /// Returns the state at the moment: the state of the first entry, in the first stretch that has an entry.
  func finding(in ledger: some LedgerReader) -> WhyFinding {
    for stretch in moment.stretches {
      if let finding = entry(in: stretch, ledger) { return finding }
    }
    for stretch in moment.stretches {
      let before = stretch.lowerBound - .nanoseconds(1)
      let omissions = schedule.omissions(after: before, through: stretch.upperBound - .nanoseconds(1))
      if let omission = omissions.first {
        return WhyFinding(
          kind: .omitted(omission), nominal: max(omission.first, min(stretch.lowerBound, omission.last)))
      }
    }
    return WhyFinding(kind: isCounted && moment.start <= now ? .counted : .none, nominal: moment.start)
  }

  /// Whether the ledger has counters instead of records of the job.
  var isCounted: Bool { schedule.hasMoreThanOneEntryPerSecond }

  private func entry(in stretch: Range<WallInstant>, _ ledger: some LedgerReader) -> WhyFinding? {
    let last = stretch.upperBound - .nanoseconds(1)
    let before = stretch.lowerBound - .nanoseconds(1)
    let records = ledger.history(
      HistoryQuery(
        job: job, since: stretch.lowerBound, until: stretch.upperBound, limit: Self.candidatesMax))
    let inFlight = runs.values.filter { stretch.contains($0.attempt.entry.nominal) }
    let scheduled = scheduled(after: before, through: last)
    // A record of several entries may only span the stretch. Then the record has the outcome of the schedule's entries in the
    // stretch, but is no entry itself.
    let recorded = records.compactMap { entry in
      [entry.record.firstNominal, entry.record.entry.nominal].first(where: stretch.contains)
    }
    let nominals = recorded + inFlight.map(\.attempt.entry.nominal) + [scheduled].compactMap { $0 }
    guard let nominal = nominals.min() else { return nil }
    let count =
      schedule.isClosedLoop
      ? nominals.count : max(schedule.count(after: before, through: last), Set(nominals).count)
    return WhyFinding(kind: kind(of: nominal, ledger), nominal: nominal, alsoCount: max(0, count - 1))
  }

  /// Returns the first entry of the schedule in a stretch. Of a closed loop only the next entry is predictable.
  private func scheduled(after start: WallInstant, through end: WallInstant) -> WallInstant? {
    let entry = schedule.isClosedLoop ? next : schedule.next(after: start)
    return entry.flatMap { $0 > start && $0 <= end ? $0 : nil }
  }

  /// Returns the state at an instant that is an entry of the schedule, or has a record.
  func kind(of nominal: WallInstant, _ ledger: some LedgerReader) -> WhyFinding.Kind {
    let entry = ledger.entry(of: job, at: nominal)
    if let wait = waits[nominal], wait.reason != WaitReport.Reason.pause.rawValue {
      return .waiting(wait, entry)
    }
    if let run = runs.values.first(where: { $0.attempt.entry.nominal == nominal }) {
      return .running(run, entry)
    }
    if let entry, !entry.isOpen { return .settled(entry) }
    if movedAway.contains(nominal) {
      return .omitted(
        Omission(
          first: nominal, last: nominal, count: 1, outcome: .excluded,
          reason: "its run was on another day, to which it had moved before the schedule changed"))
    }
    let isWaiting = waiting.contains(nominal)
    if nominal > now && !isWaiting {
      if let settledThrough, nominal <= settledThrough { return .silent(through: settledThrough) }
      return .planned(claimedAt: entry?.claimedAt)
    }
    if let pausedSince, nominal >= pausedSince || isWaiting { return .held }
    if isWaiting { return .waiting(nil, entry) }
    return isCounted ? .counted : .unrecorded
  }

  /// Returns the entries before and after the finding: entries of the schedule, and manually triggered entries.
  func neighbors(
    of finding: WhyFinding, _ ledger: some LedgerReader
  ) -> (before: WallInstant?, after: WallInstant?) {
    var (first, last) = (finding.nominal, finding.nominal)
    switch finding.kind {
    case .settled(let entry): (first, last) = (entry.record.firstNominal, entry.record.entry.nominal)
    case .omitted(let omission): (first, last) = (omission.first, omission.last)
    case .none: last = moment.stretches[moment.stretches.count - 1].upperBound - .nanoseconds(1)
    case .running, .waiting, .held, .planned, .silent, .counted, .unrecorded: break
    }
    let recorded = (
      before: ledger.neighbors(of: job, around: first).before?.record.entry.nominal,
      after: ledger.neighbors(of: job, around: last).after?.record.firstNominal
    )
    var planned: (before: WallInstant?, after: WallInstant?) = (nil, next.flatMap { $0 > last ? $0 : nil })
    if !schedule.isClosedLoop {
      planned = (schedule.latest(atOrBefore: first - .nanoseconds(1)), schedule.next(after: last))
    }
    return (
      [recorded.before, planned.before].compactMap { $0 }.max(),
      [recorded.after, planned.after].compactMap { $0 }.min()
    )
  }

  /// Returns the other runs of the job that were active when an entry did not run or had to wait, or at a moment without an
  /// entry. If there are none, returns the runs that filled the job's groups.
  func underWay(at finding: WhyFinding, _ ledger: some LedgerReader) -> [EntryReport] {
    var instant = finding.nominal
    var own: EntryKey?
    switch finding.kind {
    case .settled(let entry):
      let record = entry.record
      if Self.isForWantOfRoom(record.outcome) {
        (instant, own) = (record.endedAt, record.entry)
      } else if record.cause == .schedule, let startedAt = record.startedAt,
        startedAt - record.entry.nominal > Self.waitMin
      {
        (instant, own) = (record.entry.nominal, record.entry)
      } else {
        return []
      }
    case .none where instant <= now: break
    default: return []
    }
    let ownRuns = runs(of: job, at: instant, Array(runs.values), ledger).filter {
      $0.entry.instant != own?.nominal
    }
    if !ownRuns.isEmpty { return ownRuns }
    guard own != nil else { return [] }
    return groupMates.keys.sorted().prefix(Self.matesMax).flatMap {
      runs(of: $0, at: instant, groupMates[$0] ?? [], ledger)
    }
  }

  /// Whether other runs blocked an entry with this outcome.
  private static func isForWantOfRoom(_ outcome: Outcome) -> Bool {
    switch outcome.decider {
    case .overlap, .limit: true
    case .run, .timeout, .delivery, .missed, .pause, .cron, .schedule, .mode, .stop: false
    }
  }

  /// Lateness above which a run counts as one that had to wait.
  private static let waitMin = ElapsedTime.milliseconds(100)
  /// Largest number of other jobs whose runs are looked up; each needs a query of the ledger.
  static let matesMax = 20

  /// Returns the runs that were active at an instant, oldest entry first. `inFlight` are the job's runs that are still active;
  /// the ledger may not have them yet, or the query may not reach them because of many later runs.
  private func runs(
    of job: JobName, at instant: WallInstant, _ inFlight: [ActiveRun], _ ledger: some LedgerReader
  ) -> [EntryReport] {
    let filed = ledger.history(
      HistoryQuery(
        job: job, until: instant + .nanoseconds(1), onlyRuns: true, limit: Self.candidatesMax,
        hasDetails: false)
    ).filter { other in
      guard let startedAt = other.record.startedAt else { return false }
      return startedAt <= instant && (other.isOpen || other.record.endedAt >= instant)
    }
    let unfiled = inFlight.filter { run in
      !run.isWaiting && run.startedAt <= instant && !filed.contains { $0.record.entry == run.attempt.entry }
    }
    let all = filed.map { EntryReport($0) } + unfiled.map { EntryReport($0) }
    return all.sorted(on: \.entry.instant)
  }
}
