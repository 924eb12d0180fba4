package import TimelineCore

extension EngineState {
  /// The nominal instants of a job's due entries that wait for room, for the ledger to answer or for the end of a pause, ascending;
  /// those that fell due in a pause are not among them.
  package func waitingEntries(of job: JobName) -> [WallInstant] {
    guard let index = index(named: job) else { return [] }
    return (jobs[index].unclaimed + jobs[index].buffered + jobs[index].held).map(\.nominal).sorted()
  }

  /// Whether this is an entry of no schedule, such as a manual trigger, that waits for the ledger to answer.
  package func isAskingForItsOwn(_ entry: EntryKey) -> Bool {
    guard let index = index(of: entry) else { return false }
    return jobs[index].unclaimed.contains { $0.nominal == entry.nominal && !$0.cause.isOfSchedule }
  }

  /// How many entries wait; O(jobs of which one has).
  package var waitingEntryCount: Int { everWaited.reduce(0) { $0 + jobs[Int($1)].waitingEntries } }

  /// How many runs are between two attempts; O(runs).
  package var backingOffCount: Int { runs.occupied.count { runs[$0].phase == .pausing } }
}
