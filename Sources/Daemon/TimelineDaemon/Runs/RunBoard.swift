import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineSystem

/// Active runs, one record each, and the clients that observe their entries.
///
/// A report of a plugin host changes the record and the ledger here. The result for the engine is returned, and the caller
/// posts it.
final class RunBoard {
  private var runs: [RunID: ActiveRun] = [:]
  private var observers = EntryObservers()
  /// Runs whose plugin is not called because the node's lease has ended. A run is withheld before its attempt has a record.
  private var withheld: Set<RunID> = []
  private let jobs: LoadedJobs
  private let writer: LedgerWriter
  private let hosts: PluginHosts
  private let subscribers: EventSubscribers
  private let announcer: Announcer
  private let clock: DaemonClock

  init(
    _ parts: DaemonParts, jobs: LoadedJobs, writer: LedgerWriter, subscribers: EventSubscribers
  ) {
    self.jobs = jobs
    self.writer = writer
    self.subscribers = subscribers
    hosts = parts.hosts
    announcer = parts.announcer
    clock = parts.clock
  }

  /// Adds the runs of an earlier daemon that are still active.
  func inherit(_ open: [OpenRun]) {
    for run in open where run.isAlive || run.retryAt != nil {
      runs[run.run] = ActiveRun(Attempt(inheriting: run))
    }
  }
}

// Questions.
extension RunBoard {
  var isEmpty: Bool { runs.isEmpty }

  var count: Int { runs.count }

  /// The numbers of the active runs, ascending.
  var numbers: [RunID] { runs.keys.sorted() }

  /// The record of a run; `nil` if the run is not active.
  subscript(run: RunID) -> ActiveRun? { runs[run] }

  /// Returns the active runs of a job.
  func runs(of job: JobName) -> [RunID: ActiveRun] { runs.filter { $0.value.attempt.entry.job == job } }

  /// Returns the present attempts of a job's active runs.
  func attempts(of job: JobName) -> [Attempt] {
    runs.values.lazy.map(\.attempt).filter { $0.entry.job == job }
  }

  /// Returns the run of an entry that waits for a plugin host; `nil` for none.
  func runWithoutHost(of entry: EntryKey) -> RunID? {
    runs.first { $0.value.attempt.entry == entry && $0.value.isWaiting }?.key
  }

  /// Returns a run in words: its number and its job.
  func name(of run: RunID) -> String {
    "run \(run)" + (runs[run].map { " of \($0.attempt.entry.job)" } ?? "")
  }

  /// The runs that wait for entries, and the runs of these entries.
  var waits: RunWaits {
    var waits = RunWaits()
    waits.entries = observers.entriesByRun
    for (id, run) in runs { waits.runs[run.attempt.entry] = id }
    return waits
  }
}

// Starts.
extension RunBoard {
  /// Records an attempt that was started; `clocks` is a reading of the clocks after the start.
  func start(_ attempt: Attempt, decidedAt: WallInstant, _ clocks: DaemonClock.Reading) {
    runs[attempt.run] = ActiveRun(
      attempt, decidedAt: decidedAt, clocks: clocks, following: runs[attempt.run])
  }

  /// Notes that the plugin of a run is not called, because the node's lease has ended.
  func withhold(_ run: RunID) { withheld.insert(run) }

  /// Returns whether the plugin of a run was withheld. The run does not count as withheld any more.
  func takeWithheld(_ run: RunID) -> Bool { withheld.remove(run) != nil }

  /// Returns the withheld runs of jobs, ascending.
  func withheldRuns(of jobs: Set<String>) -> [RunID] {
    withheld.filter { run in runs[run].map { jobs.contains($0.attempt.entry.job.text) } ?? false }.sorted()
  }

  /// Withdraws the record of a run's start, because its plugin was not called. Returns `false` if the run is not active,
  /// or counts as waiting already.
  func noteWait(of run: RunID) -> Bool {
    guard let place = runs.index(forKey: run), !runs.values[place].isWaiting else { return false }
    runs.values[place].isWaiting = true
    writer.unstart(runs.values[place].attempt)
    return true
  }

  /// Records the instant at which the plugin of a waiting run is called; `clocks` is a current reading.
  func call(_ run: RunID, at instant: WallInstant, by clocks: DaemonClock.Reading) {
    runs[run]?.begin(at: instant, by: clocks)
  }

  /// Call of a run's plugin after a wait for a plugin host.
  enum LateCall {
    /// The run was not known to be waiting, so its start is recorded already. The value is the increase of the time that the
    /// run has waited for its host, since the last query.
    case known(ElapsedTime)
    /// The run was recorded as waiting. Its attempt begins with this call.
    case first(Attempt)
  }

  /// Records that the plugin of a run was called after a wait; returns `nil` if the run is not active.
  func noteCall(of run: RunID) -> LateCall? {
    guard let place = runs.index(forKey: run) else { return nil }
    guard runs.values[place].isWaiting else { return .known(runs.values[place].waited(until: clock.now)) }
    runs.values[place].isWaiting = false
    return .first(runs.values[place].attempt)
  }
}

