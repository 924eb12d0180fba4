import TimelineCore

/// The next entry of each job.
///
/// The queue of deadlines holds the instant at which an entry falls due, jitter and accuracy included; the job keeps the nominal one
/// beside it, which names the entry. As an entry falls due before the next one's nominal instant, of those whose nominal
/// instants have passed only the last can still be to come.
///
/// A claim is made as soon as the next entry is known, long before it is due, so that at the deadline nothing
/// waits for a disk. Only what nobody could know ahead is asked at its time: manual triggers, and the one entry
/// that stands for several missed ones. A deadline that comes before its answer waits for it.
///
/// For a job whose rule leaves instants out, the deadline in the queue is that of its next entry or the end of the next omission,
/// whichever comes first.
extension EngineState {
  /// Makes `nominal` the job's next entry, or leaves it without one.
  mutating func planNext(_ index: Int, at nominal: WallInstant?) {
    let nominal = undecided(index, from: nominal)
    // What falls due when a daemon has begun to leave is the next one's.
    guard let nominal, !lifecycle.isLeaving, isBeforeHorizon(nominal) else {
      jobs[index].setNext(nil)
      deadlines.remove(.job(index))
      // What is left out after the last entry of a timeline that ends is on it all the same.
      if let horizon, jobs[index].mayOmit { planOmission(index, before: horizon) }
      return
    }
    assert(!jobs[index].isRetired && jobs[index].pause == nil, "a removed or paused job has no entries")
    let due = jobs[index].dueInstant(seed, of: nominal)
    let claim = lifecycle.isRunning ? askForClaim(index, nominal) : .granted
    jobs[index].setNext(nominal, claim)
    deadlines.setEntry(index, at: due, tie: jobs[index].tie)
    if jobs[index].mayOmit { planOmission(index, before: nominal) }
  }

  /// Plans the first entry at or after `since` that has not been decided, in place of what was planned.
  mutating func replan(_ index: Int, since: WallInstant, _ now: WallInstant) {
    // What came before is not lost because the clock went on, or the job changed, before it was settled.
    jobs[index].omissions.begin(at: since)
    if jobs[index].pause != nil { return }
    if jobs[index].isClosedLoop {
      withdrawNext(index)
      planNext(index, at: nil)
      planClosedLoop(index, now)
    } else {
      let origin = max(jobs[index].watermark.instant, since - .nanoseconds(1))
      let next = undecided(index, from: jobs[index].definition.schedule.next(after: origin))
      guard next != jobs[index].next else { return }
      withdrawNext(index)
      planNext(index, at: next)
    }
  }

  /// Plans the next start of a closed loop, unless something of the job still runs or waits to.
  mutating func planClosedLoop(_ index: Int, _ now: WallInstant) {
    guard mode == .normal, lifecycle.isRunning, !jobs[index].isRetired, jobs[index].next == nil,
      jobs[index].runCount == 0, jobs[index].waitingEntries == 0, !jobs[index].isStoppedLoop
    else { return }
    planNext(index, at: jobs[index].freeInstant(at: max(now, jobs[index].earliestStart)))
  }

  /// Stops closed loops in low-frequency mode and lets them go on after it; everything else keeps its entries.
  mutating func change(_ mode: ScheduleMode, _ now: WallInstant) {
    guard mode != self.mode else { return }
    self.mode = mode
    for index in jobs.indices where jobs[index].isClosedLoop { replan(index, since: now, now) }
  }

  /// Returns the instant at which the job's next entry falls due: its nominal time plus the delay by jitter and accuracy; `.max` for none.
  ///
  /// The job does not store it. The queue has it, except for a job whose rule leaves instants out: there the
  /// queue may hold the next omission.
  func planned(_ index: Int) -> WallInstant {
    guard let nominal = jobs[index].next else { return .max }
    if jobs[index].isExact { return nominal }
    if !jobs[index].mayOmit, let deadline = deadlines.deadline(of: .job(index)) { return deadline }
    return jobs[index].dueInstant(seed, of: nominal)
  }

  /// Returns the first entry from `nominal` on, which is one, that was not decided while the clock was ahead.
  mutating func undecided(_ index: Int, from nominal: WallInstant?) -> WallInstant? {
    guard jobs[index].watermark.isAhead else { return nominal }
    return jobs[index].watermark.firstUndecided(from: nominal, of: jobs[index].definition)
  }

  /// Whether the timeline has not ended at an instant.
  func isBeforeHorizon(_ instant: WallInstant) -> Bool { horizon.map { instant < $0 } ?? true }

  /// Returns the last instant up to `end` at which the timeline has not ended.
  func lastInstant(through end: WallInstant) -> WallInstant {
    horizon.map { min(end, $0 - .nanoseconds(1)) } ?? end
  }

  /// Queues the job at the next thing that its rule leaves out, if that comes before its next entry.
  mutating func planOmission(_ index: Int, before next: WallInstant) {
    let origin = jobs[index].omissions.origin
    let end = min(lastInstant(through: next), origin + EngineLimits.omissionsSpan)
    let row =
      origin < end ? jobs[index].definition.schedule.omissions(after: origin, through: end).first : nil
    let due = min(planned(index), row?.last ?? .max)
    guard due < .max else { return deadlines.remove(.job(index)) }
    deadlines.setEntry(index, at: due, tie: jobs[index].tie)
  }

  /// Requests the claim to the entry with the effects of this event, if the job is claimed.
  mutating func askForClaim(_ index: Int, _ nominal: WallInstant) -> ClaimState {
    guard isClaimed(index) else { return .granted }
    claims.ask(for: jobs.key(index, nominal))
    return .asked
  }

  /// Gives the claim of the next entry up, because the entry is about to leave the timeline.
  mutating func withdrawNext(_ index: Int) {
    guard let nominal = jobs[index].next, isClaimed(index), jobs[index].nextClaim.isHeld else { return }
    claims.withdraw(jobs.key(index, nominal))
  }

  /// Does not ask for an entry after all: it was found to have passed with others in the event that planned it.
  mutating func leaveUnasked(_ index: Int, _ nominal: WallInstant) {
    claims.cancelRequest(for: jobs.key(index, nominal))
  }

  /// Whether the ledger has a row for each entry of the job.
  func isClaimed(_ index: Int) -> Bool {
    claims.hasLedger && !jobs[index].isCounted
  }
}
