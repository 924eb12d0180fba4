import TimelineCore

/// Closed loops that fall due while their groups are full: all that happens then is that an entry joins a queue.
///
/// The shell is not woken for that. It is done before the next event is taken in, as of when the entry fell due, so that nothing
/// comes out otherwise; and a little later if nothing happens, so that a status tells who waits. Short runs that follow one another
/// through a group cost a wake-up less each.
extension Dispatch {
  /// Returns the instant at which the shell is to wake: the first reminder or deadline, or a later one when entries only join a queue
  /// until then.
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
    // To wake once in vain costs less than to arm for each.
    return plan.armed(after: now, through: latest) ?? latest
  }

  /// Enqueues what has fallen due since the last event and only joins a queue, before the event of `now` is taken in.
  mutating func enqueueClosedLoops(before now: WallInstant, _ effects: inout some EffectSink) {
    if execution.groupGate.isEmpty { return }
    while let head = timetable.firstDeadline, head.deadline < now, onlyEnqueues(head.handle) {
      entryFellDue(head.handle.index, head.deadline, &effects)
    }
  }

  /// Whether all that happens when this falls due is that an entry joins the queues of its groups.
  private func onlyEnqueues(_ handle: DeadlineHandle) -> Bool {
    let index = handle.index
    guard !handle.isRun, lifecycle.isRunning, jobs[index].isClosedLoop, jobs[index].next != nil,
      execution.groupGate.isMember(index)
    else { return false }
    return !timetable.isClaimed(index) && jobs[index].hasRoom && jobs[index].waitingEntries == 0
      && !jobs[index].hasMissedWindow && timetable.planned(index) >= timetable.missedBefore(index)
      && !execution.groupGate.hasRoom(for: index)
  }

  /// Whether at ``nextDeadline``, and up to `instant`, entries only join a queue, so that the shell may wake later; O(jobs and runs).
  func onlyEnqueues(through instant: WallInstant) -> Bool {
    let handles = jobs.configured.map(DeadlineHandle.job) + execution.runs.occupied.map(DeadlineHandle.run)
    return handles.allSatisfy { handle in
      timetable.deadline(of: handle).map { $0 > instant } ?? true || onlyEnqueues(handle)
    }
  }
}
