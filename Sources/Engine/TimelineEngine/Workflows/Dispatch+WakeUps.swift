import TimelineCore

/// Closed loops that fall due while their groups are full. Their entries then only join a queue.
///
/// The shell is not woken for this. The entry joins the queue before the next event is handled, as of the instant at which it
/// fell due, so the decisions stay the same. If no event comes, the entry joins the queue a little later, so that a status
/// shows the waiting job. This saves a wake-up for each of the short runs that follow one another through a group.
extension Dispatch {
  /// Returns the instant at which the shell must wake: the first reminder or deadline. If entries only join a queue, returns
  /// a later instant.
  mutating func instantToWake(_ plan: WakePlan, _ now: WallInstant) -> WallInstant? {
    let due = instantOfDueWork(plan, now)
    guard let reminder = timetable.firstReminder?.deadline else { return due }
    return min(reminder, due ?? .max)
  }

  private mutating func instantOfDueWork(_ plan: WakePlan, _ now: WallInstant) -> WallInstant? {
    guard let head = timetable.firstDeadline else { return nil }
    guard !execution.groupGate.isEmpty, onlyEnqueues(head.handle) else { return head.deadline }
    return instantToWake(after: head.deadline, plan, now)
  }

  private mutating func instantToWake(after first: WallInstant, _ plan: WakePlan, _ now: WallInstant)
    -> WallInstant
  {
    let latest = first + EngineLimits.enqueueDelayMax
    var passedOver: [DeadlineQueue.Record] = []
    while let record = timetable.firstDeadline, record.deadline <= latest,
      passedOver.count < EngineLimits.enqueuedAtOnceMax,
      onlyEnqueues(record.handle)
    {
      passedOver.append(record)
      timetable.removeDeadline(of: record.handle)
    }
    let isAnythingElse = timetable.firstDeadline.map { $0.deadline <= latest } ?? false
    for record in passedOver {
      timetable.setDeadline(ofEntry: record.handle.index, record.deadline)
    }
    if isAnythingElse { return first }
    // One unnecessary wake-up costs less than arming a wake-up for each entry.
    return plan.armed(after: now, through: latest) ?? latest
  }

  /// Enqueues the entries that have fallen due since the last event and only join a queue. Called before the event at `now` is
  /// handled.
  mutating func enqueueClosedLoops(before now: WallInstant, _ effects: inout some EffectSink) {
    if execution.groupGate.isEmpty { return }
    while let head = timetable.firstDeadline, head.deadline < now, onlyEnqueues(head.handle) {
      entryFellDue(head.handle.index, head.deadline, &effects)
    }
  }

  /// Whether an entry only joins the queues of its groups when the deadline of `handle` comes.
  private func onlyEnqueues(_ handle: DeadlineHandle) -> Bool {
    let index = handle.index
    guard !handle.isRun, lifecycle.isRunning, jobs[index].isClosedLoop, jobs[index].next != nil,
      execution.groupGate.isMember(index)
    else { return false }
    return !timetable.isClaimed(index) && jobs[index].hasRoom && jobs[index].waitingEntries == 0
      && !jobs[index].hasMissedWindow && timetable.planned(index) >= timetable.missedBefore(index)
      && !execution.groupGate.hasRoom(for: index)
  }

  /// Whether entries only join a queue at ``nextDeadline`` and up to `instant`. The shell may then wake later. O(jobs and
  /// runs).
  func onlyEnqueues(through instant: WallInstant) -> Bool {
    let handles = jobs.configured.map(DeadlineHandle.job) + execution.runs.occupied.map(DeadlineHandle.run)
    return handles.allSatisfy { handle in
      timetable.deadline(of: handle).map { $0 > instant } ?? true || onlyEnqueues(handle)
    }
  }
}
