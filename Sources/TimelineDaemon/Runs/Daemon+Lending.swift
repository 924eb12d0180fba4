import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool

// Runs that wait for the ends of other runs.
extension Daemon {
  /// Runs a job now, under its overlap policy; must not be called from within an effect.
  func trigger(_ job: JobName) throws(ControlError) -> Triggered {
    if let outcome = events.trigger(job) { return outcome }
    // The node has lost the job with this very event.
    throw cluster.map { .jobElsewhere(job: job.text, node: $0.owner(of: job) ?? "") } ?? .shuttingDown
  }

  /// Prevents a cycle in which `run` waits for a new run of `job`: throws an error if `run` belongs to `job`, or if a run of
  /// `job` waits for `run`, directly or through other runs.
  func refuseCycle(of run: RunID, triggering job: JobName) throws(ControlError) {
    guard let chain = runs.waits.chain(to: run, from: { runs[$0]?.attempt.entry.job == job }) else { return }
    let names = chain.map(runs.name)
    let middle = names.dropFirst().map { " waits for \($0), which" }.joined()
    throw .waitWithoutEnd(
      job: job.text,
      reason: "\(names.first ?? "")\(middle) would wait for another run of \(job), and nothing was started")
  }

  /// Throws an error if `run` would wait for `entry` without an end, because the entry can only start after `run` has ended.
  func refuseWaitWithoutEnd(of run: RunID, for entry: EntryKey) throws(ControlError) {
    var waits = runs.waits
    waits.entries[run, default: []].insert(entry)
    for entry in waits.entries.values.reduce(into: Set(), { $0.formUnion($1) }) where waits.runs[entry] == nil
    {
      waits.needs[entry] = self.wait(of: entry)?.needs
    }
    guard waits.neverEnds(run), let wait = wait(of: entry) else { return }
    throw .waitWithoutEnd(
      job: entry.job.text,
      reason:
        "it was triggered, and waits \(events.waits.report(of: wait, of: entry).text); \(runs.name(of: run)) would wait for it"
    )
  }

  private func wait(of entry: EntryKey) -> EntryWait? {
    engine.waits(of: entry.job, at: now).first { $0.nominal == entry.nominal }
  }
}

extension EntryWait {
  /// Runs that have to end before the entry can start: one run of each list.
  fileprivate var needs: [[RunID]] {
    switch reason {
    case .groups(let places): places.map(\.holders)
    case .previousRuns(let runs): [runs]
    case .pluginHost, .backOff, .jitter, .pause, .ledger, .store: []
    }
  }
}
