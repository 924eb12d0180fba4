package import TimelineCore

extension EngineState {
  /// The nominal instants of a job's due entries that wait for room, for the ledger to answer or for the end of a pause, ascending;
  /// those that fell due in a pause are not among them.
  package func waitingEntries(of job: JobName) -> [WallInstant] {
    guard let index = index(named: job) else { return [] }
    return (jobs[index].unclaimed + jobs[index].buffered + jobs[index].held).map(\.nominal).sorted()
  }
}
