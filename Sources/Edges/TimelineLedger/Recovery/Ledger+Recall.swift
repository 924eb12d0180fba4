package import TimelineCore
package import TimelineEngine

// State left by an earlier daemon.
extension Ledger {
  /// State left by an earlier daemon.
  package struct Memory: Sendable {
    /// Watermark of each job: the nominal time of its last settled entry if its schedule is unchanged, or the last instant
    /// before the job was first seen if this is later. Entries that fell due after the watermark and are not in ``open`` were
    /// missed. A watermark is later than now only if the clock was set back since.
    package var lastSettled: [JobName: WallInstant] = [:]
    /// Entries without a recorded end, oldest first. Entries without an attempt were waiting: they have no run number yet and
    /// did not run. The ledger does not record whether the host of a run is alive.
    package var open: [OpenRun] = []
    /// Spans of wall time that earlier daemons attended, ascending. Entries that fell due in these spans are decided, even if
    /// the clock shows the same time again.
    package var attended: [ClosedRange<WallInstant>] = []
    /// Entries after the clock, or after the watermarks of their jobs, that are decided already, because the clock was set back.
    package var repeated = RepeatedTime()
    /// Start of the pause of each paused job, including jobs that are not configured and may come back.
    package var paused: [JobName: WallInstant] = [:]
    /// Actions of operators that paused the jobs in ``paused``.
    package var pauseActions: [JobName: OperatorAction] = [:]
    /// The last change of the mode, with the operator's choice in force.
    package var mode: ModeChange?
    /// State of the last daemon's node in its cluster; `nil` for none.
    package var node: NodeMemory?
    /// Whether there are records that may still be missing in the cluster's store.
    package var hasUploads = false
    /// Last run of each job that succeeded or failed. Reactions do not count.
    package var lastRuns: [JobName: FormerRun] = [:]
    /// The jobs whose last run failed, so that the next success is a recovery.
    package var failing: Set<JobName> { Set(lastRuns.lazy.filter { $1.outcome.kind == .failure }.map(\.key)) }
    /// Incidents of jobs, including jobs that are no longer configured.
    package var incidents: [IncidentNote] = []
    /// Highest run number that any daemon has assigned, including the numbers assigned here to runs in ``open``.
    package var lastRun = RunID(number: 0)
  }

  /// Returns the time of the first call in the present boot: `now`, unless an earlier daemon made the first call.
  ///
  /// If the machine's boots cannot be distinguished, or if the ledger is in memory, each daemon counts as a boot.
  package func startOfMachine(at now: WallInstant) throws(LedgerError) -> WallInstant {
    guard let boot else { return now }
    let name = "start of boot \(boot)"
    var found: WallInstant?
    try database.transaction { () throws(LedgerError) in
      try database.run("SELECT value FROM mark WHERE name = ?", [.text(name)]) { row in
        found = WallInstant(nanosecondsSinceEpoch: row.integer(0))
      }
      guard found == nil else { return }
      try database.run("DELETE FROM mark WHERE name LIKE 'start of boot %'")
      try database.run(.mark, [.text(name), .integer(now.nanosecondsSinceEpoch)])
    }
    return found ?? now
  }

  /// Returns the state that an earlier daemon left, and gives up its claims. Called once, after the first ``adopt(jobs:at:)``.
  ///
  /// An entry is open in these cases:
  /// - It was started.
  /// - Its claim in the file is of another boot: it may have been started, and the record of the start may be lost with the
  ///   power. It gets its own run number.
  /// - It was only claimed, but the watermark of its job has passed it. It would not be reached again.
  /// - The file records that it waits.
  ///
  /// Any other claimed entry did not run, and will be reached again. If the start log is lost (`startsAreLost`), a due entry
  /// whose claim is in the file may have been started, too.
  ///
  /// After a loss of power, at-most-once entries without rows may have run until the machine was started, at `bootedAt`.
  ///
  /// The file is only read. The next commit writes that the claims are given up.
  package func recall(
    at now: WallInstant, startsAreLost: Bool = false, bootedAt: WallInstant? = nil
  ) throws(LedgerError) -> Memory {
    try writeBeforeReading()
    var memory = Memory()
    var rows: [OpenRow] = []
    let knownSince = try readJobs(into: &memory, now)
    let mayHaveRun = { [boot] (row: OpenRow) in
      row.mayHaveRun(since: boot, startsAreLost: startsAreLost, at: now)
    }
    memory.attended = try readAttended()
    if let bootedAt, let unknown = try unknownThrough(bootedAt: bootedAt) {
      for (name, watermark) in memory.lastSettled where isCountedOnce(name) && watermark < unknown {
        memory.lastSettled[name] = unknown
      }
    }
    try database.run(StartQuestion.openEntries) { row in
      if let row = OpenRow(row) { rows.append(row) }
    }
    let claimed = try StartQuestion.claimsWithoutRow(in: database, before: waits.next, at: now)
    let reruns = try reruns(
      since: (rows.map(\.entry.nominal) + claimed.map(\.claim.nominal)).min() ?? .max)
    for (job, claim) in claimed {
      let row = OpenRow(
        claim, of: job, repeating: reruns[EntryKey(job: job, nominal: claim.nominal)])
      guard
        row.hasWaited || row.cause.repeatsEntry || mayHaveRun(row)
          || memory.lastSettled[job].map({ claim.nominal <= $0 }) ?? false
      else { continue }
      rows.append(row)
      if claim.isStartable { waits.want() }
      claims.add(claim, of: jobs.number(of: job), isPromised: false)
    }
    claims.replaceFile()
    try addUnwritten(to: &memory, &rows)
    rows.sort { ($0.entry.nominal, $0.entry.job) < ($1.entry.nominal, $1.entry.job) }
    let filed = memory.lastRun.number
    memory.lastRun = max(memory.lastRun, RunID(number: numbers.highest))
    let upstreams = try UpstreamRow.read(from: database)
    for row in rows {
      memory.open.append(
        row.run(numberedAfter: &memory.lastRun, mayHaveRun: mayHaveRun(row), upstreams, reruns))
      // If the clock was set back, the instant at which a job was first seen may be later than now. Entries before that instant
      // are not missed, so the watermark is raised to it, but not past the run.
      let watermark = min(knownSince[row.entry.job] ?? .min, row.entry.nominal) - .nanoseconds(1)
      if row.cause.isOfSchedule, memory.lastSettled[row.entry.job].map({ $0 < watermark }) ?? false {
        memory.lastSettled[row.entry.job] = watermark
      }
    }
    numbers = RunNumbers(
      highest: memory.lastRun.number, reserved: memory.lastRun.number, filed: filed)
    let rowless = Set(openWithoutRow.map(\.run))
    for run in memory.open where run.attempts > 0 && !rowless.contains(run.run) {
      var notes = RunNotes(entry: run.entry, number: run.attempts, startedAt: run.startedAt)
      notes.isOfEarlierDaemon = true
      runs[run.run] = notes
    }
    return memory
  }

