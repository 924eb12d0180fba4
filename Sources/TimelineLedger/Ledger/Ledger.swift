package import TimelineCore
package import TimelineEngine

/// The durable record of entries: what was claimed, what was started, how it ended, and each job's cursor and pause.
///
/// Changes gather until ``commit()``, which the shell calls at the end of a loop iteration or some milliseconds later, and before
/// it calls a plugin if the start is known nowhere else: one transaction for all. One thread uses a ledger, one daemon a file.
/// The promises, and what they survive:
///
/// | what | death of the process | loss of power |
/// |---|---|---|
/// | all that was committed | kept | kept if it is older than the last wait for the disk; the rest is lost as if never written |
/// | an at-most-once entry is not run twice | kept: its start is committed, or noted elsewhere, before the plugin is called | kept: its claim is on the disk before the plugin is called |
/// | an at-least-once entry is run again if its end is not known | kept | kept: what was begun and is lost again is missed or open |
/// | a cursor fits the last end that is kept | kept | kept: they are in one transaction |
///
/// A commit never waits for a disk. A claim does, on another thread and long before the deadline (``beginDiskWork(on:isQuiet:)``),
/// for all entries due soon at once; only a start that nobody could know ahead, such as that of the one run for many missed
/// entries, waits itself.
/// At the start after a loss of power a claim on the disk without a start is an entry that may have run: the job's delivery promise
/// decides. After the death of a process it is one that did not run, since its start would be there. The boot's identity, kept
/// with every claim, tells one from the other.
///
/// Changes that cannot be written are kept in memory, within a bound, and tried again with every commit; see ``commit()``.
package final class Ledger {
  /// The file; to be touched only where it is known not to be with another thread.
  let heldDatabase: Database
  /// The file, which is waited for if it is with another thread.
  var database: Database {
    if backgroundSync != nil { endSync() }
    return heldDatabase
  }
  /// Whether there is a file that outlives the process.
  let isDurable: Bool
  /// The sync that another thread is doing, if there is one. It has the file meanwhile.
  var backgroundSync: BackgroundSync?
  /// Error of another thread that has not been reported yet.
  var failure: LedgerError?
  /// Tracks which claims are on the disk.
  var waits = SyncTracker()
  /// Whether the log is to be put into the file: after a round of tidying, or on request.
  var wantsCheckpoint = false
  /// Whether what gathers is not to wait for another thread to be done.
  var isPressing = false
  /// The boot that claims are made in; `nil` when the machine cannot tell boots apart, and any may have been a loss of power.
  let boot: Int64?
  /// Jobs that are configured, and others that entries name.
  var jobs = JobCatalog()
  /// The cursor of each job that has one.
  var cursors: [JobName: [UInt8]] = [:]
  /// Active runs that will have a row.
  var runs: [RunID: RunNotes] = [:]
  /// Runs whose attempt has ended since the last commit and that may have another.
  var backingOff: Set<RunID> = []
  /// Changes that wait for the next commit.
  var backlog = Backlog()
  /// No row lies after this, nor will one by what waits to be written: nearly every claim is of an entry after it.
  private(set) var newestRow: WallInstant
  /// Entries claimed and neither started nor settled.
  var claims = Claims()
  /// Whether the next commit is to wait for the disk.
  var mustSync = false
  /// The numbers of runs.
  var numbers = RunNumbers()
  /// The wall time that daemons attended.
  var attended = AttendedMarks()
  /// The same of which the file says nothing: what a ledger that was set aside knew, and starts that were noted elsewhere.
  var attendedBefore: [ClosedRange<WallInstant>] = []
  /// Runs without a row that a former daemon left open, by their latest attempts.
  var openWithoutRow: [Attempt] = []
  /// Watermarks of busy jobs, and counts of all jobs, that are not in the file yet.
  var counts = PendingCounts()
  /// Number of records not written because their entry already had its one outcome; 0 unless the clock was far out.
  package internal(set) var contradictionCount = 0
  /// Clock by which old entries are dropped.
  var believedTime: TrustedClock
  /// The job at which dropping what is old goes on.
  var tidyPosition = ""

  /// Opens or makes the ledger at `path`; `:memory:` makes one that nobody will remember, for a rehearsal.
  ///
  /// The whole of a file up to `byteCountMax`, which is 64 MiB, is looked through for damage, which takes about 0.2 s at that size
  /// where the machine has it in memory and as long as the disk reads it where not; of a larger one only what a start depends on.
  /// `boot` is what the machine calls its present boot. A process that has the file open is waited for, at most for `lockLimit`.
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
      // Without room for its number the boot cannot be told from others, which costs certainty and not the start.
      guard case .full = error else { throw error }
    }
    return try knownNumber(of: boot, in: database)
  }

  private static func knownNumber(of boot: String, in database: Database) throws(LedgerError) -> Int64? {
    var number: Int64?
    try database.run("SELECT number FROM boot WHERE id = ?", [.text(boot)]) { number = $0.integer(0) }
    return number
  }

  /// Takes in a configuration: forgets where a job stood whose schedule has changed or that is not in it any more.
  ///
  /// A job misses nothing from before it was first seen, nor from the time in which it was disabled or taken out. Its
  /// pause and its cursor stay. On ``LedgerError/full(path:)`` all of it is taken in, and written when there is room.
  package func adopt(jobs all: [LedgerJob], at now: WallInstant) throws(LedgerError) {
    var found: [JobName: [UInt8]] = [:]
    try database.run(StartQuestion.cursors) { row in
      if let job = JobName(row.text(0)) { found[job] = row.blob(1) }
    }
    jobs.adopt(all)
    claims.reserve(jobs.count, promised: all.count { $0.delivery == .atMostOnce })
    // A later one may wait to be written.
    cursors = found.merging(cursors) { _, later in later }
    backlog.append(.adopt(all, at: now))
    try commit()
  }

  /// Takes in what has become of the configuration that was taken in last: jobs that are new or others than they were, and jobs that
  /// are gone. To the ledger that is the same as taking in the whole, for those who know the difference; only while
  /// ``takesAmendments``.
  package func amend(
    jobs changed: [LedgerJob], gone: [JobName], at now: WallInstant
  ) throws(LedgerError) {
    jobs.amend(changed, gone: gone)
    backlog.append(.amend(changed, gone: gone, at: now))
    try commit()
  }

  /// Gives back memory that is taken again as it is needed, such as after a configuration was taken in; waits for no other thread.
  package func dropCache() {
    if backgroundSync == nil { heldDatabase.dropCache() }
  }

  /// The cursor that the job's last success left; empty for none.
  package func cursor(of job: JobName) -> [UInt8] { cursors[job] ?? [] }

  /// Claims entries; one that has an outcome already, also one that it shares with others, or runs is lost, one that an
  /// earlier daemon had started is unknown. The answers are in the order of `keys`. What is `alone` is of no schedule, and no
  /// record of others speaks for it.
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

  /// A record that stands for many entries speaks for each of them once the clock is past its end. One from further ahead is of a clock
  /// that was set back: it may reach over years that are yet to come, and must not silence them. An entry's own row speaks for it
  /// whenever it was written.
  private func verdict(
    on key: EntryKey, at now: WallInstant, _ alone: Bool
  ) throws(LedgerError) -> ClaimAnswer.Verdict {
    if newestRow < key.nominal { return .granted }
    if backlog.settles(key, alone: alone) { return .denied }
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

  /// Gives claims up.
  package func withdraw(_ keys: [EntryKey]) {
    for key in keys { claims.withdraw(key.nominal, of: jobs.number(of: key.job)) }
  }

  /// Notes that a plugin is about to be called; commit before it is, unless the start `isNoted` elsewhere.
  package func start(_ attempt: Attempt, isNoted: Bool = true) {
    let key = attempt.entry
    let job = jobs.number(of: key.job)
    guard hasRow(job, attempt.cause) || runs[attempt.run] != nil else {
      if !jobs.isAtLeastOnce(job) {
        // What is to run once at most is decided when it starts.
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
      // The entry's row has the new number: under the old one nobody would find what was filed before, nor drop it.
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

  /// The number under which the attempt before this one ran: another only if a daemon died in between.
  private func earlierRun(of attempt: Attempt) -> RunID {
    guard attempt.cause == .recovery else { return attempt.run }
    return runs.first { $0.value.isOfEarlierDaemon && $0.value.entry == attempt.entry }?.key ?? attempt.run
  }

  /// Notes a line that a run wrote; filed with the run's end. Lines of runs without a row are not kept.
  package func note(output line: String, of run: RunID) {
    runs[run]?.tail.append(line)
  }

  /// Notes how an attempt ended, and what it used as far as that is known, before the engine decides whether the run ends with it.
  package func end(
    _ run: RunID, _ outcome: AttemptResult, startedAt: WallInstant? = nil, usage: RunUsage = RunUsage(),
    at now: WallInstant
  ) {
    guard let place = runs.index(forKey: run) else { return }
    runs.values[place].end(outcome, startedAt: startedAt, usage: usage, at: now)
    backingOff.insert(run)
  }

  /// Files an entry's one outcome, and with it the cursor that its run left (`nil` leaves the old one).
  package func settle(_ record: EntryRecord, cursor: [UInt8]? = nil) {
    if let cursor { cursors[record.entry.job] = cursor }
    counts.add(record)
    let job = jobs.number(of: record.entry.job)
    // A run that began before its job came to fall due so often has a row.
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
