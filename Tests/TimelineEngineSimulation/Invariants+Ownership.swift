import TimelineCore
import TimelineEngine

/// Checks of jobs that change their owner: no entry is started after the handover, lost or run twice.
extension Invariants {
  /// Notes that the next event hands over jobs.
  mutating func handsOver(_ names: Set<JobName>) {
    elsewhere.formUnion(names)
    handingOver = names
    denied = denied.filter { !names.contains($0.job) }
    for name in names where jobs[name]?.definition.schedule.hasMoreThanOneEntryPerSecond ?? false {
      // Counted entries have no claims that another owner could find.
      jobs[name]?.since = nil
    }
    for name in names {
      jobs[name]?.waitsSince = nil
      jobs[name]?.placeSince = nil
      jobs[name]?.arrivals = [:]
    }
    for (run, flight) in inFlight where names.contains(flight.entry.job) && flight.waitsForHost {
      inFlight[run]?.isLeft = true
    }
  }

  /// Notes that the next event takes over jobs.
  mutating func takesOver(_ taken: [TakenJob]) {
    takeovers += 1
    elsewhere.subtract(taken.map(\.name))
    for job in taken {
      jobs[job.name]?.lastStarted = .min
      // The store has no origins.
      moved[job.name] = nil
      jobs[job.name]?.isPaused = job.pausedSince != nil
      for run in job.open {
        tokens[run.entry] = run.token
        if !inFlight.values.contains(where: { $0.entry == run.entry && !$0.isLeft }) {
          takeOver(run, isConfigured: true)
          inFlight[run.run]?.isBeingTaken = true
        }
      }
    }
  }

  /// Whether another node may have been granted an entry, because this node has neither started nor settled the entry.
  func mayBeOf(another key: EntryKey) -> Bool {
    let isSettled = jobs[key.job]?.settled.contains(key.nominal) ?? true
    return !isSettled && !everStarted.contains(key) && !inFlight.values.contains { $0.entry == key }
  }

  /// Checks an attempt of a job that has an owner, and its token.
  mutating func checkOwner(_ attempt: Attempt) {
    let key = attempt.entry
    require(!elsewhere.contains(key.job), "\(key) started after its job was handed over")
    require(!givenUp.contains(key), "\(key) started although another node may have run it")
    let isCounted = jobs[key.job]?.definition.schedule.hasMoreThanOneEntryPerSecond ?? false
    guard claimsMatter, !isCounted, !wentBack else { return }
    require(attempt.token == tokens[key], "\(key) started with another token than it was granted")
  }

  /// Whether a run has no place any more, because its job is or was handed over. The run is between two attempts, or its
  /// attempt waited for a plugin host and has ended.
  func isGone(_ flight: InFlight) -> Bool {
    !flight.isAwaited
      && (handingOver.contains(flight.entry.job) || flight.isLeft && flight.waitsForHost)
  }

  /// Removes runs that the engine has left to the next owner or settled. If the daemon dies, the effect that settles a run
  /// may be missing.
  mutating func leaveHandedOver() {
    for (run, flight) in inFlight where !flight.isAwaited {
      if handingOver.contains(flight.entry.job) {
        require(backingOff.contains(run), "run \(run) was handed over, and nobody knows of it")
        inFlight[run] = nil
      } else if isGone(flight) {
        inFlight[run] = nil
      }
    }
    handingOver = []
  }
}