  /// Returns the number of failed entries of a job since its last success.
  private func consecutiveFailures(of name: JobName) throws(LedgerError) -> Int {
    var (count, hasSucceeded) = (0, false)
    try database.run(StartQuestion.latestOutcomes, [name.value]) { row in
      hasSucceeded = hasSucceeded || Outcome(rawValue: row.text(0))?.kind == .success
      if !hasSucceeded { count += 1 }
    }
    return count
  }

  /// Reads the rows of jobs into `memory`. Returns the instant at which each job was first seen.
  private func readJobs(
    into memory: inout Memory, _ now: WallInstant
  ) throws(LedgerError) -> [JobName: WallInstant] {
    let unwritten = backlog.unwrittenSchedules
    var setBack: [(job: JobName, watermark: WallInstant, furthest: WallInstant?)] = []
    var (knownSince, lastSettled) = ([JobName: WallInstant](), [JobName: WallInstant]())
    var paused: [JobName: WallInstant] = [:]
    // Applies the changes of `adopt` again, because they are possibly not written yet. A job misses nothing from before it
    // was first seen, even while the clock is behind that instant. Its runs of this time may be in a ledger that was set
    // aside. Entries that were settled before that instant are decided, too.
    try database.run(StartQuestion.jobs, [.instant(now)]) { row in
      guard let name = JobName(row.text(0)) else { return }
      if let since = row.optionalInteger(4) { paused[name] = WallInstant(nanosecondsSinceEpoch: since) }
      guard jobs.isConfigured(name) || row.optionalInteger(3) != nil else { return }
      let isSame = unwritten.isEmpty || unwritten[name].map { $0 == row.text(1) } ?? true
      let known = (isSame ? row.optionalInteger(3) : nil) ?? now.nanosecondsSinceEpoch
      let settled = isSame ? row.optionalInteger(2) ?? .min : .min
      let watermark = max(settled, row.optionalInteger(5) ?? .min, known - 1)
      let furthest = isSame ? row.optionalInteger(6).flatMap { $0 > watermark ? $0 : nil } : nil
      if furthest != nil || watermark > now.nanosecondsSinceEpoch {
        let shown = min(watermark, now.nanosecondsSinceEpoch - 1)
        setBack.append(
          (
            name, WallInstant(nanosecondsSinceEpoch: shown),
            furthest.map(WallInstant.init(nanosecondsSinceEpoch:))
          ))
      }
      knownSince[name] = WallInstant(nanosecondsSinceEpoch: known)
      lastSettled[name] = WallInstant(nanosecondsSinceEpoch: watermark)
    }
    for name in jobs.configured where lastSettled[name] == nil { lastSettled[name] = now - .nanoseconds(1) }
    memory.repeated = try repeated(of: setBack)
    // A job whose watermark the clock has passed can have triggers and reactions ahead of the clock.
    memory.repeated.decided.merge(try decided(after: now)) { ofJob, _ in ofJob }
    memory.repeated.moved = try MovedRow.read(at: now, from: database)
    memory.repeated.unknownThrough = try unknownThrough()
    memory.repeated.released = try releasedJobs()
    memory.lastSettled = lastSettled
    memory.paused = paused
    try database.run(StartQuestion.lastRuns) { row in
      guard let job = JobName(row.text(0)), let outcome = Outcome(rawValue: row.text(1)) else { return }
      memory.lastRuns[job] = FormerRun(
        outcome: outcome, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(2)),
        endedAt: WallInstant(nanosecondsSinceEpoch: row.integer(3)))
    }
    for name in memory.failing { memory.lastRuns[name]?.failures = try consecutiveFailures(of: name) }
    memory.incidents = try IncidentRow.read(from: database)
    try database.run(StartQuestion.pauseActions) { row in
      if let action = OperatorAction(row), let job = action.job { memory.pauseActions[job] = action }
    }
    try database.run(StartQuestion.mode) { memory.mode = ModeChange($0) }
    try database.run(StartQuestion.node) { row in
      memory.node = NodeMemory(store: row.text(0))
    }
    try database.run(StartQuestion.hasUploads) { _ in memory.hasUploads = true }
    try database.run(StartQuestion.lastRun) {
      memory.lastRun = RunID(number: UInt64(bitPattern: max(0, $0.integer(0))))
    }
    return knownSince
  }
}
