import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Question about a job's timeline, with the daemon's data of the job; the rest is read from the ledger.
struct WhyQuestion {
  /// The job.
  var job: JobName
  /// The job's schedule.
  var schedule: ScheduleRule
  /// The job's policies.
  var policies: JobPolicies
  /// The zone of its civil times.
  var zone: Zone
  /// Current time of the daemon's clock.
  var now: WallInstant
  /// Instant at which the daemon was started.
  var startedAt: WallInstant
  /// The moment that is asked about.
  var moment: Moment
  /// The job's active runs.
  var runs: [RunID: Daemon.ActiveRun] = [:]
  /// Waits of the job's due entries, by nominal time.
  var waits: [WallInstant: WaitReport] = [:]
  /// The next entry of a closed loop, and of any other job.
  var next: WallInstant?
  /// Instant at which the job's pause began.
  var pausedSince: WallInstant?
  /// The action that paused it, where an operator did.
  var pauseAction: OperatorAction?
  /// The thing that the job needs and the machine lacks.
  var fault: String?
  /// The last entry that is decided although it lies in the future, as the clock was set back.
  var settledThrough: WallInstant?
  /// The last entry that was decided when the daemon was started, if there was one.
  var decidedAtStart: WallInstant?
  /// Due entries that wait for their turn.
  var waiting: Set<WallInstant> = []
  /// Other jobs that share a group with it, and what of them runs.
  var groupMates: [JobName: [Daemon.ActiveRun]] = [:]
  /// Incidents of the job that no success has ended.
  var incidents: [IncidentNote] = []
}

extension WhyQuestion {
  /// More entries of one moment than this are not told apart.
  static let candidatesMax = 100

  /// Finds what there is at the moment: its first stretch that has an entry counts, and of that the first entry.
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

  /// Whether the ledger has counters and no records of the job.
  var isCounted: Bool { schedule.hasMoreThanOneEntryPerSecond }

  private func entry(in stretch: Range<WallInstant>, _ ledger: some LedgerReader) -> WhyFinding? {
    let last = stretch.upperBound - .nanoseconds(1)
    let before = stretch.lowerBound - .nanoseconds(1)
    let records = ledger.history(
      HistoryQuery(
        job: job, since: stretch.lowerBound, until: stretch.upperBound, limit: Self.candidatesMax))
    let inFlight = runs.values.filter { stretch.contains($0.attempt.entry.nominal) }
    let scheduled = scheduled(after: before, through: last)
    // A record for several that only reaches over the stretch answers for the entries of the schedule in it, and is none itself.
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

  /// The first entry of the schedule in a stretch; a closed loop's only one that can be told beforehand is the next.
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
    let isWaiting = waiting.contains(nominal)
    if nominal > now && !isWaiting {
      if let settledThrough, nominal <= settledThrough { return .silent(through: settledThrough) }
      return .planned(claimedAt: entry?.claimedAt)
    }
    if let pausedSince, nominal >= pausedSince || isWaiting { return .held }
    if isWaiting { return .waiting(nil, entry) }
    return isCounted ? .counted : .unrecorded
  }

  /// The entries next to what was found, those of the schedule and those made manually alike.
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

  /// The other runs of the job that were active when an entry did not run or had to wait, or at a moment that has no entry; for want of one
  /// those that filled its groups.
  func underWay(at finding: WhyFinding, _ ledger: some LedgerReader) -> [HistoryEntry] {
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

  /// Whether runs were in the way of an entry that ended so.
  private static func isForWantOfRoom(_ outcome: Outcome) -> Bool {
    switch outcome.decider {
    case .overlap, .limit: true
    case .run, .timeout, .delivery, .missed, .pause, .cron, .schedule, .mode, .stop: false
    }
  }

  /// A run that was started later than this had to wait for something.
  private static let waitMin = ElapsedTime.milliseconds(100)
  /// Largest number of other jobs whose runs are looked up: each costs a query of the ledger.
  static let matesMax = 20

  /// The runs that were active at an instant, oldest entry first; `inFlight` are those of the job that still are, of which the
  /// ledger may not have been told or has many later ones.
  private func runs(
    of job: JobName, at instant: WallInstant, _ inFlight: [Daemon.ActiveRun], _ ledger: some LedgerReader
  ) -> [HistoryEntry] {
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
    let all = filed.map { HistoryEntry($0) } + unfiled.map { HistoryEntry($0) }
    return all.sorted { $0.entry.instant < $1.entry.instant }
  }
}
