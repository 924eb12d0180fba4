import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineLoading
import TimelineSystem

/// Starts of runs: consecutive starts are all made before any of them is recorded or reported.
final class RunStarter {
  /// A deadline for which the daemon woke early.
  struct DeadlineAhead {
    let deadline: WallInstant
    /// Whether the thread spins for the rest of the time to the deadline.
    fileprivate var isSpun = false

    init(deadline: WallInstant) { self.deadline = deadline }
  }

  /// The deadline for which the daemon woke early; `nil` once it is reached. Until then only starts are prepared.
  private(set) var ahead: DeadlineAhead?
  /// Instant of each start that was made and is not recorded yet, in their order.
  private var startedAt = Queue<WallInstant>()
  /// The runs among these starts that wait for a plugin host.
  private var runsWithoutHost: Set<RunID> = []
  /// Whether the warning about too many deadlines that need spinning was logged.
  private var hasToldOfSpins = false
  private var cluster: ClusterMember?
  private let runs: RunBoard
  private let jobs: LoadedJobs
  private let writer: LedgerWriter
  private let modes: ModeMonitor
  private let hosts: PluginHosts
  private let clock: DaemonClock
  private let announcer: Announcer
  private let isRehearsal: Bool

  init(_ parts: DaemonParts, writer: LedgerWriter, jobs: LoadedJobs, runs: RunBoard, modes: ModeMonitor) {
    (self.writer, self.jobs, self.runs, self.modes) = (writer, jobs, runs, modes)
    (hosts, clock, announcer) = (parts.hosts, parts.clock, parts.announcer)
    isRehearsal = parts.options.clock.isRehearsal
    hosts.beforeLateCall = { [unowned self] run in recordLateCall(of: run) }
  }

  /// Adds the membership of this node in a cluster.
  func join(_ cluster: ClusterMember) { self.cluster = cluster }

  /// Prepares starts until `deadline`, for which the daemon woke early; makes them at once if it is `nil`.
  func prepare(for deadline: WallInstant?) { ahead = deadline.map(DeadlineAhead.init) }

  /// Makes the consecutive starts from `index` on, before they are recorded or reported. Returns the index of the next effect.
  func start(_ effects: [EngineEffect], from index: Int) -> Int {
    var starts: [PluginHosts.ReadyRun] = []
    // After the deadline starts are made ready a few at a time.
    if ahead != nil { starts.reserveCapacity(effects.count - index) }
    var end = ready(effects, from: index, into: &starts)
    if let deadline = ahead?.deadline {
      while deadline - clock.now > Self.timeToMakeReady, end < effects.count,
        case .start = effects[end]
      {
        end = ready(effects, from: end, into: &starts)
      }
      hosts.sendAhead(&starts, in: deadline - clock.now)
    }
    let isLast =
      if end < effects.count, case .start = effects[end] { false } else { true }
    let calls = hosts.start(starts, areLast: isLast) { waitForDeadline(isCalledHere: $0) }
    // Between the calls only the monotonic clock is read, which cannot be set.
    let reading = clock.reading
    for call in calls { startedAt.append(reading.instant(at: call)) }
    return end
  }

  /// Time before a deadline from which no further starts are made ready, so that the ready starts are not delayed.
  private static let timeToMakeReady = WakeLead.leadPerEntry * Int64(LedgerWriter.startsPerNote)

  /// Notes consecutive starts from `index` on and makes them ready. Returns the index of the next effect.
  private func ready(
    _ effects: [EngineEffect], from index: Int, into starts: inout [PluginHosts.ReadyRun]
  ) -> Int {
    let end = writer.recordStartsAhead(effects, from: index)
    for index in index..<end {
      if case .start(let attempt) = effects[index] { starts.append(ready(attempt)) }
    }
    return end
  }

  /// Prepares the call of a plugin as far as possible.
  private func ready(_ attempt: Attempt) -> PluginHosts.ReadyRun {
    let name = attempt.entry.job
    guard let launch = jobs.launch(of: attempt.entry), let host = launch.kind else {
      let reason = jobs.fault(of: name) ?? "job \(name) was taken out of the configuration"
      return .over(attempt.run, .failed(reason))
    }
    // `wake()` makes the node give up the job, which then leaves the engine with the next event, or continue the job without
    // the store.
    if let cluster, !cluster.mayStart(attempt) {
      cluster.wake()
      if !cluster.mayStart(attempt) {
        runs.withhold(attempt.run)
        return .withheld(attempt.run)
      }
    }
    if launch.isSpun, let ahead, !ahead.isSpun {
      self.ahead?.isSpun = clock.maySpin(to: ahead.deadline)
    }
    return hosts.ready(
      addingUpstream(to: cluster?.addingToken(to: attempt) ?? attempt), kind: host,
      parameters: launch.parameters,
      revision: launch.revision,
      cursor: attempt.cause.usesCursor ? writer.cursor(of: name) : [], isRehearsal: isRehearsal,
      spin: launch.isSpun && ahead?.isSpun ?? false ? WakeLead.spin : .zero,
      startBy: cluster?.startBy(attempt))
  }

