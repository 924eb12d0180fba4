import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem

/// Writes the ledger for the daemon. A write failure is reported once, until writing works again, and never stops a run.
///
/// A full disk must not become a night without backups: an entry whose claim cannot be written is run, and the operator is told.
/// The ledger keeps what it could not write for a while and remembers, over a crash too, how far each job had come.
final class LedgerWriter {
  let ledger: Ledger
  let announcer: Announcer
  let loop: EventLoop
  let now: () -> WallInstant
  let monotonic: () -> MonotonicInstant
  /// Time at which the ledger was opened.
  let openedAt: MonotonicInstant
  private(set) var retention: LedgerRetention
  /// Reason that the ledger cannot be written; `nil` again after it could be written for ``recoveryTime``.
  var fault: String?
  /// Whether that is permanent: the file was removed, or another one has its name.
  var isCutOff = false
  var recovery: Delay?
  private var hasToldOfContradiction = false
  private var intentDelay: Delay?
  /// Time for which ``intentDelay`` was set.
  private var intentAt: WallInstant?
  /// Next deadline of the engine, as of the last turn.
  private var nextDeadline: WallInstant?
  /// The next portion of tidying.
  var tidying: Delay?
  /// Timer of the next write of busy jobs' watermarks.
  var watermarkTimer: Delay?
  /// Log of starts, written before plugins are called; `nil` for a ledger in memory, which is written instead.
  let notes: StartLog?
  /// The starts that are being noted.
  var noted: [Attempt] = []
  /// Thread that waits for the disk; `nil` for a ledger in memory, or if there was no thread to be had. Then the loop's thread waits.
  private(set) var diskThread: SideThread?
  /// Time of the last write, and the timer of the next one.
  var writtenAt: MonotonicInstant?
  var writing: Delay?
  /// Starts that the ledger had to have before they were made.
  var written: Set<RunID> = []

  /// Time for which writing must work before that is reported: a disk that fills and empties by the millisecond counts as full.
  static let recoveryTime = ElapsedTime.seconds(1)
  /// Idle time that work that can wait needs before the next deadline: longer than a portion of it takes.
  static let quietTime = ElapsedTime.milliseconds(20)
  /// Longest time for which intents are put off for that: short, because they must be on the disk by their deadlines.
  private static let intentPatience = ElapsedTime.milliseconds(50)

  /// Opens the ledger in `directory`, which is made if need be; `nil` keeps everything in memory, as a rehearsal does.
  init(
    directory: String?, settings: LedgerSettings, announcer: Announcer, loop: EventLoop,
    now: @escaping () -> WallInstant, monotonic: @escaping () -> MonotonicInstant = SystemTime.monotonic
  ) throws(DaemonFailure) {
    self.announcer = announcer
    self.monotonic = monotonic
    openedAt = monotonic()
    self.loop = loop
    self.now = now
    retention = LedgerRetention(settings)
    do {
      guard let directory else {
        ledger = try Ledger(path: ":memory:")
        notes = nil
        return
      }
      try StateDirectory.prepare(directory)
      let boot = Machine.bootIdentity
      if boot == nil {
        announcer.announce(
          .warning,
          "the machine does not tell its starts apart (/proc/sys/kernel/random/boot_id): each start of timelined counts as one, also for @reboot"
        )
      }
      let opened = try Ledger.open(
        path: directory + "/ledger.sqlite", boot: boot,
        ifDamaged: DamagedLedgerPolicy(settings.damaged), at: now(),
        rename: Self.rename)
      ledger = opened.ledger
      notes = StartLog(path: directory + "/starts")
      diskThread = try? SideThread(name: "timeline-disk", loop: loop) { [weak self] in self?.endDiskWork() }
      if let aside = opened.setAside {
        announcer.announce(
          .error,
          "the ledger was damaged (\(aside.reason)) and is now \(aside.path); a new one begins, and what it knew of entries, cursors and pauses is forgotten"
        )
      }
    } catch let error as LedgerError {
      throw DaemonFailure(.cannotStart, error.description)
    } catch let error as DaemonFailure {
      throw error
    } catch {
      throw DaemonFailure(.cannotStart, "state directory: \(error)")
    }
  }

