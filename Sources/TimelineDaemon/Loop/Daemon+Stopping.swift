import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelineHostPool
import TimelineSystem
import TimelineSystemd

// End of the daemon.
extension Daemon {
  /// Drains: starts no further run, and ends after the last active run. Waiting entries are left in the ledger for the next
  /// daemon.
  ///
  /// A second call changes nothing, like a second stop of a systemd unit. But if `now` is true, the runs are asked to stop.
  func drain(now: Bool = false) {
    if isDraining {
      announcer.announce(
        .notice,
        now
          ? "stopping now; \(Self.text(of: engine.runCount)) asked to stop"
          : "already stopping; \(waitingText); `timelinectl stop --now` asks them to stop", kind: .stopping)
      if now { post(.drain(patience: .zero)) }
      return
    }
    isDraining = true
    modes.end()
    // Other nodes run the cluster's jobs from now on. A job with an active run here moves to another node after the run has
    // ended.
    cluster?.configure(isLeaving: true)
    subscribers.tell(.stopping)
    announcer.announce(.notice, stoppingText, kind: .stopping)
    service.stopping(status: waitingText)
    letRehearsalGoOn()
    // A rehearsal's ledger is in memory, so no entry can be left for a next daemon.
    if !options.clock.isRehearsal { post(.leave) }
    awaitRuns(atMost: now ? .zero : settings.drainTimeout)
    tellWhoWaitsForKept()
  }

  /// Waits for the last run for up to `patience`, and extends systemd's timeout.
  private func awaitRuns(atMost patience: ElapsedTime?) {
    extendTimeout()
    post(.drain(patience: patience))
  }

  /// Reports entries that are kept for the next daemon to the clients that wait for them.
  func tellWhoWaitsForKept() {
    if !options.clock.isRehearsal { runs.tellKept(engine) }
  }

  private var stoppingText: String {
    var parts = ["stopping"]
    if activeCount > 0 { parts.append(waitingText) }
    let kept = [
      (engine.waitingEntryCount, "waiting entry", "waiting entries"),
      (engine.backingOffCount, "run between attempts", "runs between attempts"),
      (engine.hostWaitCount, "run without a plugin host", "runs without a plugin host"),
    ].filter { $0.0 > 0 }
    if !kept.isEmpty, !options.clock.isRehearsal {
      let counts = kept.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: " and ")
      parts.append("kept for the next start: \(counts)")
    }
    return parts.joined(separator: "; ")
  }

  /// The number of runs with an attempt whose plugin was called.
  private var activeCount: Int { engine.runCount - engine.idleRunCount }

  private var waitingText: String { "waiting for \(Self.text(of: activeCount))" }

  private static func text(of runCount: Int) -> String { runCount == 1 ? "1 run" : "\(runCount) runs" }

  /// Extends systemd's timeout repeatedly while runs are under way, because systemd would kill the daemon otherwise.
  private func extendTimeout() {
    guard service.extendTimeout(by: .seconds(20)) else { return }
    loop.after(.seconds(10)) { [weak self] in self?.extendTimeout() }
  }
}

// Hand-over from one daemon to the next.
extension Daemon {
  /// Ends without waiting for the active runs, because systemd keeps their hosts for the daemon that it starts next.
  ///
  /// Waiting entries and runs between two attempts are left in the ledger. If the hosts cannot be handed over, the daemon waits
  /// for the active runs.
  func handOver() {
    guard !isDraining, nextOneCanStart else { return drain() }
    isDraining = true
    modes.end()
    subscribers.tell(.stopping)
    announcer.announce(.notice, "restarting; \(handOverText)", kind: .stopping)
    service.stopping(status: handOverText)
    post(.leave)
    tellWhoWaitsForKept()
    hosts.handOver(atMost: Self.handOverLimit) { [weak self] isPossible in
      // After the last run the daemon ends as at every stop.
      guard let self, engine.runCount > 0 else { return }
      if isPossible { return loop.stop() }
      announcer.announce(.notice, "not every run can be handed over; \(waitingText)", kind: .stopping)
      awaitRuns(atMost: settings.drainTimeout)
    }
  }

  /// Whether the next daemon would find a valid configuration. Otherwise it would end at once, and systemd would release the
  /// hosts and with them the runs.
  private var nextOneCanStart: Bool {
    do throws(LoadFailure) {
      _ = try loader.read(
        refusingForeignWriters: CurrentProcess.effectiveUser == 0, refusingUnknownPlugins: false,
        keepingJobsThatLackFiles: true, now: now)
      return true
    } catch {
      announcer.announce(
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
  /// thread, because it may be busy or hang.
  func handOverOrDrain() {
    guard hosts.hasKeeper, !isDraining, unitQuestion == nil else { return drain() }
    let service = service
    do throws(SystemError) {
      unitQuestion = try DetachedWork(name: "timeline-unit", loop: loop) {
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
    loop.after(Self.unitPatience) { [weak self] in
      if self?.unitQuestion != nil { self?.stop(as: nil) }
    }
  }

  private func stop(as unit: OwnSystemdUnit?) {
    unitQuestion = nil
    if isDraining { return }
    let isReplaced = unit.map {
      $0.isRestarting && $0.sparesChildren
        && $0.storedDescriptors >= hosts.keptDescriptorCount + (cluster?.keptDescriptorCount ?? 0)
    }
    if isReplaced == true { handOver() } else { drain() }
  }

  /// Timeout for systemd's answer about the purpose of a stop: four queries of half a second each, and a margin.
  private static let unitPatience = ElapsedTime.seconds(3)
  /// Timeout for earlier messages to reach systemd.
  private static let notesPatience = ElapsedTime.milliseconds(500)
}
