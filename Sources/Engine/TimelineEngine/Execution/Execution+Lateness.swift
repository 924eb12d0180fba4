import TimelineCore

/// Reactions to entries that should have begun but have not.
extension Execution {
  /// Counts the entries of the job that have become overdue, and plans the next check. Does nothing unless a check is due.
  mutating func checkLateness(_ index: Int, _ now: WallInstant, _ effects: inout some EffectSink) {
    guard jobs[index].takeLateCheck(at: now) else { return }
    // Entries become overdue in their order, so no entry is counted twice, also after a restart.
    let counted = jobs[index].failures.incidents.lastLate(at: now)
    var late: [EntryRecord] = []
    for (nominal, cause) in unbegunEntries(of: index)
    where cause != .reaction && cause.isReported && nominal > counted {
      let instant = timetable.overdueInstant(index, of: nominal)
      guard instant <= now else {
        timetable.planLateCheck(index, at: instant)
        continue
      }
      var record = EntryRecord(
        entry: jobs.key(index, nominal), cause: cause, outcome: .unknown, reason: Reason.late, endedAt: now)
      record.stage = .waiting
      late.append(record)
    }
    late.sort { $0.entry.nominal < $1.entry.nominal }
    outcomes.noteLate(index, late, &effects)
  }

  /// Returns the due entries of the job that wait for their claims, for room, or for a plugin host.
  private func unbegunEntries(of index: Int) -> [(nominal: WallInstant, cause: RunCause)] {
    let waiting = jobs[index].waiting
    let slots = runs.occupied.filter { runs[$0].job == index }
    return (waiting.unclaimed + waiting.buffered).map { ($0.nominal, $0.cause) }
      + unbegun(of: slots).map { (runs[$0].nominal, runs[$0].cause) }
  }

  /// Returns the slots in `slots` whose run has not called its plugin yet.
  func unbegun(of slots: [Int]) -> [Int] {
    slots.filter { runs[$0].waitsForHost && runs[$0].attempts == 1 }
  }
}