  private static func rename(from old: String, to new: String) -> String? {
    do throws(SystemError) {
      try Machine.rename(old, to: new)
      return nil
    } catch {
      return error.description
    }
  }

  /// Takes in the configuration and tells what an earlier daemon left.
  func open(_ loaded: LoadedConfiguration, at now: WallInstant) throws(DaemonFailure) -> Ledger.Memory {
    do throws(LedgerError) {
      do throws(LedgerError) {
        try ledger.adopt(jobs: loaded.ledgerJobs, at: now)
      } catch {
        // Runs do not wait for room.
        guard case .full = error else { throw error }
        tell(of: error)
      }
      return try recallStarts(at: now)
    } catch {
      throw DaemonFailure(.cannotStart, error.description)
    }
  }

  /// Returns the start time of the first daemon of this boot, which is the time of `@reboot`.
  func startOfMachine(at now: WallInstant) -> WallInstant {
    attempt { () throws(LedgerError) in try ledger.startOfMachine(at: now) } ?? now
  }

  /// Takes in a reloaded configuration, of which `changes` says what is new about it if that is known.
  func adopt(_ loaded: LoadedConfiguration, _ changes: ReloadChanges?, at now: WallInstant) {
    retention = LedgerRetention(loaded.configuration.daemon.ledger)
    guard let changes, ledger.takesAmendments else {
      attempt { () throws(LedgerError) in try ledger.adopt(jobs: loaded.ledgerJobs, at: now) }
      return
    }
    let names = Set(changes.added + changes.changed)
    if names.isEmpty, changes.removed.isEmpty { return }
    attempt { () throws(LedgerError) in
      try ledger.amend(jobs: loaded.ledgerJobs(where: names.contains), gone: changes.removed, at: now)
    }
  }

  /// Gives back memory that is not needed at rest.
  func dropCache() { ledger.dropCache() }

  /// Claims entries; see the type for what happens when that cannot be written. Where the ledger cannot be read, nothing is known of an
  /// entry that may have run, and the job's delivery promise decides.
  func claim(_ keys: [EntryKey], at now: WallInstant, alone: Bool = false) -> [ClaimAnswer] {
    attempt { () throws(LedgerError) in try ledger.claim(keys, at: now, alone: alone) }
      ?? keys.map { ClaimAnswer(entry: $0, verdict: .unknown) }
  }

  /// Gives claims up.
  func withdraw(_ keys: [EntryKey]) { ledger.withdraw(keys) }

  /// Notes a line that a run wrote.
  func note(output line: String, of run: RunID) { ledger.note(output: line, of: run) }

  /// Notes when an attempt was started, if that is known better now, and how and when it ended, before the engine hears of it.
  func end(_ run: RunID, _ outcome: AttemptResult, startedAt: WallInstant?, at now: WallInstant) {
    ledger.end(run, outcome, startedAt: startedAt, at: now)
  }

  /// Files an outcome, with the cursor that its run left.
  func settle(_ record: EntryRecord, cursor: [UInt8]?) {
    ledger.settle(record, cursor: cursor)
    if let run = record.run { notes?.noteEnd(of: run) }
    tidySoon()
    if ledger.hasWatermarksToSave { saveWatermarksSoon() }
  }

  /// Has it filed what was attended, at a start or after the clock was set.
  func attend(_ time: AttendedTime) { ledger.attend(former: time.former, since: time.since) }

  /// The entries of schedules later than `now` that have a run or an outcome of their own, by job.
  func decided(after now: WallInstant) -> DecidedEntries {
    attempt { () throws(LedgerError) in try ledger.decided(after: now) } ?? [:]
  }

  /// Takes entries out of records of several, because they are decided anew.
  func cut(_ cuts: [RangeCut]) { ledger.cut(cuts) }

