import TimelineCore
import TimelineEngine

/// Graph of runs that wait for entries, and of the runs that these entries wait for. Detects waits that would never end.
struct RunWaits {
  /// The entries whose ends each run waits for.
  var entries: [RunID: Set<EntryKey>] = [:]
  /// The active runs, by their entries.
  var runs: [EntryKey: RunID] = [:]
  /// Runs that an entry without a run waits for: one run of each list has to end.
  var needs: [EntryKey: [[RunID]]] = [:]

  /// Whether a run waits for its own end, directly or through other runs.
  func neverEnds(_ run: RunID) -> Bool {
    // At first all waiting runs count as stuck. Then runs are removed that wait for no stuck entry, until none is left to remove.
    var stuck = Set(entries.keys)
    while true {
      let rest = stuck.filter { entries[$0, default: []].contains { isStuck($0, stuck) } }
      if rest.count == stuck.count { return stuck.contains(run) }
      stuck = rest
    }
  }

  private func isStuck(_ entry: EntryKey, _ stuck: Set<RunID>) -> Bool {
    if let run = runs[entry] { return stuck.contains(run) }
    return needs[entry, default: []].contains { !$0.isEmpty && stuck.isSuperset(of: $0) }
  }

  /// Returns a chain of runs in which each run waits for the next. The chain begins with a run for which `isWanted` returns
  /// `true`, and ends with `run`; `nil` if there is none.
  func chain(to run: RunID, from isWanted: (RunID) -> Bool) -> [RunID]? {
    var chains = [[run]]
    var seen: Set<RunID> = [run]
    while !chains.isEmpty {
      if let chain = chains.first(where: { isWanted($0[0]) }) { return chain }
      chains = chains.flatMap { chain in
        let waiting = entries.keys.sorted().filter { run in
          entries[run, default: []].contains { runs[$0] == chain[0] } && seen.insert(run).inserted
        }
        return waiting.map { [$0] + chain }
      }
    }
    return nil
  }
}
