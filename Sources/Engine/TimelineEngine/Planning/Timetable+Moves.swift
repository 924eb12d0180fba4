import TimelineCore

// Entries that have run where they had moved.
extension Timetable {
  /// Marks entries of the job's schedule as decided that stand only for instants from which entries have moved and run. The schedule
  /// may be a new one: a holiday that was removed makes no second run.
  mutating func noteMovedAhead(_ index: Int) {
    if jobs[index].moves.isEmpty || jobs[index].isClosedLoop { return }
    let definition = jobs[index].definition
    let nominals = definition.schedule.entries(
      after: jobs[index].watermark.instant, standingFor: jobs[index].moves.instants)
    jobs[index].moves.decide(nominals)
    jobs[index].watermark.decide(nominals, of: definition)
  }
}
