import TimelineCore
import TimelineEngine

/// A ledger that keeps the committed lines and loses the rest when its daemon dies.
///
/// Lines are written in order and committed in order, so the durable lines are always the first ones. On a full disk nothing is
/// committed; lines wait, and claims cannot be answered.
struct ModelLedger {
  /// Line of the ledger.
  enum Line {
    case claim(EntryKey)
    case withdraw(EntryKey)
    case start(Attempt)
    /// Withdrawal of a start, because the plugin was not called.
    case unstart(Attempt)
    case settle(EntryRecord)
    case pause(JobName, since: WallInstant?)
    case wait(WaitingEntry)
    case retry(EntryKey, at: WallInstant)
    case rerun(EntryKey, RerunOrigin)
    case cut(RangeCut)
    case watermark(Watermark)
    case incident(IncidentNote)
  }

  /// An entry without a known outcome.
  private struct Row {
    var run: RunID?
    var cause = RunCause.schedule
    var attempts = 0
    var startedAt = WallInstant.epoch
    var entryCount = 1
    var waiting: WaitingEntry?
    var retryAt: WallInstant?
    var upstream: EntryRecord?
  }

  /// Whether the disk is full, so that no line can be committed.
  var isFull = false
  private(set) var paused: [JobName: WallInstant] = [:]
  private(set) var failing: Set<JobName> = []
  private(set) var incidents: [IncidentNote] = []
  private(set) var lastRun = RunID(number: 0)
  /// Runs of entries that had moved.
  private(set) var moved: [JobName: [MovedEntry]] = [:]
  private var open: [EntryKey: Row] = [:]
  private var settled: Set<EntryKey> = []
  private var reruns: [EntryKey: RerunOrigin] = [:]
  /// Triggers and reactions among the settled entries.
  private var settledOwn: Set<EntryKey> = []
  /// Records of several entries.
  private var ranges: [EntryRecord] = []
  private var lastSettled: [JobName: WallInstant] = [:]
  private var furthest: [JobName: WallInstant] = [:]
  private var known: [JobName: (schedule: ScheduleRule, since: WallInstant)] = [:]
  private var pending: [Line] = []

  init(jobs: [JobDefinition], watermarks: [JobName: WallInstant], at now: WallInstant) {
    adopt(jobs, at: now)
    lastSettled = watermarks
    for (name, nominal) in watermarks { known[name]?.since = nominal }
  }

  mutating func write(_ line: Line) { pending.append(line) }

  /// Makes the written lines durable. Returns `false` if the disk is full.
  mutating func commit() -> Bool {
    if isFull { return false }
    for line in pending { apply(line) }
    pending.removeAll(keepingCapacity: true)
    return true
  }

  /// Returns the verdict on a claim by the contents of this ledger.
  func verdict(on key: EntryKey) -> ClaimAnswer.Verdict {
    var isDecided = settled.contains(key) || open[key]?.run != nil
    // Lines that are not committed yet count, too.
    for line in pending {
      switch line {
      case .start(let attempt) where attempt.entry == key: isDecided = true
      case .unstart(let attempt) where attempt.entry == key && attempt.number == 1: isDecided = false
      case .settle(let record) where record.entry == key && record.firstNominal == key.nominal:
        isDecided = true
      default: break
      }
    }
    if isDecided { return .denied }
    return isFull ? .unknown : .granted
  }

  /// Adopts a configuration. A job whose schedule has changed begins anew at `now`.
  mutating func adopt(_ jobs: [JobDefinition], at now: WallInstant) {
    let former = known
    known = [:]
    for job in jobs {
      if let past = former[job.name], past.schedule == job.schedule {
        known[job.name] = past
      } else {
        known[job.name] = (job.schedule, now)
        lastSettled[job.name] = nil
        furthest[job.name] = nil
      }
    }
    for name in former.keys where known[name] == nil { lastSettled[name] = nil }
  }

