import TimelineCore

/// The jobs and the next entry of each.
///
/// The queue of deadlines holds the instant at which an entry falls due, including jitter and accuracy. The job keeps the
/// nominal instant, which identifies the entry. An entry falls due before the nominal instant of the next entry. So of
/// the entries whose nominal instant has passed, only the last can still be delayed.
///
/// A claim is requested as soon as the next entry is known, long before it is due, so that no start waits for a disk. Only
/// entries that cannot be known ahead are claimed at their time: manual triggers, and the one entry that stands for several
/// missed entries. An entry that falls due before the answer waits for the answer.
///
/// For a job whose rule leaves instants out, the deadline in the queue belongs to its next entry or to the end of the next
/// omission, whichever comes first.
struct Timetable: Sendable {
  var jobs = JobTable(minimumCapacity: 0)
  /// Whether the engine starts runs, drains, or has ended.
  var lifecycle = Lifecycle()
  /// Intervals of wall time in which a daemon decided entries as they fell due.
  var attended: AttendedTime
  /// Instant of the last event; before the first event, just before the start.
  var lastSeen: WallInstant
  /// Watermarks to be recorded, and watermarks of removed jobs.
  var watermarks: Watermarks
  /// Instants ahead of a clock that was set back at which jobs have entries already.
  var taken: TakenInstants
  /// Mode of the daemon. Closed loops start in normal mode only.
  var mode: ScheduleMode
  /// End of the timeline (exclusive); `nil` for no end.
  let horizon: WallInstant?

  /// The next entry of each job, and the timeout, grace or back-off of each run. The first deadline is looked up
  /// only between events.
  private var deadlines = DeadlineQueue()
  /// The next reminder of each job that has an incident. A separate queue, because other work at the same instant comes first.
  private var reminders = DeadlineQueue()
  /// Claims to request and to give up with the effects of this event.
  private var claims: ClaimTable
  /// Lookahead of the next entries, for a timeline with an end and without claims; `nil` otherwise, and for too many jobs.
  private var lookahead: EntryLookahead?
  /// Seed of the jitter, different on each machine.
  private let seed: UInt64

  /// Makes a timetable without jobs.
  init(
    startedAt: WallInstant, attended: [ClosedRange<WallInstant>], watermarks: Watermarks,
    taken: TakenInstants = TakenInstants([:]), mode: ScheduleMode, claims: ClaimRule, seed: UInt64,
    horizon: WallInstant?
  ) {
    self.attended = AttendedTime(former: attended, since: startedAt)
    lastSeen = startedAt - .nanoseconds(1)
    (self.watermarks, self.taken) = (watermarks, taken)
    self.mode = mode
    self.claims = ClaimTable(claims)
    self.seed = seed
    self.horizon = horizon
  }

  /// Removes all jobs and deadlines, and reserves memory for `count` jobs.
  mutating func removeAllJobs(makingRoomFor count: Int) {
    jobs = JobTable(minimumCapacity: count)
    deadlines.removeAll()
    reminders.removeAll()
    deadlines.reserve(count)
    lookahead = !claims.hasLedger ? horizon.flatMap { EntryLookahead(of: count, before: $0) } : nil
  }

  /// Ends the timetable, because the last run has ended.
  mutating func end() {
    for index in jobs.indices { withdrawNext(index) }
    deadlines.removeAll()
    lifecycle.end()
  }
}

// Next entries.
extension Timetable {
  /// Makes `nominal` the job's next entry. With `nil` the job has no next entry.
  mutating func planNext(_ index: Int, at nominal: WallInstant?) {
    let nominal = undecided(index, from: nominal)
    // Entries that fall due after a daemon has begun to stop belong to the next daemon.
    guard let nominal, !lifecycle.isLeaving, isBeforeHorizon(nominal) else {
      jobs[index].setNext(nil)
      deadlines.remove(.job(index))
      // A timeline with an end includes the omissions after its last entry.
      if let horizon, jobs[index].mayOmit { planOmission(index, before: horizon) }
      return
    }
    assert(!jobs[index].isRetired && jobs[index].pause == nil, "a removed or paused job has no entries")
    let due = jobs[index].dueInstant(seed, of: nominal)
    let claim = lifecycle.isRunning ? askForClaim(index, nominal) : .granted
    jobs[index].setNext(nominal, claim)
    setDeadline(ofEntry: index, due)
    if jobs[index].mayOmit { planOmission(index, before: nominal) }
  }

