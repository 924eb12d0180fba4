import TimelineCore

/// Omissions: instants that a rule names and leaves out. Each is settled once, after its instant has come.
///
/// Jobs whose rules leave nothing out do not come here. For any other job, the deadline in the queue is that of its next entry or the end
/// of the next omission, whichever comes first.
extension EngineState {
  /// Queues the job at the next thing that its rule leaves out, if that comes before its next entry.
  mutating func planOmission(_ index: Int, before next: WallInstant) {
    let origin = jobs[index].omissions.origin
    let end = min(min(next, until.map { $0 - .nanoseconds(1) } ?? next), origin + EngineLimits.omissionsSpan)
    let row =
      origin < end ? jobs[index].definition.schedule.omissions(after: origin, through: end).first : nil
    let due = min(planned(index), row?.last ?? .max)
    guard due < .max else { return deadlines.remove(.job(index)) }
    deadlines.setEntry(index, at: due, tie: jobs[index].tie)
  }

  /// Settles each thing that the job's rule left out up to `end`, once.
  mutating func settleOmissions(
    _ index: Int, through end: WallInstant, _ now: WallInstant, _ effects: inout some EffectSink
  ) {
    let end = until.map { min(end, $0 - .nanoseconds(1)) } ?? end
    let origin = max(jobs[index].omissions.origin, end - EngineLimits.omissionsSpan)
    guard origin < end else { return }
    jobs[index].omissions.settle(through: end)
    for row in jobs[index].definition.schedule.omissions(after: origin, through: end) {
      assert(row.first > origin && row.last <= end && !row.outcome.ran)
      settle(
        index, row.last, row.outcome, row.reason, count: row.count, since: row.first, now, &effects)
    }
  }
}