  /// Handles the death of the daemon, and returns the runs that it leaves open; `isAlive` returns whether the plugin host of
  /// a run survives.
  ///
  /// Starts that could not be written because the disk was full may include those of claimed entries that had fallen due at
  /// `now`, so these count as started. The start of a further attempt counts even if it is not committed.
  mutating func crash(at now: WallInstant, isAlive: (RunID) -> Bool) -> [OpenRun] {
    let mayHaveRun = pending.contains { if case .start = $0 { true } else { false } }
    // Counted entries are noted elsewhere, when their plugins are called and when their runs have ended.
    for line in pending {
      switch line {
      case .start(let attempt) where !hasRow(attempt.entry.job, attempt.cause): apply(line)
      // The ends of runs that have rows are not noted.
      case .settle(let record) where !hasRow(record.entry.job, record.cause) && record.run != nil:
        open[record.entry] = nil
      default: break
      }
    }
    for line in pending {
      switch line {
      case .start(let attempt) where open[attempt.entry]?.run == attempt.run: note(attempt)
      case .unstart(let attempt): unstart(attempt)
      default: break
      }
    }
    pending = []
    isFull = false
    for key in open.keys.sorted(by: { ($0.nominal, $0.job) < ($1.nominal, $1.job) })
    where mayHaveRun && open[key]?.run == nil && key.nominal <= now {
      lastRun = RunID(number: lastRun.number + 1)
      open[key]?.run = lastRun
      open[key]?.attempts = 1
      open[key]?.startedAt = key.nominal
    }
    let left = open.map { key, row in openRun(key, row, isAlive: row.run.map(isAlive) ?? false) }
    // Claims to entries that are still to come are given up, unless the entries wait or may have run.
    let watermarks = watermarks
    open = open.filter { key, row in
      row.run != nil || row.waiting != nil || key.nominal <= watermarks[key.job] ?? .max
    }
    return left.sorted { ($0.run, $0.entry.nominal, $0.entry.job) < ($1.run, $1.entry.nominal, $1.entry.job) }
  }

  private func openRun(_ key: EntryKey, _ row: Row, isAlive: Bool) -> OpenRun {
    var run = OpenRun(
      run: row.run ?? RunID(number: 0), entry: key, cause: row.cause, attempts: row.attempts,
      startedAt: row.startedAt, entryCount: row.entryCount, isAlive: isAlive)
    run.hasWaited = row.waiting != nil && row.run == nil
    run.isAskedFor = row.waiting?.isAskedFor ?? false
    (run.retryAt, run.upstream, run.rerun) = (row.retryAt, row.upstream, reruns[key])
    run.cause = run.rerun?.cause ?? run.cause
    return run
  }

  /// Returns the state that a job goes on from when its owner changes, including lines that are not committed yet.
  func taken(_ name: JobName) -> TakenJob {
    var whole = self
    for line in pending { whole.apply(line) }
    let open = whole.open.filter { $0.key.job == name }.sorted { $0.key.nominal < $1.key.nominal }
    return TakenJob(
      name: name, watermark: whole.watermarks[name], pausedSince: whole.paused[name],
      isFailing: whole.failing.contains(name), open: open.map { openRun($0.key, $0.value, isAlive: false) })
  }

  /// Entries later than `instant` that have an outcome or a run of their own, by job, including lines that are not committed yet.
  func decided(after instant: WallInstant) -> DecidedEntries { decided { _ in instant } }

  /// Time that the clock shows again to a daemon that starts at `now`.
  func repeated(at now: WallInstant) -> RepeatedTime {
    let watermarks = watermarks
    var time = RepeatedTime()
    time.moved = moved
    time.furthest = furthest.filter { $0.value > watermarks[$0.key] ?? .max }
    for range in ranges where time.furthest[range.entry.job] != nil {
      time.ranges[range.entry.job, default: []].append(range.firstNominal...range.entry.nominal)
    }
    time.decided = decided { job in min(watermarks[job] ?? .max, now - .nanoseconds(1)) }
    return time
  }

  private func decided(after instant: (JobName) -> WallInstant) -> DecidedEntries {
    // Lines that are not committed yet count, too.
    var whole = self
    for line in pending { whole.apply(line) }
    let keys = whole.settled.union(whole.open.filter { $0.value.run != nil }.keys)
    let ahead = Dictionary(grouping: keys.filter { $0.nominal > instant($0.job) }, by: \.job)
    return ahead.mapValues { keys in keys.map(\.nominal).sorted() }
  }

  /// Whether the ledger has the entry as a trigger or a reaction.
  func isOutsideSchedule(_ key: EntryKey) -> Bool {
    settledOwn.contains(key) || open[key].map { !$0.cause.isOfSchedule } ?? false
  }

  /// Discards the decisions of a job's schedule after `now`.
  mutating func release(_ job: JobName, at now: WallInstant) {
    settled = settled.filter { $0.job != job || $0.nominal <= now || settledOwn.contains($0) }
    moved[job]?.removeAll { $0.nominal > now }
    ranges.removeAll { $0.entry.job == job && $0.entry.nominal > now }
    lastSettled[job] = lastSettled[job].map { min($0, now) }
    if let since = known[job]?.since { known[job]?.since = min(since, now) }
    furthest[job] = nil
  }

  /// Instant up to which each job's entries are settled.
  var watermarks: [JobName: WallInstant] {
    var memory: [JobName: WallInstant] = [:]
    for (name, past) in known { memory[name] = max(lastSettled[name] ?? .min, past.since - .nanoseconds(1)) }
    return memory
  }

  private func hasRow(_ job: JobName, _ cause: RunCause) -> Bool {
    !isCounted(job) || !cause.isOfSchedule
  }