  /// Gives up the job's next entry, so that it has none.
  mutating func unplan(_ index: Int) {
    withdrawNext(index)
    planNext(index, at: nil)
  }

  /// Plans the first undecided entry at or after `since`. Replaces the planned entry.
  mutating func replan(_ index: Int, since: WallInstant, _ now: WallInstant) {
    // Keeps unsettled omissions from `since` on, after a clock step or a change of the job.
    jobs[index].omissions.begin(at: since)
    if jobs[index].pause != nil { return }
    if jobs[index].isClosedLoop {
      unplan(index)
      planClosedLoop(index, now)
    } else {
      let origin = max(jobs[index].watermark.instant, since - .nanoseconds(1))
      let next = undecided(index, from: jobs[index].definition.schedule.next(after: origin))
      guard next != jobs[index].next else { return }
      withdrawNext(index)
      planNext(index, at: next)
    }
  }

  /// Plans the next start of a closed loop, or leaves it out in low-frequency mode. Does nothing if the job still has a run or a
  /// waiting entry.
  mutating func planClosedLoop(_ index: Int, _ now: WallInstant) {
    guard lifecycle.isRunning, !jobs[index].isRetired, jobs[index].next == nil,
      jobs[index].runCount == 0, jobs[index].waitingEntries == 0, !jobs[index].isStoppedLoop
    else { return }
    let taken = taken(index, at: now)
    let nominal = jobs[index].freeInstant(at: max(now, jobs[index].earliestStart), besides: taken)
    if mode == .normal { planNext(index, at: nominal) } else { leaveOut(index, from: nominal) }
  }

  /// Queues the job at the next omission of its rule, if the omission comes before the job's next entry.
  mutating func planOmission(_ index: Int, before next: WallInstant) {
    let origin = jobs[index].omissions.origin
    let end = min(lastInstant(through: next), origin + EngineLimits.omissionsSpan)
    let row =
      origin < end ? jobs[index].definition.schedule.omissions(after: origin, through: end).first : nil
    let due = min(planned(index), row?.last ?? .max)
    guard due < .max else { return deadlines.remove(.job(index)) }
    setDeadline(ofEntry: index, due)
  }
}

// Instants.
extension Timetable {
  /// Returns the instant at which the job's next entry falls due: its nominal time plus the delay by jitter and accuracy; `.max`
  /// for none.
  ///
  /// The job does not store this instant. The queue has it, except for a job whose rule leaves instants out: the queue may
  /// then hold the next omission.
  func planned(_ index: Int) -> WallInstant {
    guard let nominal = jobs[index].next else { return .max }
    if jobs[index].isExact { return nominal }
    if !jobs[index].mayOmit, let deadline = deadlines.deadline(of: .job(index)) { return deadline }
    return jobs[index].dueInstant(seed, of: nominal)
  }

  /// Returns the instant at which the job's entry at `nominal` falls due.
  func dueInstant(_ index: Int, of nominal: WallInstant) -> WallInstant {
    jobs[index].dueInstant(seed, of: nominal)
  }

  /// Returns the last entry of the job's schedule with a nominal instant up to `end` that has fallen due at `now`.
  func lastDue(_ index: Int, through end: WallInstant, at now: WallInstant) -> WallInstant? {
    jobs[index].lastDue(seed, through: end, at: now)
  }

  /// Returns the entries of a job's pause that have fallen due at `now`. An entry that is still delayed by jitter is planned,
  /// and needs no catch-up.
  func fallenDue(_ index: Int, in pause: Pause, _ now: WallInstant) -> [MissedRange] {
    lastDue(index, through: lastInstant(through: now), at: now).map {
      jobs[index].undecided(after: pause.origin, through: $0)
    } ?? []
  }

  /// Returns the first undecided entry after `nominal`. `nominal` is an entry itself.
  mutating func undecided(_ index: Int, after nominal: WallInstant) -> WallInstant? {
    undecided(index, from: lookahead?.known(after: nominal, of: index) ?? next(after: nominal, of: index))
  }