  /// Keeps how far jobs have come.
  func note(_ watermarks: [Watermark]) { ledger.note(watermarks) }

  /// Forgets what a job has decided after `now`; gives how many entries had an outcome of their own.
  func release(_ job: JobName, _ schedule: ScheduleRule, at now: WallInstant) -> Int {
    attempt { () throws(LedgerError) in try ledger.release(job, schedule, at: now) } ?? 0
  }

  /// Notes that an entry waits.
  func wait(_ waiting: WaitingEntry) { ledger.wait(waiting, at: now()) }

  /// Notes when the next attempt of an entry's run is due.
  func retry(_ entry: EntryKey, at instant: WallInstant) { ledger.retry(entry, at: instant) }

  /// Notes since when a job is paused; `nil` when it goes on.
  func pause(_ job: JobName, since: WallInstant?) { ledger.pause(job, since: since) }

  /// Files what an operator had the daemon do.
  func note(_ action: OperatorAction) { ledger.note(action) }

  /// The cursor that the job's last success left; empty for none.
  func cursor(of job: JobName) -> [UInt8] { ledger.cursor(of: job) }

  /// Ends the turn, and sees to it that nothing that starts later has to wait for the disk.
  func endTurn(nextDeadline: WallInstant?, attendedThrough: WallInstant = .min) {
    self.nextDeadline = nextDeadline
    ledger.attend(through: attendedThrough)
    writeInTime()
    seeToDisk()
    if ledger.contradictionCount > 0, !hasToldOfContradiction {
      hasToldOfContradiction = true
      announcer.announce(
        .warning,
        "the clock was far out: an entry that had its outcome was settled once more; the ledger keeps the first one, here and from now on"
      )
    }
  }

  /// Sees to it that what is to be on the disk comes there in time.
  func seeToDisk() {
    waitForIntents()
    beginDiskWork()
  }

  /// Looks again at what is to be on the disk when: the clock was set, or stood still for this machine, and delays do not know that.
  func clockWasStepped() {
    intentDelay?.cancel()
    intentAt = nil
    waitForIntents()
  }

  private func waitForIntents() {
    guard let next = ledger.nextIntent, next != intentAt else { return }
    intentDelay?.cancel()
    intentAt = next
    intentDelay = loop.after(next - now()) { [weak self] in self?.writeIntents(dueAt: next) }
  }

  private func writeIntents(dueAt due: WallInstant) {
    if let delay = delay(of: Self.quietTime, atLatest: due + Self.intentPatience) {
      intentDelay = loop.after(delay) { [weak self] in self?.writeIntents(dueAt: due) }
      return
    }
    intentAt = nil
    attempt { () throws(LedgerError) in try ledger.writeIntents(at: now()) }
    beginDiskWork()
    waitForIntents()
  }

  /// Has the disk waited for where something is to be waited for.
  func beginDiskWork() {
    let isQuiet = delay(of: Self.quietTime, atLatest: .max) == nil
    if let diskThread {
      _ = ledger.beginDiskWork(on: diskThread, isQuiet: isQuiet)
    } else {
      attempt { () throws(LedgerError) in try ledger.doDiskWork(isQuiet: isQuiet) }
    }
  }

  private func endDiskWork() {
    attempt { () throws(LedgerError) in try ledger.finishSync() }
    // What has gathered meanwhile.
    write()
    beginDiskWork()
  }

  /// Returns the time for which to put off work of `length`; `nil` to do it now.
  func delay(of length: ElapsedTime, atLatest latest: WallInstant) -> ElapsedTime? {
    IdleWindow.delay(of: length, at: now(), before: nextDeadline, atLatest: latest)
  }

  /// Lets go of the ledger, complete in its one file.
  func close() {
    writing?.cancel()
    attempt { () throws(LedgerError) in try ledger.close() }
    diskThread = nil
    forgetNotes()
    if recovery != nil { tellOfRecovery() }
  }
}

extension SideThread: LedgerThread {}
