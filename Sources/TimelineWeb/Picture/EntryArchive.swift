import TimelineClient
import TimelineControl
import TimelineCore
import TimelineRehearsal

/// Entries of a daemon as far as it has told: all from an instant on, which moves back as histories are read.
struct EntryArchive {
  /// The entries.
  private(set) var book = EntryBook(jobCount: 0)
  /// Instant from which all entries are known; `nil` before the first history.
  private(set) var knownFrom: WallInstant?
  /// The oldest of the entries whose ends events have told of: what their runs have used is in the history alone.
  private var toldFrom: WallInstant?
  private var names: [JobName] = []
  private var places: [JobName: Int] = [:]
  /// Whether a history of one instant is longer than a page, so that nothing before it can be read.
  private var isStuck = false

  /// The entries of a job, ascending.
  func entries(of job: JobName) -> [ViewEntry] { places[job].map(book.entries) ?? [] }

  /// Whether entries before `instant` can be read and are not.
  func lacks(_ instant: WallInstant) -> Bool {
    !isStuck && !book.isFull && knownFrom.map { instant < $0 } ?? true
  }

  /// The question for the next older page of entries, down to `instant`.
  func question(downTo instant: WallInstant) -> HistoryParameters {
    HistoryParameters(
      since: "\(instant)",
      // Others of the oldest instant may have been cut off.
      until: knownFrom.map { "\($0 + .nanoseconds(1))" }, limit: ControlLimits.historyMax)
  }

  /// Takes in the answer to a question.
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

  /// The question for the entries whose ends events have told of; `nil` for none.
  var questionOfEnds: HistoryParameters? {
    toldFrom.map { HistoryParameters(since: "\($0)", limit: ControlLimits.historyMax) }
  }

  /// Takes in the answer to that question.
  mutating func takeEnds(_ history: HistoryReply) {
    toldFrom = nil
    for report in history.entries.compactMap({ ReportedEntry($0) }) { add(report) }
  }

  /// Takes in an entry of which an event tells.
  mutating func take(_ report: ReportedEntry) {
    if report.entry.outcome != nil { toldFrom = min(toldFrom ?? .max, report.entry.entry) }
    add(report)
  }

  /// Takes in an entry that the daemon reports. One that has an outcome keeps it.
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

  /// Takes in how the daemon's jobs stand now: entries that were open and are not any more are forgotten until their ends are reported.
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

  /// Takes in the last end of a job, of which a history or an event may have told more.
  private mutating func takeIfUnknown(_ report: ReportedEntry) {
    guard let job = places[report.job] else { return }
    let known = book.entries(of: job).last { $0.entry == report.entry.entry }
    if known?.outcome == nil { add(report) }
  }

  /// Keeps what is known of jobs that are still there.
  private mutating func rearrange(to names: [JobName]) {
    guard names != self.names else { return }
    var book = EntryBook(jobCount: names.count)
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
    // A job that came back has a history.
    if isNew { knownFrom = nil }
  }
}
