import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal

/// Entries that a daemon has reported. All entries from ``knownFrom`` on are known. Older histories move
/// ``knownFrom`` back.
struct EntryArchive {
  private(set) var book = EntryList(jobCount: 0)
  /// Instant from which all entries are known; `nil` before the first history.
  private(set) var knownFrom: WallInstant?
  /// Instant of the oldest entry whose end an event has reported; `nil` for none. Only the history has the usage of
  /// these runs.
  private var toldFrom: WallInstant?
  private var names: [JobName] = []
  private var places: [JobName: Int] = [:]
  /// Whether one instant has more entries than a page, so that no earlier entry can be read.
  private var isStuck = false

  /// The entries of a job, ascending.
  func entries(of job: JobName) -> [ViewEntry] { places[job].map(book.entries) ?? [] }

  /// Whether entries from `instant` on are missing and can be read.
  func lacks(_ instant: WallInstant) -> Bool {
    !isStuck && !book.isFull && knownFrom.map { instant < $0 } ?? true
  }

  /// The query for the next older page of entries, down to `instant`.
  func question(downTo instant: WallInstant) -> HistoryParameters {
    HistoryParameters(
      since: "\(instant)",
      // Other entries at the oldest instant may have been cut off.
      until: knownFrom.map { "\($0 + .nanoseconds(1))" }, limit: ControlLimits.historyMax)
  }

  /// Adds the answer to ``question(downTo:)``.
  mutating func take(_ history: HistoryReply, downTo instant: WallInstant) {
    let reports = history.entries.compactMap { ReportedEntry($0) }
    for (name, reports) in Dictionary(grouping: reports, by: \.job) {
      guard let job = places[name] else { continue }
      book.add(contentsOf: reports.map(\.entry), of: job)
    }
    let oldest = history.entries.first?.entry.instant
    let reached = history.isCut ? oldest ?? instant : instant
    if history.isCut, let knownFrom, reached >= knownFrom { isStuck = true }
    knownFrom = min(knownFrom ?? .max, reached)
  }

  /// The query for the entries whose ends were reported by events; `nil` for none.
  var questionOfEnds: HistoryParameters? {
    toldFrom.map { HistoryParameters(since: "\($0)", limit: ControlLimits.historyMax) }
  }

  /// Adds the answer to ``questionOfEnds``.
  mutating func takeEnds(_ history: HistoryReply) {
    toldFrom = nil
    for report in history.entries.compactMap({ ReportedEntry($0) }) { add(report) }
  }

  /// Adds an entry that an event reports.
  mutating func take(_ report: ReportedEntry) {
    if report.entry.outcome != nil { toldFrom = min(toldFrom ?? .max, report.entry.entry) }
    add(report)
  }

  /// Adds an entry that the daemon reports. A report without an outcome does not replace an entry with one.
  private mutating func add(_ report: ReportedEntry) {
    guard let job = places[report.job] else { return }
    if report.entry.outcome == nil,
      book.entries(of: job).last(where: { $0.entry == report.entry.entry })?.outcome != nil
    {
      return
    }
    if book.isFull {
      book.dropOlderHalf()
      knownFrom = max(knownFrom ?? .min, book.keptFrom ?? .min)
    }
    book.add(report.entry, of: job)
  }

  /// Records the current jobs of the daemon. Entries that are no longer open are dropped until their ends are
  /// reported.
  mutating func take(_ jobs: [JobReport]) {
    rearrange(to: jobs.compactMap { JobName($0.name) })
    let former = book.dropOpen()
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
    let known = book.entries(of: job).last { $0.entry == report.entry.entry }
    if known?.outcome == nil { add(report) }
  }

  /// Keeps the entries of jobs that still exist.
  private mutating func rearrange(to names: [JobName]) {
    guard names != self.names else { return }
    var book = EntryList(jobCount: names.count)
    var isNew = false
    for (job, name) in names.enumerated() {
      guard let place = places[name] else {
        isNew = true
        continue
      }
      for entry in self.book.entries(of: place) { book.add(entry, of: job) }
    }
    self.book = book
    self.names = names
    places = Dictionary(names.indices.map { (names[$0], $0) }, uniquingKeysWith: { $1 })
    // The job may have been removed and added again, and then has a history.
    if isNew { knownFrom = nil }
  }
}
