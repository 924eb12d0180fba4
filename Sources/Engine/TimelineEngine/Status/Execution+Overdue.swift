import TimelineCore

/// Answers about entries that should have begun. ``EngineState`` documents each.
extension Execution {
  /// Returns the oldest entry of a job that is overdue; `nil` for none, and while the job is paused.
  func overdueEntry(of index: Int, _ survey: RunSurvey, at now: WallInstant) -> WallInstant? {
    guard jobs[index].pause == nil else { return nil }
    let job = jobs[index]
    var nominals = (job.waiting.unclaimed + job.waiting.buffered).filter(\.cause.isReported).map(\.nominal)
    nominals += unbegun(of: survey.slots[index] ?? []).filter { runs[$0].cause.isReported }
      .map { runs[$0].nominal }
    // Only after an interruption: the entry falls due with the next event.
    if let next = job.next, timetable.planned(index) <= now { nominals.append(next) }
    return nominals.filter { timetable.overdueInstant(index, of: $0) <= now }.min()
  }
}
