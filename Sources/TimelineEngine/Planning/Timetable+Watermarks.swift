import TimelineCore

/// Jobs that have decided entries ahead of a clock that was set back.
///
/// Entries that run, wait or are held have been decided, although nobody may have been there as they fell due; `runs` are asked for them.
extension Timetable {
  /// Keeps the entries of the job that have an outcome of their own, all those that the ledger has after `now` or after its watermark, and
  /// those that are under way: they may end in a pause, before the job goes back with the clock.
  mutating func noteDecidedAhead(
    _ index: Int, _ decided: DecidedEntries, _ runs: RunTable, _ now: WallInstant
  ) {
    guard !jobs[index].isCounted, !jobs[index].isClosedLoop else { return }
    if let nominals = decided[jobs[index].definition.name] {
      jobs[index].watermark.replaceAhead(of: now, with: nominals, of: jobs[index].definition)
    }
    for nominal in underWay(index, runs, after: now) { jobs[index].watermark.decide(nominal) }
    noteUnknown(index, after: now)
  }

  /// Takes entries for decided that a lost ledger may know: an entry is not run twice, although it may be run never.
  private mutating func noteUnknown(_ index: Int, after now: WallInstant) {
    guard isClaimed(index), !jobs[index].isClosedLoop,
      watermarks.isUnknown(jobs[index].definition.name, after: now)
    else { return }
    jobs[index].watermark.decide(now + .nanoseconds(1)...watermarks.unknownThrough)
  }

  /// Lets the job go on at `now` if it has decided entries ahead of that.
  mutating func goBackWithClock(_ index: Int, _ runs: RunTable, _ now: WallInstant) {
    guard let decided = jobs[index].watermark.decided, decided > now, jobs[index].pause == nil,
      !jobs[index].isClosedLoop, !jobs[index].isRetired
    else { return }
    let underWay = underWay(index, runs, after: now)
    jobs[index].watermark.goBack(to: now)
    for nominal in underWay { jobs[index].watermark.decide(nominal) }
    if isClaimed(index) {
      noteWatermark(index, now)
    } else {
      // The ledger has no rows of it, and the time that daemons attended has to do.
      jobs[index].watermark.decide(decided)
      for span in attended.spans(after: now, through: decided, last: attendedThrough) {
        jobs[index].watermark.decide(span)
      }
    }
    noteUnknown(index, after: now)
  }

  /// Restores the job's former watermark when the clock has passed it, as far as entries have outcomes, and returns it; `nil` when there is
  /// none to restore.
  ///
  /// Entries in between that the clock did not show again keep their outcomes.
  mutating func restoreFormerWatermark(_ index: Int, _ now: WallInstant) -> WallInstant? {
    guard jobs[index].pause == nil, !jobs[index].isRetired else { return nil }
    let (former, definition) = (jobs[index].watermark.former, jobs[index].definition)
    guard let through = jobs[index].watermark.returnToFormer(at: now, of: definition) else { return nil }
    jobs[index].omissions.advance(to: former)
    if isClaimed(index) { noteWatermark(index, through) }
    return through
  }

  /// Takes in that the entry at `nominal` of a job that begins is decided; one that is later than the clock does not decide those before.
  mutating func noteDecided(_ nominal: WallInstant, of index: Int) {
    if isClaimed(index), nominal > missedBefore(index) {
      jobs[index].watermark.decide(nominal)
    } else {
      jobs[index].watermark.advance(to: nominal)
    }
  }

  /// Has the ledger know a watermark of the job.
  mutating func noteWatermark(_ index: Int, _ decided: WallInstant) {
    let furthest = max(decided, jobs[index].watermark.former)
    watermarks.append(Watermark(job: jobs[index].definition.name, decided: decided, furthest: furthest))
  }

  /// Takes entries that the job decides anew, after `start` through `end`, out of the records that stand for them.
  ///
  /// Entries that keep the outcome that they had before the clock was set back stay in theirs.
  mutating func decideAnew(
    _ index: Int, after start: WallInstant, through end: WallInstant, _ effects: inout some EffectSink
  ) {
    let spans = jobs[index].watermark.decideAnew(after: start, through: end)
    guard !spans.isEmpty, isClaimed(index) else { return }
    let definition = jobs[index].definition
    effects.append(
      .cutRanges(
        spans.map { span in
          RangeCut(
            job: definition.name, after: span.after, through: span.through, schedule: definition.schedule)
        }))
  }

  /// Forgets what the job has decided ahead of the clock, so that its next entry is the schedule's; must be known to the ledger before.
  mutating func release(_ name: JobName, _ runs: RunTable, _ now: WallInstant) {
    guard let index = jobs.index(named: name), !jobs[index].isClosedLoop else { return }
    // What is under way is decided all the same.
    let underWay = underWay(index, runs, after: now)
    jobs[index].watermark.release(at: now)
    for nominal in underWay { jobs[index].watermark.decide(nominal) }
    watermarks.release(name)
    if let pause = jobs[index].pause { jobs[index].movePause(holdingAfter: min(pause.origin, now)) }
    replan(index, since: now, now)
  }

  /// Returns the entries of the job's schedule later than `now` that run, wait or are held.
  private func underWay(_ index: Int, _ runs: RunTable, after now: WallInstant) -> [WallInstant] {
    var nominals: [WallInstant] = []
    if jobs[index].runCount > 0 {
      for slot in runs.occupied where runs[slot].job == index && runs[slot].cause.isOfSchedule {
        nominals.append(runs[slot].nominal)
      }
    }
    nominals += jobs[index].waiting.all.filter(\.cause.isOfSchedule).map(\.nominal)
    return nominals.filter { $0 > now }
  }
}
