package import TimelineCore

extension ViewEntry {
  /// The entries of a job, ascending: those that are over, active, and to come.
  ///
  /// - Parameters:
  ///   - reported: The entries that the daemon reports.
  ///   - planned: The simulated entries; `nil` where nothing simulates the job.
  ///   - next: The next entry, as the daemon reports it.
  ///   - now: The time of the daemon's clock.
  package static func merged(
    reported: [ViewEntry], planned: [ViewEntry]?, next: WallInstant?, now: WallInstant
  ) -> [ViewEntry] {
    guard let planned else {
      let later = next.flatMap { $0 > (reported.last?.entry ?? .min) ? $0 : nil }
      return reported + (later.map { [ViewEntry($0)] } ?? [])
    }
    // What a simulation expected to be over is over only if the daemon says so.
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

  /// The open entry with what an earlier report said of its run: a list of runs has neither their causes nor the starts of their first
  /// attempts.
  package func completed(by former: ViewEntry) -> ViewEntry {
    var entry = self
    entry.cause = former.cause
    if !entry.isWaiting { entry.start = former.start ?? entry.start }
    return entry
  }
}
