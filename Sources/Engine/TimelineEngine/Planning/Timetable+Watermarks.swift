import TimelineCore

/// Jobs that have decided entries ahead of a clock that was set back.
///
/// Entries that run, wait or are held have been decided, even if no daemon ran when they fell due. They are looked up in `runs`.
extension Timetable {
  /// Marks entries of the job's schedule as decided ahead of the clock: entries for whose instants the ledger has a row after
  /// `now` or after its watermark, and entries that run, wait or are held. The latter may end in a pause, before the job goes
  /// back with the clock.
  ///
  /// Rows of triggers and reactions, and of a former schedule, decide nothing else: they lie between entries that share an
  /// outcome.
  mutating func noteDecidedAhead(
    _ index: Int, _ decided: DecidedEntries, _ runs: RunTable, _ now: WallInstant
  ) {
    noteOwnUnderWay(index, runs, after: now)
    if jobs[index].isClosedLoop { return }
    // The ledger has rows of the triggers and reactions of a counted job alone.
    if jobs[index].isCounted { return noteTakenAhead(index, now) }
    let definition = jobs[index].definition
    if let nominals = decided[definition.name] {
      let ofSchedule = nominals.filter(definition.hasEntry(at:))
      jobs[index].watermark.replaceAhead(of: now, with: ofSchedule, of: definition)
    }
    for nominal in underWay(index, runs, after: now) { jobs[index].watermark.decide(nominal) }
    noteUnknown(index, after: now)
  }

  /// Marks entries of the job's schedule as decided at whose instants the job has entries already: triggers, reactions, and
  /// entries of a former schedule. The schedule may be a new one.
  mutating func noteTakenAhead(_ index: Int, _ now: WallInstant) {
    let nominals = taken.of(jobs[index].definition.name)
    if nominals.isEmpty || jobs[index].isClosedLoop { return }
    let definition = jobs[index].definition
    let ofSchedule = nominals.filter { $0 > now && definition.hasEntry(at: $0) }
    jobs[index].watermark.decide(ofSchedule, of: definition)
  }

  /// Returns the instants at which the job has entries already, ascending; none while the clock is right.
  mutating func taken(_ index: Int, at now: WallInstant) -> [WallInstant] {
    if taken.isEmpty { return [] }
    taken.forget(at: now)
    return taken.of(jobs[index].definition.name)
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
    let definition = jobs[index].definition
    taken.remove(of: name) { $0 > now && definition.hasEntry(at: $0) }
    noteOwnUnderWay(index, runs, after: now)
    // Entries that run, wait or are held stay decided.
    let underWay = underWay(index, runs, after: now)
    jobs[index].watermark.release(at: now)
    for nominal in underWay { jobs[index].watermark.decide(nominal) }
    jobs[index].moves.release(at: now)
    noteMovedAhead(index)
    watermarks.release(name)
    if let pause = jobs[index].pause { jobs[index].movePause(holdingAfter: min(pause.origin, now)) }
    replan(index, since: now, now)
  }

  /// Returns the entries of the job's schedule later than `now` that run, wait or are held. Also returns instants of triggers and
  /// reactions at which the schedule has an entry, because the schedule may be newer than they are.
  private func underWay(_ index: Int, _ runs: RunTable, after now: WallInstant) -> [WallInstant] {
    let definition = jobs[index].definition
    return allUnderWay(index, runs, after: now)
      .filter { $0.cause.isOfSchedule || definition.hasEntry(at: $0.nominal) }.map(\.nominal)
  }

  /// Records the instants later than `now` of the job's triggers and reactions that run or wait. The ledger need not have rows of
  /// them yet.
  private mutating func noteOwnUnderWay(_ index: Int, _ runs: RunTable, after now: WallInstant) {
    let own = allUnderWay(index, runs, after: now).filter { !$0.cause.isOfSchedule }
    taken.insert(own.map(\.nominal), of: jobs[index].definition.name)
  }

  private func allUnderWay(
    _ index: Int, _ runs: RunTable, after now: WallInstant
  ) -> [(nominal: WallInstant, cause: RunCause)] {
    var entries: [(nominal: WallInstant, cause: RunCause)] = []
    if jobs[index].runCount > 0 {
      for slot in runs.occupied where runs[slot].job == index {
        entries.append((runs[slot].nominal, runs[slot].cause))
      }
    }
    if jobs[index].waitingEntries > 0 { entries += jobs[index].waiting.all.map { ($0.nominal, $0.cause) } }
    return entries.filter { $0.nominal > now }
  }
}