  private func isCounted(_ job: JobName) -> Bool {
    known[job]?.schedule.hasMoreThanOneEntryPerSecond ?? false
  }

  private mutating func apply(_ line: Line) {
    switch line {
    case .claim(let key):
      if open[key] == nil, !settled.contains(key) { open[key] = Row() }
    case .withdraw(let key):
      if open[key]?.run == nil { open[key] = nil }
    case .start(let attempt):
      lastRun = max(lastRun, attempt.run)
      let job = attempt.entry.job
      if isCounted(job), attempt.cause.isOfSchedule {
        lastSettled[job] = max(lastSettled[job] ?? .min, attempt.entry.nominal)
      }
      note(attempt)
      moved[job]?.removeAll { $0.nominal == attempt.entry.nominal }
      if !attempt.movedFrom.isEmpty {
        moved[job, default: []].append(
          MovedEntry(nominal: attempt.entry.nominal, origins: attempt.movedFrom))
      }
    case .unstart(let attempt):
      unstart(attempt)
    case .settle(let record): settle(record)
    case .pause(let job, let since):
      paused[job] = since
    case .wait(let waiting):
      guard !settled.contains(waiting.entry) else { return }
      var row = open[waiting.entry] ?? Row()
      (row.waiting, row.cause, row.upstream) = (waiting, waiting.cause, waiting.upstream)
      open[waiting.entry] = row
    case .retry(let key, let instant):
      open[key]?.retryAt = instant
    case .rerun(let key, let origin): reruns[key] = origin
    case .cut(let cut): take(cut)
    case .incident(let note):
      incidents.removeAll { $0.job == note.job && $0.kind == note.kind }
      if note.incident != nil { incidents.append(note) }
    case .watermark(let watermark):
      let job = watermark.job
      lastSettled[job] = watermark.decided
      furthest[job] = watermark.furthest
      if let since = known[job]?.since { known[job]?.since = min(since, watermark.decided) }
    }
  }

  private mutating func settle(_ record: EntryRecord) {
    let job = record.entry.job
    open[record.entry] = nil
    // A record that stands for several entries ends the claims of all of them.
    if record.entryCount > 1 {
      for (key, row) in open
      where key.job == job && row.run == nil && row.waiting?.cause.isOfSchedule ?? true {
        if key.nominal >= record.firstNominal, key.nominal < record.entry.nominal { open[key] = nil }
      }
    }
    if record.entryCount > 1, record.run == nil {
      ranges.append(record)
    } else if hasRow(job, record.cause) {
      settled.insert(record.entry)
      if !record.cause.isOfSchedule { settledOwn.insert(record.entry) }
    }
    if record.cause.isOfSchedule, known[job] != nil, !record.isAhead {
      lastSettled[job] = max(lastSettled[job] ?? .min, record.entry.nominal)
    }
    switch record.outcome.kind {
    case .success: failing.remove(job)
    case .failure: failing.insert(job)
    case .cancellation, .miss, .omission: break
    }
  }

  /// Removes entries from records of several entries.
  private mutating func take(_ cut: RangeCut) {
    ranges = ranges.flatMap { record in
      guard record.entry.job == cut.job else { return [record] }
      let range = MissedRange(
        first: record.firstNominal, latest: record.entry.nominal, count: record.entryCount)
      return cut.rests(of: range).map { rest in
        var record = record
        (record.firstNominal, record.entry.nominal, record.entryCount) = (rest.first, rest.latest, rest.count)
        return record
      }
    }
  }

  /// Withdraws a start: the entry of a first attempt waits again, any other attempt is due, and counted entries are not kept.
  private mutating func unstart(_ attempt: Attempt) {
    guard var row = open[attempt.entry], row.run == attempt.run, row.attempts == attempt.number else {
      return
    }
    let hasRow = hasRow(attempt.entry.job, row.cause)
    row.attempts -= 1
    if row.attempts == 0 { moved[attempt.entry.job]?.removeAll { $0.nominal == attempt.entry.nominal } }
    if row.attempts > 0 {
      if hasRow { row.retryAt = attempt.startedAt }
    } else {
      guard hasRow else { return open[attempt.entry] = nil }
      row.run = nil
      row.waiting = WaitingEntry(entry: attempt.entry, cause: row.cause, upstream: row.upstream)
    }
    open[attempt.entry] = row
  }

  private mutating func note(_ attempt: Attempt) {
    var row = open[attempt.entry] ?? Row()
    if row.run == nil { row.startedAt = attempt.startedAt }
    row.run = attempt.run
    row.cause = attempt.cause
    row.attempts = attempt.number
    row.entryCount = attempt.entryCount
    row.retryAt = nil
    row.upstream = row.upstream ?? attempt.upstream
    open[attempt.entry] = row
  }
}
