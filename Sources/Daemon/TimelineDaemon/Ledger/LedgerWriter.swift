import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem

/// Writes the ledger for the daemon. A write failure is reported once, until writing works again, and never stops a run.
///
/// A full disk must not stop the jobs: an entry whose claim cannot be written is run, and the failure is logged. The ledger keeps
/// unwritten changes in memory for a while. The watermark of each job survives even a crash.
final class LedgerWriter {
  let ledger: Ledger
  let announcer: Announcer
  let loop: EventLoop
  let now: () -> WallInstant
  let monotonic: () -> MonotonicInstant
  let openedAt: MonotonicInstant
  private(set) var retention: LedgerRetention
  /// Failure that has been reported; `nil` again after the ledger could be written for ``WriterState/recoveryTime``.
  var knownFault: LedgerFault?
  private var hasToldOfContradiction = false
  /// Log of starts, written before plugins are called; `nil` for a ledger in memory, to which starts are written instead.
  let startLog: StartLog?
  /// The loss of records of earlier daemons, in words that follow "the ledger"; `nil` for none.
  let loss: String?
  /// Thread that waits for the disk; `nil` for a ledger in memory, or if no thread could be started. Then the loop's thread
  /// waits.
  private(set) var diskThread: SideThread?
  /// Starts that were written to the ledger before the plugins were called.
  var writtenStarts: Set<RunID> = []
  var state = WriterState()
  /// Durations of commits that succeeded.
  var commits = DurationHistogram()
  /// Timer for ``WriterState/wakeUp``, and the instant for which it is set.
  private var timer: (delay: Delay, instant: MonotonicInstant)?

