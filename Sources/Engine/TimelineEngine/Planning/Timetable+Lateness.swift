import TimelineCore

/// Checks for late entries of jobs with a reaction to late entries. The checks are queued with the reminders. The queue of
/// reminders is empty for every other job.
extension Timetable {
  /// Returns the instant from which on an entry of the job is overdue, unless it has begun.
  func overdueInstant(_ index: Int, of nominal: WallInstant) -> WallInstant {
    OverdueDecision(
      nominal: nominal, due: dueInstant(index, of: nominal),
      following: jobs[index].definition.next(after: nominal)
    ).instant
  }

  /// Whether the entry of a record cannot end an incident of late entries: the entry is not after the last late entry, or it
  /// was overdue when it began.
  func isLate(_ index: Int, _ record: EntryRecord) -> Bool {
    let incidents = jobs[index].failures.incidents
    guard incidents[.late] != nil else { return false }
    let (nominal, start) = (record.entry.nominal, record.startedAt ?? record.endedAt)
    return nominal <= incidents.lastLate(at: record.endedAt) || overdueInstant(index, of: nominal) <= start
  }

  /// Plans a check of the job for the instant at which its waiting entry is overdue. A late reaction causes no reaction, so there
  /// are no loops.
  mutating func watchForLateness(_ index: Int, _ nominal: WallInstant, _ cause: RunCause) {
    guard jobs[index].hasLateListener, cause != .reaction, cause.isReported else { return }
    planLateCheck(index, at: overdueInstant(index, of: nominal))
  }

  /// Plans a check of the job at an instant, unless an earlier one is planned.
  mutating func planLateCheck(_ index: Int, at instant: WallInstant) {
    guard jobs[index].hasLateListener else { return }
    jobs[index].failures.planLateCheck(at: instant)
    planReminder(index)
  }
}
