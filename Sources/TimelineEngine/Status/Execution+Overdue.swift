import TimelineCore

/// Answers about entries that should have begun; ``EngineState`` documents each.
extension Execution {
  /// Returns the oldest entry of a job that is overdue; `nil` for none, and while the job is paused.
  func overdueEntry(of index: Int, _ survey: RunSurvey, at now: WallInstant) -> WallInstant? {
    guard jobs[index].pause == nil else { return nil }
    let job = jobs[index]
    var nominals = (job.waiting.unclaimed + job.waiting.buffered).map(\.nominal)
    nominals += (survey.slots[index] ?? []).filter { runs[$0].waitsForHost && runs[$0].attempts == 1 }.map {
      runs[$0].nominal
    }
    // Only after an interruption: the entry falls due with the next event.
    if let next = job.next, timetable.planned(index) <= now { nominals.append(next) }
    return nominals.filter { isOverdue($0, of: index, at: now) }.min()
  }

  private func isOverdue(_ nominal: WallInstant, of index: Int, at now: WallInstant) -> Bool {
    OverdueDecision(
      nominal: nominal, due: timetable.dueInstant(index, of: nominal),
      following: jobs[index].definition.next(after: nominal), at: now
    ).isOverdue
  }
}
