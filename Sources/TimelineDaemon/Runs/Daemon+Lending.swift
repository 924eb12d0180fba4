import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool

// Runs that wait for the ends of other runs.
extension Daemon {
  /// Refuses a run that would wait for a new run of `job`, if a run of that job waits for it.
  func refuseCycle(of run: RunID, triggering job: JobName) throws(ControlError) {
    guard let chain = runWaits.chain(to: run, from: { runs[$0]?.attempt.entry.job == job }) else { return }
    let names = chain.map(name(of:))
    let middle = names.dropFirst().map { " waits for \($0), which" }.joined()
    throw .waitWithoutEnd(
      job: job.text,
      reason: "\(names.first ?? "")\(middle) would wait for another run of \(job), and nothing was started")
  }

  /// Refuses a run that waits for `entry`, if that can only start once the run has ended.
  func refuseWaitWithoutEnd(of run: RunID, for entry: EntryKey) throws(ControlError) {
    var waits = runWaits
    waits.entries[run, default: []].insert(entry)
    for entry in waits.entries.values.reduce(into: Set(), { $0.formUnion($1) }) where waits.runs[entry] == nil
    {
      waits.needs[entry] = wait(of: entry)?.needs
    }
    guard waits.neverEnds(run), let wait = wait(of: entry) else { return }
    throw .waitWithoutEnd(
      job: entry.job.text,
      reason:
        "it was triggered, and waits \(report(of: wait, of: entry).text); \(name(of: run)) would wait for it")
  }

  /// Passes on to the plugin hosts which runs wait for others.
  func lendPlaces() { hosts.lend(observers.runs) }

  private var runWaits: RunWaits {
    var waits = RunWaits()
    waits.entries = observers.entriesByRun
    for (id, run) in runs { waits.runs[run.attempt.entry] = id }
    return waits
  }

  private func wait(of entry: EntryKey) -> EntryWait? {
    engine.waits(of: entry.job, at: now).first { $0.nominal == entry.nominal }
  }

  private func name(of run: RunID) -> String {
    "run \(run)" + (runs[run].map { " of \($0.attempt.entry.job)" } ?? "")
  }
}

extension EntryWait {
  /// Runs that have to end before it can start: one of each list.
  fileprivate var needs: [[RunID]] {
    switch reason {
    case .groups(let places): places.map(\.holders)
    case .previousRuns(let runs): [runs]
    case .pluginHost, .backOff, .jitter, .pause, .ledger, .store: []
    }
  }
}
