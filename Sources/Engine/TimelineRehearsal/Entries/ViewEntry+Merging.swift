package import TimelineCore

extension ViewEntry {
  /// Returns the entries of a job, ascending: finished, active and future entries.
  ///
  /// - Parameters:
  ///   - reported: The entries that the daemon reports.
  ///   - planned: The simulated entries; `nil` if the job is not simulated.
  ///   - next: The next entry, as the daemon reports it.
  ///   - now: The time of the daemon's clock.
  package static func merged(
    reported: [ViewEntry], planned: [ViewEntry]?, next: WallInstant?, now: WallInstant
  ) -> [ViewEntry] {
    guard let planned else {
      let later = next.flatMap { $0 > (reported.last?.entry ?? .min) ? $0 : nil }
      return reported + (later.map { [ViewEntry($0)] } ?? [])
    }
    // An entry that only the simulation has finished is left out, because the daemon reports finished entries.
    let future = planned.filter { ($0.start ?? $0.entry) > now }
    let known = reported.map { entry in
      guard entry.outcome == nil, entry.start != nil else { return entry }
      var entry = entry
      entry.end = planned.first { $0.entry == entry.entry }?.end ?? entry.end
      return entry
    }
    let last = known.last?.entry ?? .min
    return known + future.filter { $0.entry > last }
  }

  /// Returns the open entry with the cause and the start from an earlier report. A list of runs has neither the cause of a run
  /// nor the start of its first attempt.
  package func completed(by former: ViewEntry) -> ViewEntry {
    var entry = self
    entry.cause = former.cause
    if !entry.isWaiting { entry.start = former.start ?? entry.start }
    return entry
  }
}
