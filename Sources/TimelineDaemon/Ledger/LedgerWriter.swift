import TimelineConfiguration
import TimelineControl
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
  /// Failure that operators know of; `nil` again after the ledger could be written for ``WriterState/recoveryTime``.
  var knownFault: LedgerFault?
  private var hasToldOfContradiction = false
  /// Log of starts, written before plugins are called; `nil` for a ledger in memory, which is written instead.
  let startLog: StartLog?
  /// Records that earlier daemons made and this one does not have, in words that follow "the ledger"; `nil` for none.
  let loss: String?
  /// Thread that waits for the disk; `nil` for a ledger in memory, or if there was no thread to be had. Then the loop's thread waits.
  private(set) var diskThread: SideThread?
  /// Starts that the ledger had to have before they were made.
  var writtenStarts: Set<RunID> = []
  /// Decides what is written when.
  var state = WriterState()
  /// Durations of commits that succeeded.
  var commits = DurationHistogram()
  /// Timer for ``WriterState/wakeUp``, and the instant for which it is set.
  private var timer: (delay: Delay, instant: MonotonicInstant)?

  /// Opens the ledger in `directory`, which is there and was prepared; `nil` keeps everything in memory, as a rehearsal does.
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
      // A commit number that the start log has must not be used for another commit.
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

  /// The failure, with the process that uses the ledger.
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

  /// Takes in the configuration and tells what an earlier daemon left.
  func open(_ loaded: LoadedConfiguration, at now: WallInstant) throws(DaemonFailure) -> Ledger.Memory {
    do throws(LedgerError) {
      do throws(LedgerError) {
        try ledger.adopt(jobs: loaded.ledgerJobs, at: now)
      } catch {
        // Runs do not wait for room.
        guard case .full = error else { throw error }
        report(error)
      }
      return try recallStarts(at: now)
    } catch {
      throw DaemonFailure(.cannotStart, error.description)
    }
  }

  /// Returns the last start of each closed loop among some jobs, as far as it is filed.
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

  /// Returns the last lines that a run wrote which has ended; empty where none are kept, or the ledger cannot be read.
  func output(of run: RunID) -> String {
    attempt { () throws(LedgerError) in try ledger.output(of: run) } ?? ""
  }

  /// Notes a line that a run wrote.
  func note(output line: String, of run: RunID) { ledger.note(output: line, of: run) }

  /// Notes when an attempt was started, if that is known better now, how and when it ended, and what it used, before the engine hears of
  /// it.
  func end(
    _ run: RunID, _ outcome: AttemptResult, startedAt: WallInstant?, usage: RunUsage,
    at now: WallInstant
  ) {
    ledger.end(run, outcome, startedAt: startedAt, usage: usage, at: now)
  }

  /// Files an outcome, with the cursor that its run left.
  func settle(_ record: EntryRecord, cursor: [UInt8]?) {
    ledger.settle(record, cursor: cursor)
    startLog?.noteEnd(record)
    state.scheduleTidying(at: reading)
    scheduleWatermarks()
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

  /// Notes what has become of incidents.
  func note(_ incidents: [IncidentNote]) { ledger.note(incidents) }

  /// Notes since when a job is paused; `nil` when it goes on.
  func pause(_ job: JobName, since: WallInstant?) { ledger.pause(job, since: since) }

  /// Files what an operator had the daemon do.
  func note(_ action: OperatorAction) { ledger.note(action) }

  /// Files a change of the mode.
  func note(_ change: ModeChange) { ledger.note(change) }

  /// The cursor that the job's last success left; empty for none.
  func cursor(of job: JobName) -> [UInt8] { ledger.cursor(of: job) }

  /// Ends a loop iteration: writes what has gathered in time, and sees to it that nothing that starts later waits for the disk.
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

  /// Takes in that the clock was set, or stood still for this machine: the timer does not know that.
  func clockWasStepped() {
    state.clockStepped(at: reading)
    setTimer()
  }

  /// Files what can wait and drops what is old, a portion now and the others later, each when nothing is due soon.
  func tidy() { handle(.tidyingAsked) }

  /// Has the watermarks of busy jobs saved soon, if there are any, so that the notes of their starts can be removed.
  func scheduleWatermarks() {
    if ledger.hasWatermarksToSave { state.scheduleWatermarks(at: reading) }
  }

  /// Current time of both clocks.
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

  /// Lets go of the ledger, complete in its one file.
  func close() {
    let isComplete = attempt { () throws(LedgerError) in try ledger.close() } != nil
    timer?.delay.cancel()
    diskThread = nil
    if ledger.isUpToDate, !ledger.hasWatermarksToSave, ledger.isOneFile { startLog?.clear() }
    if isComplete { reportRecovery() }
  }
}

extension SideThread: LedgerThread {}
