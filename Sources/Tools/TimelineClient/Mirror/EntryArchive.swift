package import TimelineControl
package import TimelineCore
package import TimelineRehearsal

/// Entries that a daemon has reported. Older histories extend the known stretch.
package struct EntryArchive: Sendable {
  private var list = EntryList(jobCount: 0)
  private var known = KnownStretch()
  /// Instant of the oldest entry whose end an event has reported; `nil` for none. Only the history has the usage of
  /// these runs.
  private var toldFrom: WallInstant?
  private var names: [JobName] = []
  private var places: [JobName: Int] = [:]

  package init() {}

  /// Returns the entries of a job, ascending.
  package func entries(of job: JobName) -> [ViewEntry] { places[job].map(list.entries) ?? [] }

  /// Instant from which all entries are known; `nil` before the first history.
  package var knownFrom: WallInstant? { known.from }

  /// Whether entries from `instant` on are missing and can be read.
  package func lacks(_ instant: WallInstant) -> Bool { !list.isFull && known.lacks(instant) }

  /// The known entries, for a view.
  package var past: ReportedPast { ReportedPast(entries: list, places: places, known: known) }

  /// Moves the archive to the stretch of the past that its only view shows. Drops entries if the archive is full, or does not
  /// reach `stretch`.
  package mutating func turn(to stretch: PastStretch, now: WallInstant) {
    if let instant = known.turn(to: stretch, now: now, isFull: list.isFull) { list.drop(from: instant) }
  }

  /// Returns the query for the next older page of entries, down to `instant`.
  package func question(downTo instant: WallInstant) -> Control.History {
    Control.History(
      since: instant == .min ? nil : "\(instant)",
      // Other entries at the oldest instant may have been cut off.
      until: known.from.map { "\($0 + .nanoseconds(1))" }, limit: ControlLimits.historyMax)
  }

  /// Adds the answer to ``question(downTo:)``.
  package mutating func take(_ history: HistoryReply, downTo instant: WallInstant) {
    let reports = history.entries.compactMap { ReportedEntry($0) }
    for (name, reports) in Dictionary(grouping: reports, by: \.job) {
      guard let job = places[name] else { continue }
      list.add(contentsOf: reports.map(\.entry), of: job)
    }
    let oldest = history.entries.first?.entry.instant
    known.add(downTo: history.isCut ? oldest ?? instant : instant, isCut: history.isCut)
  }

  /// The query for the entries whose ends were reported by events; `nil` for none.
  package var questionOfEnds: Control.History? {
    toldFrom.map { Control.History(since: "\($0)", limit: ControlLimits.historyMax) }
  }

  /// Adds the answer to ``questionOfEnds``.
  package mutating func takeEnds(_ history: HistoryReply) {
    toldFrom = nil
    for report in history.entries.compactMap({ ReportedEntry($0) }) { add(report) }
  }

  /// Adds an entry that an event reports.
  package mutating func take(_ report: ReportedEntry) {
    if report.entry.outcome != nil { toldFrom = min(toldFrom ?? .max, report.entry.entry) }
    add(report)
  }

  /// Adds an entry that the daemon reports. A report without an outcome does not replace an entry with one.
  private mutating func add(_ report: ReportedEntry) {
    guard let job = places[report.job] else { return }
    if report.entry.outcome == nil,
      list.entries(of: job).last(where: { $0.entry == report.entry.entry })?.outcome != nil
    {
      return
    }
    if list.isFull, let until = known.until { list.drop(from: until) }
    if list.isFull { known.drop(before: list.dropOlderHalf() ?? .min) }
    list.add(report.entry, of: job)
  }

  /// Records the current jobs of the daemon. Entries that are no longer open are dropped until their ends are
  /// reported.
  package mutating func take(_ jobs: [JobReport]) {
    rearrange(to: jobs.compactMap { JobName($0.name) })
    let former = list.dropOpen()
    for report in jobs.flatMap(ReportedEntry.open) {
      var report = report
      if let run = report.entry.run, let known = former[run] {
        report.entry = report.entry.completed(by: known)
      }
      add(report)
    }
    for job in jobs { if let end = job.last, let report = ReportedEntry(end) { takeIfUnknown(report) } }
  }

  /// Adds the last end of a job, unless a history or an event has already reported it in more detail.
  private mutating func takeIfUnknown(_ report: ReportedEntry) {
    guard let job = places[report.job] else { return }
    let known = list.entries(of: job).last { $0.entry == report.entry.entry }
    if known?.outcome == nil { add(report) }
  }

  /// Keeps the entries of jobs that still exist.
  private mutating func rearrange(to names: [JobName]) {
    guard names != self.names else { return }
    var list = EntryList(jobCount: names.count)
    var isNew = false
    for (job, name) in names.enumerated() {
      guard let place = places[name] else {
        isNew = true
        continue
      }
      for entry in self.list.entries(of: place) { list.add(entry, of: job) }
    }
    self.list = list
    self.names = names
    places = Dictionary(names.indices.map { (names[$0], $0) }, uniquingKeysWith: { $1 })
    // The job may have been removed and added again; then it has a history.
    if isNew { known.beginAgain() }
  }
}
