import TimelineCore

/// Jobs that have decided entries ahead of a clock that was set back.
///
/// Entries that run, wait or are held have been decided, even if no daemon ran when they fell due. They are looked up in `runs`.
extension Timetable {
  /// Marks entries of the job as decided ahead of the clock: entries with an outcome of their own that the ledger has after
  /// `now` or after its watermark, and entries that run, wait or are held. The latter may end in a pause, before the job goes
  /// back with the clock.
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

  /// Marks entries as decided that a lost ledger may have decided. An entry must not run twice, even if it then never runs.
  private mutating func noteUnknown(_ index: Int, after now: WallInstant) {
    guard isClaimed(index), !jobs[index].isClosedLoop,
      watermarks.isUnknown(jobs[index].definition.name, after: now)
    else { return }
    jobs[index].watermark.decide(now + .nanoseconds(1)...watermarks.unknownThrough)
  }

  /// Moves the job's watermark back to `now`, if the job has decided later entries.
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
      // The ledger has no rows of the job, so the time that daemons attended decides.
      jobs[index].watermark.decide(decided)
      for span in attended.spans(after: now, through: decided, last: attendedThrough) {
        jobs[index].watermark.decide(span)
      }
    }
    noteUnknown(index, after: now)
  }

  /// Restores the job's former watermark after the clock has passed it, as far as entries have outcomes. Returns the restored
  /// watermark; `nil` for none.
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

  /// Records that the entry at `nominal` of a job that begins is decided. An entry later than the clock does not decide the
  /// entries before it.
  mutating func noteDecided(_ nominal: WallInstant, of index: Int) {
    if isClaimed(index), nominal > missedBefore(index) {
      jobs[index].watermark.decide(nominal)
    } else {
      jobs[index].watermark.advance(to: nominal)
    }
  }

  /// Records a watermark of the job in the ledger.
  mutating func noteWatermark(_ index: Int, _ decided: WallInstant) {
    let furthest = max(decided, jobs[index].watermark.former)
    watermarks.append(Watermark(job: jobs[index].definition.name, decided: decided, furthest: furthest))
  }

  /// Removes entries that the job decides again, after `start` through `end`, from the records that cover them.
  ///
  /// Entries that keep their outcome from before the clock was set back stay in their records.
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

  /// Discards the decisions of the job ahead of the clock, so that its next entry is the next entry of the schedule. The
  /// ledger must have discarded these decisions before.
  mutating func release(_ name: JobName, _ runs: RunTable, _ now: WallInstant) {
    guard let index = jobs.index(named: name), !jobs[index].isClosedLoop else { return }
    // Entries that run, wait or are held stay decided.
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