  /// Adds the output and the schedule of its upstream to a reaction. Returns any other attempt unchanged.
  private func addingUpstream(to attempt: Attempt) -> Attempt {
    guard let upstream = attempt.upstream else { return attempt }
    var attempt = attempt
    if let run = upstream.run { attempt.upstreamOutput = writer.output(of: run) }
    attempt.upstreamSchedule = jobs.loaded.configuration.job(named: upstream.entry.job)?.schedule.portable
    return attempt
  }

  /// Waits for the deadline before which the daemon has woken, if any. `isCalledHere` is true if a plugin in this process is
  /// called next.
  func waitForDeadline(isCalledHere: Bool = false) {
    guard let ahead = self.ahead.take() else { return }
    clock.wait(until: ahead.deadline, isSpun: ahead.isSpun, isCalledHere: isCalledHere)
  }

  /// Logs once that more deadlines need spinning than are allowed.
  func warnOfSpins() {
    guard clock.hasRunOutOfSpins, !hasToldOfSpins else { return }
    hasToldOfSpins = true
    announcer.announce(
      .warning,
      "jobs with precision = \"spin\" fall due more often than \(WakeLead.spinsPerSecond) times in a second; beyond that the timer wakes for them"
    )
  }

  /// Notes that a run among the starts that are being made waits for a plugin host.
  func noteWait(of run: RunID) { runsWithoutHost.insert(run) }
}

// Records of starts.
extension RunStarter {
  /// Records the next of the starts that were made; `clocks` is a reading of the clocks after all starts. Returns the attempt
  /// with the instant of its call; `nil` if it waits for a plugin host.
  func noteStart(_ decided: Attempt, _ clocks: DaemonClock.Reading) -> Attempt? {
    var attempt = decided
    // If the clock was set to an earlier time in between, the instant of the call is not usable.
    if let instant = startedAt.popFirst() { attempt.startedAt = max(decided.startedAt, instant) }
    runs.start(attempt, decidedAt: decided.startedAt, clocks)
    if !runsWithoutHost.isEmpty, runsWithoutHost.remove(attempt.run) != nil {
      _ = runs.noteWait(of: attempt.run)
      return nil
    }
    return attempt
  }

  /// Records and reports the call of a plugin.
  func noteCall(_ attempt: Attempt) {
    writer.note(attempt)
    cluster?.noteStart(attempt)
    runs.tellStart(of: attempt)
  }

  /// Records the call of a plugin after a wait. Returns the event for the engine; `nil` if the run is not active.
  func noteLateCall(of run: RunID) -> EngineEvent? {
    switch runs.noteCall(of: run) {
    case nil: return nil
    case .known(let waited): return .attemptBegan(run, late: waited)
    case .first(let attempt):
      noteCall(attempt)
      return .attemptBegan(run, late: .zero)
    }
  }

  /// Whether a run ended because its plugin host was too late to call the plugin. If the node's lease has ended, the run is
  /// left to the next owner of its job; otherwise the run is decided anew.
  func isTooLate(_ run: RunID, _ end: PluginRunEnd) -> Bool {
    guard let cluster, end.call == nil, end.outcome.status == .cancelled, let active = runs[run] else {
      return false
    }
    return cluster.includes(active.attempt.entry.job) && !active.isWaiting && !active.isAskedToStop
  }

  /// Records the start of a run that has waited for a plugin host, just before the plugin is called. Returns the run with
  /// updated data for the plugin.
  ///
  /// A plugin host that was started early may be ready before the entry is due. The host calls the plugin when the entry is
  /// due.
  private func recordLateCall(of run: PluginRun) -> PluginRun {
    var run = run
    let decided = run.attempt.startedAt
    let early = run.notBefore.map { max(.zero, $0 - SystemTime.monotonic()) } ?? .zero
    let reading = clock.reading
    let instant = reading.instant + early
    run.attempt.startedAt = instant
    run.attempt.deadline = run.attempt.deadline.map { instant + ($0 - decided) }
    // The mode may have changed during the wait; only runs with a plugin host receive changes of the mode.
    run.attempt.mode = modes.current.mode
    run.attempt.cadence = modes.current.cadence
    run.startBy = cluster?.startBy(run.attempt)
    _ = writer.recordStartsAhead([.start(run.attempt)], from: 0)
    runs.call(run.attempt.run, at: instant, by: reading)
    return run
  }
}
