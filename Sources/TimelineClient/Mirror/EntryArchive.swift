package import TimelineControl
package import TimelineCore
package import TimelineRehearsal

/// Entries that a daemon has reported. All entries from ``knownFrom`` to ``knownUntil`` are known. Older histories move
/// ``knownFrom`` back.
package struct EntryArchive: Sendable {
  private var list = EntryList(jobCount: 0)
  /// Instant from which all entries are known; `nil` before the first history.
  package private(set) var knownFrom: WallInstant?
  /// Instant from which later entries were dropped to make room for older entries; `nil` if all entries up to now are known.
  private(set) var knownUntil: WallInstant?
  /// Instant of the oldest entry whose end an event has reported; `nil` for none. Only the history has the usage of
  /// these runs.
  private var toldFrom: WallInstant?
  private var names: [JobName] = []
  private var places: [JobName: Int] = [:]
  /// Whether more entries have the same instant than fit on a page, so that no earlier entry can be read.
  private var isStuck = false
  /// Whether the stretch that is shown ends now or later.
  private var reachesNow = false
  /// Whether the older half was dropped for new entries of a stretch that reaches now: the stretch has more than fit.
  private var hasNoRoom = false

  package init() {}

  /// Returns the entries of a job, ascending.
  package func entries(of job: JobName) -> [ViewEntry] { places[job].map(list.entries) ?? [] }

  /// Whether entries from `instant` on are missing and can be read.
  package func lacks(_ instant: WallInstant) -> Bool {
    !isStuck && !list.isFull && !hasNoRoom && knownFrom.map { instant < $0 } ?? true
  }

  /// The known entries, for a view.
  package var past: ReportedPast {
    ReportedPast(
      entries: list, places: places, knownFrom: knownFrom, knownUntil: knownUntil,
      // The limit of entries does not end the history: a search drops newer entries for older ones.
      hasOlder: !isStuck && (knownFrom ?? .max) > .min)
  }

  /// Moves the archive to the stretch of the past that its only view shows. Drops entries if the archive is full, or does not
  /// reach `stretch`, so that the view can go back without limit.
  package mutating func turn(to stretch: PastStretch, now: WallInstant) {
    reachesNow = !stretch.isSearch && stretch.until >= now
    if !reachesNow { hasNoRoom = false }
    if stretch.isSearch {
      if list.isFull { drop(from: .min) }
      return
    }
    // Reaches beyond `stretch`, so that a view that moves forward again does not need another stretch at once.
    let ahead = stretch.until + (stretch.until - stretch.from)
    let isLater = knownUntil.map { $0 < min(stretch.until, now) } ?? false
    let isEarlier = knownFrom.map { ahead < $0 } ?? false
    if isLater || isEarlier {
      begin(at: ahead < now ? ahead : nil)
    } else if list.isFull, stretch.until < now {
      drop(from: stretch.until)
    }
  }

  /// Drops the finished entries. The next page ends at `instant`, or at the present time if `instant` is `nil`.
  private mutating func begin(at instant: WallInstant?) {
    list.drop(from: .min)
    (knownFrom, knownUntil) = (instant, instant)
    (isStuck, hasNoRoom) = (false, false)
  }

  /// Drops the finished entries from `instant` on.
  private mutating func drop(from instant: WallInstant) {
    list.drop(from: instant)
    knownUntil = min(knownUntil ?? .max, max(instant, knownFrom ?? .max))
  }

  /// Returns the query for the next older page of entries, down to `instant`.
  package func question(downTo instant: WallInstant) -> Control.History {
    Control.History(
      since: instant == .min ? nil : "\(instant)",
      // Other entries at the oldest instant may have been cut off.
      until: knownFrom.map { "\($0 + .nanoseconds(1))" }, limit: ControlLimits.historyMax)
  }

  /// Adds the answer to ``question(downTo:)``.
  package mutating func take(_ history: HistoryReply, downTo instant: WallInstant) {
    let reports = history.entries.compactMap { ReportedEntry($0) }
    for (name, reports) in Dictionary(grouping: reports, by: \.job) {
      guard let job = places[name] else { continue }
      list.add(contentsOf: reports.map(\.entry), of: job)
    }
    let oldest = history.entries.first?.entry.instant
    let reached = history.isCut ? oldest ?? instant : instant
    if history.isCut, let knownFrom, reached >= knownFrom { isStuck = true }
    knownFrom = min(knownFrom ?? .max, reached)
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
    if list.isFull, let knownUntil { list.drop(from: knownUntil) }
    if list.isFull {
      knownFrom = max(knownFrom ?? .min, list.dropOlderHalf() ?? .min)
      hasNoRoom = reachesNow
    }
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
    if isNew {
      knownFrom = knownUntil
      (isStuck, hasNoRoom) = (false, false)
    }
  }
}