  private mutating func next(after nominal: WallInstant, of index: Int) -> WallInstant? {
    let definition = jobs[index].definition
    guard lookahead != nil else { return definition.next(after: nominal) }
    return lookahead?.next(after: nominal, of: index, definition.schedule)
  }

  /// Returns the first entry from `nominal` on that was not decided while the clock was ahead. `nominal` is an entry itself.
  private mutating func undecided(_ index: Int, from nominal: WallInstant?) -> WallInstant? {
    guard jobs[index].watermark.isAhead else { return nominal }
    return jobs[index].watermark.firstUndecided(from: nominal, of: jobs[index].definition)
  }

  /// Whether an instant is before the end of the timeline.
  func isBeforeHorizon(_ instant: WallInstant) -> Bool { horizon.map { instant < $0 } ?? true }

  /// Returns the last instant up to `end` that is before the end of the timeline.
  func lastInstant(through end: WallInstant) -> WallInstant {
    horizon.map { min(end, $0 - .nanoseconds(1)) } ?? end
  }

  /// Instant before which entries of the job count as missed: no daemon ran, or another node owned the job.
  func missedBefore(_ index: Int) -> WallInstant { max(attended.since, jobs[index].ownedSince) }

  /// Last instant whose due entries this daemon decides.
  var attendedThrough: WallInstant { lifecycle.leftAt ?? lastSeen }
}

// Claims.
extension Timetable {
  /// Whether there is a ledger that answers claims and keeps waiting entries.
  var hasLedger: Bool { claims.hasLedger }

  /// Whether the ledger has a row for each entry of the job.
  func isClaimed(_ index: Int) -> Bool { claims.hasLedger && !jobs[index].isCounted }

  /// Adds a claim request for the entry to this event's effects, if the job is claimed.
  mutating func askForClaim(_ index: Int, _ nominal: WallInstant) -> ClaimState {
    guard isClaimed(index) else { return .granted }
    claims.ask(for: jobs.key(index, nominal))
    return .asked
  }

  /// Gives up the claim of the next entry, because the entry is about to leave the timeline.
  mutating func withdrawNext(_ index: Int) {
    guard let nominal = jobs[index].next, isClaimed(index), jobs[index].nextClaim.isHeld else { return }
    claims.withdraw(jobs.key(index, nominal))
  }

  /// Cancels the claim request that this event made for the entry, if any.
  mutating func leaveUnasked(_ index: Int, _ nominal: WallInstant) {
    claims.cancelRequest(for: jobs.key(index, nominal))
  }

  /// Appends the effects that give up claims and request others.
  mutating func flushClaims(_ effects: inout some EffectSink) { claims.flush(&effects) }
}

// Deadlines.
extension Timetable {
  /// The first of all deadlines.
  var firstDeadline: DeadlineQueue.Record? { deadlines.first }

  /// Returns the deadline of an entry or a run; `nil` for none.
  func deadline(of handle: DeadlineHandle) -> WallInstant? { deadlines.deadline(of: handle) }

  /// Returns the approximate number of entries that fall due at the first deadline, at most `limit`.
  func entryCountNext(atMost limit: Int) -> Int { deadlines.countOfFirst(atMost: limit) }

  /// Queues the job's next entry.
  mutating func setDeadline(ofEntry index: Int, _ deadline: WallInstant) {
    deadlines.setEntry(index, at: deadline, tie: jobs[index].tie)
  }

  /// Queues the deadline of a run of the job at `index`. A run has only one deadline.
  mutating func setDeadline(ofRun slot: Int, of index: Int, _ deadline: WallInstant) {
    deadlines.setRun(slot, at: deadline, tie: jobs[index].tie, order: index)
  }

  /// Removes the deadline of an entry or a run from the queue.
  mutating func removeDeadline(of handle: DeadlineHandle) { deadlines.remove(handle) }

  /// The first of all reminders; `nil` for none, and after the engine has stopped all starts.
  var firstReminder: DeadlineQueue.Record? { lifecycle.isRunning ? reminders.first : nil }

  /// Queues the next reminder of the job's incidents, or none.
  mutating func planReminder(_ index: Int) {
    if let reminder = jobs[index].reminder, isBeforeHorizon(reminder) {
      reminders.setEntry(index, at: reminder, tie: jobs[index].tie)
    } else {
      reminders.remove(.job(index))
    }
  }
}
