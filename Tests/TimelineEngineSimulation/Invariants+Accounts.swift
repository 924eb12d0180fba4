import TimelineCore
import TimelineEngine

/// Checks that every entry is accounted for, and once.
extension Invariants {
  /// Records that the clock was set back, regardless of the length that the engine received: instants can lie ahead of the
  /// clock from now on.
  mutating func clockWentBack() { wentBack = true }

  /// Allows a second decision about entries that a job has decided ahead of the clock and not started.
  mutating func letFarDecisionsComeAgain(_ now: WallInstant) {
    guard furthestSeen > now else { return }
    letUnstartedComeAgain(after: now)
    for (name, job) in jobs where job.lastStarted > now { jobs[name]?.lastStarted = now }
  }

  /// Allows a second decision about entries later than `instant` that the clock jumped over, unless they were started. After
  /// a crash with the clock set back, `instant` is the last instant that is written as attended: later readings of the clock
  /// are not recorded.
  mutating func letUnstartedComeAgain(after instant: WallInstant) {
    for (name, job) in jobs where !claimsMatter || job.definition.schedule.hasMoreThanOneEntryPerSecond {
      let again = job.settled.filter {
        $0 > instant && !everStarted.contains(EntryKey(job: name, nominal: $0))
      }
      jobs[name]?.settledFormerly.formUnion(again)
    }
  }

  /// Removes entries from records of several entries, as the ledger does. Records of a former schedule stay whole.
  mutating func cut(_ cut: RangeCut) {
    guard let ranged = jobs[cut.job]?.ranged else { return }
    let again = ranged.filter { cut.contains($0) && cut.schedule.latest(atOrBefore: $0) == $0 }
    guard !again.isEmpty else { return }
    jobs[cut.job]?.settled.subtract(again)
    jobs[cut.job]?.ranged.subtract(again)
    let unwritten = uncommitted.filter { $0.job == cut.job }.flatMap(\.nominals)
    uncommittedCuts.append((cut.job, again.subtracting(unwritten)))
  }

  /// Discards the outcomes of a job's entries later than now, because an operator released the job. Each comes again, also one
  /// whose outcome was not written before its daemon died, but not an entry that is under way.
  mutating func released(_ name: JobName, _ now: WallInstant) {
    guard let job = jobs[name] else { return }
    let schedule = job.definition.schedule
    let underWay = Set(inFlight.values.map(\.entry))
    let started = everStarted.filter { $0.job == name && !underWay.contains($0) }.map(\.nominal)
    for nominal in job.settled.union(started)
    where nominal > now && schedule.latest(atOrBefore: nominal) == nominal {
      jobs[name]?.settled.remove(nominal)
      jobs[name]?.settledFormerly.remove(nominal)
      jobs[name]?.ranged.remove(nominal)
      everStarted.remove(EntryKey(job: name, nominal: nominal))
      startedInEarlierLife.remove(EntryKey(job: name, nominal: nominal))
    }
    moved[name] = moved[name]?.filter { $0.key <= now }
    // Entries that come again too late to be run are settled without a new claim.
    denied = denied.filter { $0.job != name || $0.nominal <= now }
    jobs[name]?.lastStarted = min(job.lastStarted, now)
  }

  /// Records that the ledger has no line of a claim, whether or not the answer still reaches the daemon.
  mutating func isUnwritten(_ key: EntryKey) { unwritten.insert(key) }

  /// Returns the nominal instants of the entries of a record, by the job's schedule.
  mutating func nominals(of record: EntryRecord) -> [WallInstant] {
    guard record.entryCount > 1, let schedule = jobs[record.entry.job]?.definition.schedule else {
      require(record.firstNominal == record.entry.nominal, "one entry that begins elsewhere")
      return [record.entry.nominal]
    }
    var nominals = [record.firstNominal]
    while let next = schedule.next(after: nominals[nominals.count - 1]), next <= record.entry.nominal {
      nominals.append(next)
    }
    require(nominals.count == record.entryCount, "\(record) stands for \(nominals.count) entries")
    require(nominals.last == record.entry.nominal, "\(record) does not end with an entry")
    return nominals
  }

  /// Whether no run is active. When the daemon leaves, runs between two attempts and runs that never got a plugin host do not
  /// count.
  func nothingRuns() -> Bool { inFlight.values.allSatisfy { isLeaving && !$0.isAwaited } }

  /// Removes the runs that a leaving daemon has not settled: runs between two attempts, and runs that never got a plugin host.
  /// They belong to the next daemon, so the ledger must have them.
  mutating func leaveOpen() {
    for (run, left) in inFlight where !left.isAwaited {
      let policies = jobs[left.entry.job]?.definition.policies ?? JobPolicies()
      let isPromised = left.wasAsked && policies.delivery == .atLeastOnce
      // The start was withdrawn, so the ledger has the entry as waiting.
      let isUnstarted = left.waitsForHost && left.begunCount == 0
      require(
        claimsMatter && (isUnstarted || backingOff.contains(run) || isPromised),
        "run \(run) is left, and nobody knows of it")
      if isUnstarted { waitingOwn.insert(left.entry) }
      inFlight[run] = nil
    }
  }

  /// Instant at which the entry of the job at `nominal` is to start.
  func dueInstant(of nominal: WallInstant, _ definition: JobDefinition) -> WallInstant {
    if definition.timing.isExact || definition.schedule.isClosedLoop { return nominal }
    return definition.timing.start(
      of: definition.name, seed: seed, nominal: nominal, next: definition.schedule.next(after: nominal))
  }

  /// Checks that no entry was lost: all entries of unchanged jobs up to `end` must be settled.
  mutating func checkNothingIsLost(until end: WallInstant) {
    let endless = inFlight.keys.sorted()
    require(endless.isEmpty, "runs without an end: \(endless)")
    for (name, job) in jobs {
      guard let since = job.since, !job.definition.schedule.isClosedLoop else { continue }
      var next = job.definition.schedule.next(after: since - .nanoseconds(1))
      while let nominal = next, dueInstant(of: nominal, job.definition) <= end {
        let key = EntryKey(job: name, nominal: nominal)
        let isExcused = everLost.contains(key) || crashes > 0 && unwritten.contains(key)
        if !isExcused, !job.settled.contains(nominal) { violations.append("\(name) \(nominal) was lost") }
        next = job.definition.schedule.next(after: nominal)
      }
    }
    for key in keptOwn.sorted(by: { ($0.nominal, $0.job) < ($1.nominal, $1.job) }) {
      let isSettled = jobs[key.job]?.settled.contains(key.nominal) ?? true
      require(isSettled || everLost.contains(key), "\(key) waited, was kept and is lost")
    }
    if crashes == 0, !wentBack { stories.checkAllTold(&violations) }
  }
}
