import TimelineEngine

/// Runs that wait for entries, and what those entries wait for: finds waits that would never end.
struct RunWaits {
  /// The entries whose ends each run waits for.
  var entries: [RunID: Set<EntryKey>] = [:]
  /// The active runs, by their entries.
  var runs: [EntryKey: RunID] = [:]
  /// Runs that an entry without a run waits for: of each list one has to end.
  var needs: [EntryKey: [[RunID]]] = [:]

  /// Whether a run waits for its own end, by way of others.
  func neverEnds(_ run: RunID) -> Bool {
    // All that wait are taken for stuck at first. A run that waits for something that can go on is not.
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

  /// The runs that wait one for the next, up to `run`, from one for which `isWanted` holds; `nil` if there is none.
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