// Reports on runs, and their ends.
extension RunBoard {
  /// Records a clock step, which is not elapsed time.
  func clockWasMoved(by step: ElapsedTime) {
    for run in runs.keys { runs[run]?.clockWasMoved(by: step) }
  }

  /// Records that a run is asked to stop.
  func askToStop(_ run: RunID, _ reason: StopReason) {
    runs[run]?.wasAskedToStop(reason, at: SystemTime.monotonic())
  }

  /// Records a line of a plugin, and reports it.
  func note(_ line: PluginLine) {
    if let run = line.run { writer.note(output: line.message, of: run) }
    announcer.announce(Announcement(line))
    if let run = line.run { runs[run]?.output.append(line.message) }
    subscribers.tell(.line(line))
  }

  /// Records the progress of a run, and reports it.
  func noteProgress(of run: RunID, _ millionths: UInt32?, _ text: String) {
    guard let place = runs.index(forKey: run) else { return }
    runs.values[place].progressMillionths = millionths
    runs.values[place].progressText = text
    let entry = runs.values[place].attempt.entry
    subscribers.tell(.progress(run, entry, millionths, text))
    tellObservers(of: entry, .progress(run, millionths, text))
  }

  /// Records the end of an attempt, before the engine handles it. Returns the result for the engine.
  func end(_ run: RunID, _ end: PluginRunEnd) -> AttemptResult {
    var result = end.outcome
    (result.hasOutput, result.precededStop) = (false, false)
    guard let place = runs.index(forKey: run) else {
      writer.end(run, end.outcome, startedAt: nil, usage: end.usage, at: clock.now)
      return result
    }
    runs.values[place].cursor = end.cursor
    // A run that failed because no host can be started counts as started.
    if runs.values[place].isWaiting, result.status == .failed { writer.note(runs.values[place].attempt) }
    if let call = end.call {
      let now = clock.reading
      runs.values[place].take(call, now)
      writer.end(
        run, end.outcome, startedAt: runs.values[place].attempt.startedAt, usage: end.usage,
        at: runs.values[place].attemptEnd(knownAt: now.instant))
      result.precededStop = runs.values[place].endedBeforeStop(call)
    } else {
      writer.end(run, end.outcome, startedAt: nil, usage: end.usage, at: clock.now)
    }
    let attempt = runs.values[place].attempt
    if attempt.cause.isReported { jobs.noteAttempt(of: attempt.entry, result.status) }
    result.hasOutput = !runs.values[place].output.isEmpty
    return result
  }

  /// Removes the run of an entry that has its outcome, and records the outcome; `endedRun` is the run whose end made the engine
  /// settle the entry. Returns the completed record, and the run's fencing token.
  func settle(_ settled: EntryRecord, after endedRun: RunID?) -> (record: EntryRecord, token: Int64?) {
    let run = settled.run.flatMap { runs.removeValue(forKey: $0) }
    if let number = settled.run { withheld.remove(number) }
    let record = run?.completing(settled, endedByItself: settled.run == endedRun) ?? settled
    writer.settle(record, cursor: record.cause.usesCursor ? run?.cursor : nil)
    return (record, run?.attempt.token)
  }
}

// Clients that observe entries.
extension RunBoard {
  /// Adds a client that waits for `entry`, and belongs to `run` if one is given. ``lendPlaces()`` must follow.
  func observe(
    _ entry: EntryKey, by run: RunID? = nil, _ tell: @escaping (EntryEvent) -> Void
  ) -> EntryObservers.Number {
    observers.add(entry, run: run, tell)
  }

  /// Removes a client, if it still waits.
  func stopObserving(_ number: EntryObservers.Number) {
    observers.remove(number)
    lendPlaces()
  }

  /// Passes the runs that wait for other runs to the plugin hosts, so that the waiting runs lend their places.
  func lendPlaces() { hosts.lend(observers.runs) }

  /// Reports the call of a plugin to subscribers and observers.
  func tellStart(of attempt: Attempt) {
    subscribers.tell(.started(attempt))
    if attempt.number == 1 { tellObservers(of: attempt.entry, .started(attempt.run)) }
  }

  /// Reports an event of an entry to the clients that observe it.
  func tellObservers(of entry: EntryKey, _ event: EntryEvent) {
    guard !observers.isEmpty else { return }
    for tell in observers.told(of: entry, isLast: event.isLast) { tell(event) }
    if event.isLast { lendPlaces() }
  }

  /// Reports entries that are kept for the next daemon to the clients that wait for them: all entries without a run that the
  /// `engine` continues.
  func tellKept(_ engine: EngineState) {
    guard !observers.isEmpty else { return }
    let running = Set(runs.filter { engine.isInFlight($0.key) }.map(\.value.attempt.entry))
    for entry in observers.entries.subtracting(running) { tellObservers(of: entry, .kept) }
  }
}