  /// Opens the ledger in `directory`, which ``StateDirectory`` has prepared. If `directory` is `nil`, as in a rehearsal,
  /// everything is kept in memory.
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
        (startLog, loss) = (nil, nil)
        return
      }
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
      let startLog = StartLog(
        path: directory + "/starts", ledgerHas: ledger.commitProgress?.last ?? 0, boot: boot)
      self.startLog = startLog
      loss = try opened.setAside.map(Self.text(of:)) ?? Self.lostCommits(of: ledger, startLog, boot: boot)
      // A commit number in the start log must not be used for another commit.
      if let filing = startLog.formerFiling { ledger.countCommits(from: filing.commit) }
      diskThread = try? SideThread(name: "timeline-disk", loop: loop) { [weak self] in self?.endSync() }
      if let loss { announcer.announce(.error, "the ledger \(loss)") }
    } catch let error as LedgerError {
      throw DaemonFailure(.cannotStart, Self.text(of: error))
    } catch let error as DaemonFailure {
      throw error
    } catch {
      throw DaemonFailure(.cannotStart, "state directory: \(error)")
    }
  }

  /// Returns the message of a failure, with the process that uses the ledger if there is one.
  private static func text(of error: LedgerError) -> String {
    guard case .inUse(let path) = error, let process = FileLocks.holders(of: path).first else {
      return error.description
    }
    let name = ProgramName.ofProcess(process).map { " (\($0))" } ?? ""
    return
      "\(path): process \(process)\(name) uses this ledger, and has not closed it for 5s; end it, or give each daemon a state directory of its own"
  }

  private static func rename(from old: String, to new: String) -> String? {
    do throws(SystemError) {
      try Machine.rename(old, to: new)
      return nil
    } catch {
      return error.description
    }
  }

  /// Adopts the configuration. Returns the ledger's memory of an earlier daemon.
  func open(_ loaded: LoadedConfiguration, at now: WallInstant) throws(DaemonFailure) -> Ledger.Memory {
    do throws(LedgerError) {
      do throws(LedgerError) {
        try ledger.adopt(jobs: loaded.ledgerJobs, at: now)
      } catch {
        // Jobs run even if the disk is full.
        guard case .full = error else { throw error }
        report(error)
      }
      return try recallStarts(at: now)
    } catch {
      throw DaemonFailure(.cannotStart, error.description)
    }
  }

  /// Returns the last recorded start of each closed loop among some jobs.
  func loopStarts(of definitions: [JobDefinition]) -> [JobName: WallInstant] {
    var starts: [JobName: WallInstant] = [:]
    for loop in definitions where loop.schedule.isClosedLoop {
      starts[loop.name] = attempt { () throws(LedgerError) in try ledger.lastStart(of: loop.name) } ?? nil
    }
    return starts
  }

  /// Returns the start time of the first daemon of this boot, which is the time of `@reboot`.
  func startOfMachine(at now: WallInstant) -> WallInstant {
    attempt { () throws(LedgerError) in try ledger.startOfMachine(at: now) } ?? now
  }

  /// Adopts a reloaded configuration; `changes` lists the changed jobs if they are known.
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

  /// Releases memory that is not needed while the daemon is idle.
  func dropCache() { ledger.dropCache() }

  /// Claims entries. If the claims cannot be written, the entries are run (see ``LedgerWriter``). If the ledger cannot be read,
  /// it is unknown whether an entry has run, and the job's delivery policy decides.
  func claim(_ keys: [EntryKey], at now: WallInstant, alone: Bool = false) -> [ClaimAnswer] {
    attempt { () throws(LedgerError) in try ledger.claim(keys, at: now, alone: alone) }
      ?? keys.map { ClaimAnswer(entry: $0, verdict: .unknown) }
  }

  /// Gives up claims.
  func withdraw(_ keys: [EntryKey]) { ledger.withdraw(keys) }

  func withdrawClaims(of job: JobName, through watermark: WallInstant, except held: Set<WallInstant>) {
    ledger.withdrawClaims(of: job, through: watermark, except: held)
  }

  /// Returns the last output lines of a run that has ended; empty if none are kept, or the ledger cannot be read.
  func output(of run: RunID) -> String {
    attempt { () throws(LedgerError) in try ledger.output(of: run) } ?? ""
  }

  /// Records an output line of a run.
  func note(output line: String, of run: RunID) { ledger.note(output: line, of: run) }

  /// Records the end of an attempt before the engine handles that end: its result, instant and usage. Also records its start,
  /// if `startedAt` is a more precise instant.
  func end(
    _ run: RunID, _ outcome: AttemptResult, startedAt: WallInstant?, usage: RunUsage,
    at now: WallInstant
  ) {
    ledger.end(run, outcome, startedAt: startedAt, usage: usage, at: now)
  }

  /// Records an outcome, with the cursor that its run stored.
  func settle(_ record: EntryRecord, cursor: [UInt8]?) {
    ledger.settle(record, cursor: cursor)
    startLog?.noteEnd(record)
    state.scheduleTidying(at: reading)
    scheduleWatermarks()
  }

  /// Records the attended time, at a start or after the clock was set.
  func attend(_ time: AttendedTime) { ledger.attend(former: time.former, since: time.since) }

  /// Returns the entries later than `now` that have a run or an outcome of their own, by job.
  func decided(after now: WallInstant) -> DecidedEntries {
    attempt { () throws(LedgerError) in try ledger.decided(after: now) } ?? [:]
  }

  /// Removes entries from records of several entries, because the removed entries are decided anew.
  func cut(_ cuts: [RangeCut]) { ledger.cut(cuts) }

  /// Records the watermarks of jobs.
  func note(_ watermarks: [Watermark]) { ledger.note(watermarks) }

  /// Forgets the decisions about a job's entries after `now`. Returns the number of these entries with an outcome of their own.
  func release(_ job: JobName, _ schedule: ScheduleRule, at now: WallInstant) -> Int {
    attempt { () throws(LedgerError) in try ledger.release(job, schedule, at: now) } ?? 0
  }

  /// Records that an entry waits.
  func wait(_ waiting: WaitingEntry) { ledger.wait(waiting, at: now()) }

  /// Records the instant at which the next attempt of an entry's run is due.
  func retry(_ entry: EntryKey, at instant: WallInstant) { ledger.retry(entry, at: instant) }

  /// Records the state of incidents.
  func note(_ incidents: [IncidentNote]) { ledger.note(incidents) }

  /// Records that a job is paused since `since`, or resumed if `since` is `nil`.
  func pause(_ job: JobName, since: WallInstant?) { ledger.pause(job, since: since) }

  /// Records the action of an operator.
  func note(_ action: OperatorAction) { ledger.note(action) }

  /// Records a change of the mode.
  func note(_ change: ModeChange) { ledger.note(change) }

  /// Returns the cursor that the job's last success stored; empty for none.
  func cursor(of job: JobName) -> [UInt8] { ledger.cursor(of: job) }

  /// Ends an iteration of the loop: writes pending changes in time, and writes claims early so that no later start waits for
  /// the disk.
  func endIteration(nextDeadline: WallInstant?, attendedThrough: WallInstant = .min) {
    ledger.attend(through: attendedThrough)
    handle(.iterationEnded(nextDeadline: nextDeadline))
    if ledger.contradictionCount > 0, !hasToldOfContradiction {
      hasToldOfContradiction = true
      announcer.announce(
        .warning,
        "the clock was far out: an entry that had its outcome was settled once more; the ledger keeps the first one, here and from now on"
      )
    }
  }

  /// Computes due times anew after the clock was set or the machine resumed, because the timer does not follow the wall clock.
  func clockWasStepped() {
    state.clockStepped(at: reading)
    setTimer()
  }

  /// Writes deferred changes and removes old records: one portion now and the other portions later, each when nothing is due
  /// soon.
  func tidy() { handle(.tidyingAsked) }

  /// Schedules the saving of busy jobs' watermarks, if there are any, so that the notes of their starts can be removed.
  func scheduleWatermarks() {
    if ledger.hasWatermarksToSave { state.scheduleWatermarks(at: reading) }
  }

  var reading: ClockStepDetector.Reading { ClockStepDetector.Reading(wall: now(), monotonic: monotonic()) }

  /// Sets the timer for the next work that has a time.
  func setTimer() {
    let instant = state.wakeUp
    guard instant != timer?.instant else { return }
    timer?.delay.cancel()
    timer = instant.map { instant in
      let delay = loop.after(instant - monotonic()) { [weak self] in
        self?.timer = nil
        self?.handle(.wokeUp, at: instant)
      }
      return (delay, instant)
    }
  }

  /// Closes the ledger after all changes are in its one file.
  func close() {
    let isComplete = attempt { () throws(LedgerError) in try ledger.close() } != nil
    timer?.delay.cancel()
    diskThread = nil
    if ledger.isUpToDate, !ledger.hasWatermarksToSave, ledger.isOneFile { startLog?.clear() }
    if isComplete { reportRecovery() }
  }
}

extension SideThread: LedgerThread {}
