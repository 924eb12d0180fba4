import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// End of the daemon: it drains, or hands its runs over to the next daemon.
final class Stopping {
  /// Whether the daemon is about to end.
  private(set) var isDraining = false
  /// The query to systemd about the purpose of a requested stop.
  private var unitQuestion: DetachedWork<OwnSystemdUnit?>?
  private let engine: EngineLoop
  private let jobs: LoadedJobs
  private let cluster: ClusterMember?
  private let subscribers: EventSubscribers
  private let parts: DaemonParts
  private let endMonitors: () -> Void

  init(
    of engine: EngineLoop, jobs: LoadedJobs, cluster: ClusterMember?, subscribers: EventSubscribers,
    _ parts: DaemonParts, endMonitors: @escaping () -> Void
  ) {
    (self.engine, self.jobs, self.cluster) = (engine, jobs, cluster)
    (self.subscribers, self.parts, self.endMonitors) = (subscribers, parts, endMonitors)
  }

  /// Drains: starts no further run, and ends after the last active run. Waiting entries are left in the ledger for the next
  /// daemon.
  ///
  /// A second call changes nothing, like a second stop of a systemd unit. But if `now` is true, the runs are asked to stop.
  func drain(now: Bool = false) {
    if isDraining {
      parts.announcer.announce(
        .notice,
        now
          ? "stopping now; \(Self.text(of: engine.state.runCount)) asked to stop"
          : "already stopping; \(waitingText); `timelinectl stop --now` asks them to stop", kind: .stopping)
      if now { engine.post(.drain(patience: .zero)) }
      return
    }
    begin()
    // Other nodes run the cluster's jobs from now on. A job with an active run here moves to another node after the run has
    // ended.
    cluster?.configure(isLeaving: true)
    subscribers.tell(.stopping)
    parts.announcer.announce(.notice, stoppingText, kind: .stopping)
    parts.service.stopping(status: waitingText)
    // Otherwise the wait for active runs would never end.
    if parts.clock.isPaused { parts.clock.control { $0.resume(at: $1) } }
    // A rehearsal's ledger is in memory, so no entry can be left for a next daemon.
    if !parts.options.clock.isRehearsal { engine.post(.leave) }
    awaitRuns(atMost: now ? .zero : jobs.settings.drainTimeout)
    engine.tellKept()
  }

  /// Waits for the last run for up to `patience`, and extends systemd's timeout.
  private func awaitRuns(atMost patience: ElapsedTime?) {
    extendTimeout()
    engine.post(.drain(patience: patience))
  }

  private var stoppingText: String {
    var words = ["stopping"]
    if activeCount > 0 { words.append(waitingText) }
    let kept = [
      (engine.state.waitingEntryCount, "waiting entry", "waiting entries"),
      (engine.state.backingOffCount, "run between attempts", "runs between attempts"),
      (engine.state.hostWaitCount, "run without a plugin host", "runs without a plugin host"),
    ].filter { $0.0 > 0 }
    if !kept.isEmpty, !parts.options.clock.isRehearsal {
      let counts = kept.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: " and ")
      words.append("kept for the next start: \(counts)")
    }
    return words.joined(separator: "; ")
  }

  /// The number of runs with an attempt whose plugin was called.
  private var activeCount: Int { engine.state.runCount - engine.state.idleRunCount }

  private var waitingText: String { "waiting for \(Self.text(of: activeCount))" }

  private static func text(of runCount: Int) -> String { runCount == 1 ? "1 run" : "\(runCount) runs" }

  /// Extends systemd's timeout repeatedly while runs are under way, because systemd would kill the daemon otherwise.
  private func extendTimeout() {
    guard parts.service.extendTimeout(by: .seconds(20)) else { return }
    parts.loop.after(.seconds(10)) { [weak self] in self?.extendTimeout() }
  }
}

// Hand-over from one daemon to the next.
extension Stopping {
  /// Ends without waiting for the active runs, because systemd keeps their hosts for the daemon that it starts next.
  ///
  /// Waiting entries and runs between two attempts are left in the ledger. If the hosts cannot be handed over, the daemon waits
  /// for the active runs.
  func handOver() {
    guard !isDraining, nextOneCanStart else { return drain() }
    begin()
    subscribers.tell(.stopping)
    parts.announcer.announce(.notice, "restarting; \(handOverText)", kind: .stopping)
    parts.service.stopping(status: handOverText)
    engine.post(.leave)
    engine.tellKept()
    parts.hosts.handOver(atMost: Self.handOverLimit) { [weak self] isPossible in
      // After the last run the daemon ends as at every stop.
      guard let self, engine.state.runCount > 0 else { return }
      if isPossible { return parts.loop.stop() }
      parts.announcer.announce(.notice, "not every run can be handed over; \(waitingText)", kind: .stopping)
      awaitRuns(atMost: jobs.settings.drainTimeout)
    }
  }

  private func begin() {
    isDraining = true
    engine.status.end()
    endMonitors()
  }

  /// Whether the next daemon would find a valid configuration. Otherwise that daemon would end at once, and systemd would
  /// release the hosts and with them the runs.
  private var nextOneCanStart: Bool {
    do throws(LoadFailure) {
      _ = try parts.loader.read(
        refusingForeignWriters: CurrentProcess.effectiveUser == 0, refusingUnknownPlugins: false,
        keepingJobsThatLackFiles: true, now: parts.clock.now)
      return true
    } catch {
      parts.announcer.announce(
        .error,
        "the runs are not handed over, because the next timelined could not start:\n\(error.text(color: false))"
      )
      return false
    }
  }

  private var handOverText: String {
    switch activeCount {
    case 0: "no run is under way"
    case 1: "1 run goes on and its result will be collected"
    case let count: "\(count) runs go on and their results will be collected"
    }
  }

  /// Longest time for a run to reach its host. After that the daemon waits for all runs instead. A plugin may take seconds to
  /// load.
  private static let handOverLimit = ElapsedTime.seconds(5)

  /// Hands over if systemd stops this daemon in order to start another, and drains otherwise. systemd is queried on a separate
  /// thread, because systemd may be busy or hang.
  func handOverOrDrain() {
    guard parts.hosts.hasKeeper, !isDraining, unitQuestion == nil else { return drain() }
    let service = parts.service
    do throws(SystemError) {
      unitQuestion = try DetachedWork(name: "timeline-unit", loop: parts.loop) {
        // The answer has the number of descriptors that systemd keeps for this service, so messages about descriptors are sent
        // first.
        service.flush(atMost: Self.notesPatience)
        return OwnSystemdUnit.ask()
      } completion: { [weak self] unit in
        self?.stop(as: unit)
      }
    } catch {
      return drain()
    }
    parts.loop.after(Self.unitPatience) { [weak self] in
      if self?.unitQuestion != nil { self?.stop(as: nil) }
    }
  }

  private func stop(as unit: OwnSystemdUnit?) {
    unitQuestion = nil
    if isDraining { return }
    let isReplaced = unit.map {
      $0.isRestarting && $0.sparesChildren
        && $0.storedDescriptors >= parts.hosts.keptDescriptorCount + (cluster?.keptDescriptorCount ?? 0)
    }
    if isReplaced == true { handOver() } else { drain() }
  }

  /// Timeout for systemd's answer about the purpose of a stop: four queries of half a second each, and a margin.
  private static let unitPatience = ElapsedTime.seconds(3)
  /// Timeout for earlier messages to reach systemd.
  private static let notesPatience = ElapsedTime.milliseconds(500)
}
