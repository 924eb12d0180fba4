package import TimelineCore
package import TimelineEngine

/// The durable record of entries: claims, starts, outcomes, and each job's cursor and pause.
///
/// Changes are collected until ``commit()`` writes them in one transaction. The shell calls ``commit()`` at the end of an
/// iteration of the loop or some milliseconds later. It also calls ``commit()`` before it calls a plugin, if the start is not
/// in the start log. A ledger is used by one thread, and its file by one daemon. The guarantees, and how they survive
/// failures:
///
/// | guarantee | death of the process | loss of power |
/// |---|---|---|
/// | committed changes | kept | kept if older than the last sync; later ones are lost as if never written |
/// | at most once: no second run | kept: start committed or logged before the call | kept: claim synced before the call |
/// | at least once: a new run if the end is unknown | kept | kept: a run whose record is lost is missed or open |
/// | a cursor fits the last recorded end | kept | kept: both are in one transaction |
///
/// A commit never waits for a disk. Claims wait for the disk on another thread, long before their deadline, together with the
/// claims of all entries due soon (``beginDiskWork(on:isQuiet:)``). Only a start that cannot be foreseen, such as the one run
/// for many missed entries, itself waits for the disk. After a loss of power, a claim on the disk without a start belongs to
/// an entry that may have run: the job's delivery policy decides. After the death of a process, the entry did not run, because
/// its start would be recorded. The boot's identity, kept with every claim, distinguishes the two cases.
///
/// Changes that cannot be written are kept in memory, within a bound, and retried with every commit; see ``commit()``.
package final class Ledger {
  /// The file. Used only while no other thread uses it.
  let heldDatabase: Database
  /// The file. Waits until no other thread uses it.
  var database: Database {
    if backgroundSync != nil { endSync() }
    return heldDatabase
  }
  /// Whether there is a file that outlives the process.
  let isDurable: Bool
  /// Sync on another thread, which uses the file in the meantime; `nil` for none.
  var backgroundSync: BackgroundSync?
  /// Error of another thread that has not been thrown yet.
  var failure: LedgerError?
  /// Tracks which claims are on the disk.
  var waits = SyncTracker()
  /// Whether a checkpoint is requested: after a round of tidying, or by a caller.
  var wantsCheckpoint = false
  /// Whether pending changes must not wait for another thread.
  var isPressing = false
  /// Number of the present boot, kept with every claim; `nil` if boots cannot be distinguished. Any end of a daemon may then
  /// have been a loss of power.
  let boot: Int64?
  /// Configured jobs, and other jobs that occur in entries.
  var jobs = JobCatalog()
  var cursors: [JobName: [UInt8]] = [:]
  /// Active runs that will have a row.
  var runs: [RunID: RunNotes] = [:]
  /// Runs whose attempt has ended since the last commit and that may have another attempt.
  var backingOff: Set<RunID> = []
  /// Changes that wait for the next commit.
  var backlog = Backlog()
  /// Latest nominal instant of all rows, including rows that wait to be written. Nearly every claim is for a later entry and
  /// needs no lookup.
  private(set) var newestRow: WallInstant
  /// Entries claimed and neither started nor settled.
  var claims = Claims()
  /// Whether the next commit must wait for the disk.
  var mustSync = false
  var numbers = RunNumbers()
  /// Intervals of wall time in which a daemon decided entries as they fell due.
  var attended = AttendedMarks()
  /// Attended spans that are not in the file: spans of a ledger that was set aside, and starts from the start log.
  var attendedBefore: [ClosedRange<WallInstant>] = []
  /// Runs without a row that a former daemon left open, by their latest attempts.
  var openWithoutRow: [Attempt] = []
  /// Watermarks of busy jobs, and counts of all jobs, that are not in the file yet.
  var counts = PendingCounts()
  /// Number of records that were not written because their entry already had an outcome; 0 unless the clock was very wrong.
  package internal(set) var contradictionCount = 0
  /// Clock by which old entries are dropped.
  var believedTime: TrustedClock
  /// Job at which the dropping of old entries continues.
  var tidyPosition = ""

  /// Opens or makes the ledger at `path`; `:memory:` makes one in memory, for a rehearsal.
  ///
  /// A file up to `byteCountMax`, by default 64 MiB, is checked completely for damage. A check of 64 MiB takes about 0.2 s if
  /// the file is cached in memory, otherwise as long as the disk takes to read it. In a larger file only the parts that a
  /// start depends on are checked. `boot` is the machine's identity of the present boot. The call waits at most `lockLimit`
  /// for another process that has the file open.
  package init(
    path: String, boot: String? = nil, lookingThrough byteCountMax: Int64 = LedgerCheck.wholeByteCountMax,
    lockLimit: ElapsedTime = .seconds(5)
  ) throws(LedgerError) {
    let database = try Database(path: path, lockLimit: lockLimit)
    let isWhole = try LedgerCheck.check(database, upTo: byteCountMax)
    try Migration.apply(to: database)
    try database.prepareAll()
    if !isWhole { try StartQuestion.askAll(of: database) }
    self.boot = try boot.flatMap { name throws(LedgerError) in try Self.number(of: name, in: database) }
    var newest: Int64?
    try database.run("SELECT max(nominal) FROM entry") { newest = $0.optionalInteger(0) }
    newestRow = WallInstant(nanosecondsSinceEpoch: newest ?? .min)
    var newestEnd: WallInstant?
    try database.run(
      "SELECT ended_at FROM entry WHERE outcome IS NOT NULL ORDER BY nominal DESC LIMIT 1"
    ) { newestEnd = WallInstant(nanosecondsSinceEpoch: $0.integer(0)) }
    believedTime = TrustedClock(from: newestEnd)
    heldDatabase = database
    isDurable = database.isDurable
    try database.takeCharge()
  }

  private static func number(of boot: String, in database: Database) throws(LedgerError) -> Int64? {
    if let number = try knownNumber(of: boot, in: database) { return number }
    do throws(LedgerError) {
      try database.transaction { () throws(LedgerError) in
        try database.run("INSERT INTO boot (id) VALUES (?)", [.text(boot)])
      }
    } catch {
      // Without room for its number, the boot is unknown: any end may have been a loss of power. The daemon starts anyway.
      guard case .full = error else { throw error }
    }
    return try knownNumber(of: boot, in: database)
  }

  private static func knownNumber(of boot: String, in database: Database) throws(LedgerError) -> Int64? {
    var number: Int64?
    try database.run("SELECT number FROM boot WHERE id = ?", [.text(boot)]) { number = $0.integer(0) }
    return number
  }

  /// Applies a configuration: resets the watermark of each job whose schedule has changed or that was removed.
  ///
  /// A job misses nothing from before it was first seen, nor from the time in which it was disabled or removed. Its pause and its
  /// cursor stay. On ``LedgerError/full(path:)`` the whole configuration is applied in memory, and written when there is room.
  package func adopt(jobs all: [LedgerJob], at now: WallInstant) throws(LedgerError) {
    var found: [JobName: [UInt8]] = [:]
    try database.run(StartQuestion.cursors) { row in
      if let job = JobName(row.text(0)) { found[job] = row.blob(1) }
    }
    jobs.adopt(all)
    claims.reserve(jobs.count, promised: all.count { $0.delivery == .atMostOnce })
    // The cursor in memory may be later and still wait to be written.
    cursors = found.merging(cursors) { _, later in later }
    backlog.append(.adopt(all, at: now))
    try commit()
  }

  /// Applies changes of the last configuration: new and changed jobs, and jobs that were removed. The result is the same as
  /// with the whole configuration in ``adopt(jobs:at:)``. May be called only while ``takesAmendments``.
  package func amend(
    jobs changed: [LedgerJob], gone: [JobName], at now: WallInstant
  ) throws(LedgerError) {
    jobs.amend(changed, gone: gone)
    backlog.append(.amend(changed, gone: gone, at: now))
    try commit()
  }

  /// Frees cached memory, for example after a configuration was applied. Does not wait for another thread. The memory is
  /// allocated again when needed.
  package func dropCache() {
    if backgroundSync == nil { heldDatabase.dropCache() }
  }

  /// Returns the cursor that the job's last success left; empty for none.
  package func cursor(of job: JobName) -> [UInt8] { cursors[job] ?? [] }

  /// Claims entries. An entry is denied if it has an outcome, in its own record or in a record of several entries, or if it
  /// runs. The verdict is `unknown` if an earlier daemon started the entry. The answers are in the order of `keys`. If
  /// `alone`, the entries belong to no schedule, and records of several entries do not apply to them.
  package func claim(
    _ keys: [EntryKey], at now: WallInstant, alone: Bool = false
  ) throws(LedgerError) -> [ClaimAnswer] {
    var answers: [ClaimAnswer] = []
    answers.reserveCapacity(keys.count)
    for key in keys {
      let job = jobs.number(of: key.job)
      let verdict = jobs.isCounted(job) ? .granted : try verdict(on: key, at: now, alone)
      answers.append(ClaimAnswer(entry: key, verdict: verdict))
      guard verdict == .granted, !jobs.isCounted(job) else { continue }
      claims.add(
        Claim(nominal: key.nominal, claimedAt: now, boot: boot), of: job, isPromised: !jobs.isAtLeastOnce(job)
      )
    }
    return answers
  }

  /// Returns the verdict on a claim. A record of several entries applies to each of its entries once the clock is past the end
  /// of the record. A record with a later end was written before the clock was set back. It may span years that are yet to
  /// come, and must not suppress their entries. An entry's own row always applies.
  private func verdict(
    on key: EntryKey, at now: WallInstant, _ alone: Bool
  ) throws(LedgerError) -> ClaimAnswer.Verdict {
    if newestRow < key.nominal { return .granted }
    if backlog.settles(key, at: now, alone: alone) { return .denied }
    var (isSettled, isStarted) = (false, false)
    let values: InlineArray<3, Value> = [
      key.job.value, .instant(key.nominal), .instant(alone ? .min : now),
    ]
    try database.run(.findEntry, values) { row in
      isSettled = isSettled || row.integer(0) != 0
      isStarted = isStarted || row.integer(1) != 0
    }
    if isSettled { return .denied }
    guard isStarted, !backlog.takesBack(key) else { return .granted }
    return runs.values.contains { $0.entry == key && !$0.isOfEarlierDaemon } ? .denied : .unknown
  }

  /// Withdraws claims.
  package func withdraw(_ keys: [EntryKey]) {
    for key in keys { claims.withdraw(key.nominal, of: jobs.number(of: key.job)) }
  }

  /// Records that a plugin is about to be called. Commit before the call, unless the start `isNoted` in the start log.
  package func start(_ attempt: Attempt, isNoted: Bool = true) {
    let key = attempt.entry
    let job = jobs.number(of: key.job)
    guard hasRow(job, attempt.cause) || runs[attempt.run] != nil else {
      if !jobs.isAtLeastOnce(job) {
        // An at-most-once entry is decided when it starts.
        if isNoted {
          counts.raiseWatermark(to: key)
        } else {
          backlog.append(.raiseWatermark(key.job, to: key.nominal))
        }
      }
      return numbers.take(attempt.run, reserving: true)
    }
    numbers.take(attempt.run, reserving: false)
    newestRow = max(newestRow, key.nominal)
    let claim = claims.remove(key.nominal, of: job)
    let isMissingOnDisk = claim.map { !waits.isOnDisk($0.wait) } ?? false
    if isMissingOnDisk, attempt.cause.isOfSchedule, !jobs.isAtLeastOnce(job) { mustSync = true }
    var notes = RunNotes(entry: key, number: attempt.number, startedAt: attempt.startedAt)
    if attempt.number == 1 { notes.usage = .none }
    let earlier = earlierRun(of: attempt)
    if attempt.number > 1, let former = runs.removeValue(forKey: earlier) {
      // The entry's row has the new number. Attempts under the old number could neither be found nor dropped.
      if earlier != attempt.run { backlog.append(.renumber(earlier, as: attempt.run)) }
      backlog.append(.attempt(attempt.run, former.attempt))
      notes.tail = former.tail
      notes.usage = former.usage
      backingOff.remove(attempt.run)
    }
    backlog.append(.start(attempt, claimedAt: claim?.claimedAt))
    if attempt.number == 1, let upstream = attempt.upstream { backlog.append(.upstream(upstream, of: key)) }
    runs[attempt.run] = notes
  }

  /// Returns the run number of the previous attempt. The number differs only if a daemon died in between.
  private func earlierRun(of attempt: Attempt) -> RunID {
    guard attempt.cause == .recovery else { return attempt.run }
    return runs.first { $0.value.isOfEarlierDaemon && $0.value.entry == attempt.entry }?.key ?? attempt.run
  }

  /// Records a line of a run's output; written with the run's end. Lines of runs without a row are not kept.
  package func note(output line: String, of run: RunID) {
    runs[run]?.tail.append(line)
  }

  /// Records the result of an attempt, and its usage as far as it is known, before the engine decides whether the run ends with
  /// it.
  package func end(
    _ run: RunID, _ outcome: AttemptResult, startedAt: WallInstant? = nil, usage: RunUsage = RunUsage(),
    at now: WallInstant
  ) {
    guard let place = runs.index(forKey: run) else { return }
    runs.values[place].end(outcome, startedAt: startedAt, usage: usage, at: now)
    backingOff.insert(run)
  }

  /// Records the only outcome of an entry, and the cursor that its run left (`nil` keeps the old cursor).
  package func settle(_ record: EntryRecord, cursor: [UInt8]? = nil) {
    if let cursor { cursors[record.entry.job] = cursor }
    counts.add(record)
    let job = jobs.number(of: record.entry.job)
    // A run that began before its job became a counted one has a row.
    guard hasRow(job, record.cause) || record.run.map({ runs[$0] != nil }) ?? false else {
      counts.raiseWatermark(to: record.entry)
      if let cursor { backlog.append(.cursor(record.entry.job, cursor)) }
      return
    }
    newestRow = max(newestRow, record.entry.nominal)
    if record.firstNominal < record.entry.nominal {
      claims.remove(of: job, from: record.firstNominal, through: record.entry.nominal)
    } else {
      claims.remove(record.entry.nominal, of: job)
    }
    if record.cause.isOfSchedule { claims.pass(job, record.entry.nominal) }
    var (tail, usage) = ("", RunUsage())
    if let run = record.run, let notes = runs.removeValue(forKey: run) {
      backingOff.remove(run)
      tail = notes.tail.text
      usage = notes.usageOfRun
      if record.attempts > 1 {
        var last = notes.attempt
        last.endedAt = last.endedAt ?? record.endedAt
        last.outcome = record.outcome
        backlog.append(.attempt(run, last))
      }
    }
    backlog.append(.settle(record, cursor: cursor, tail: tail, usage: usage))
  }
}
