import TimelineCore
package import TimelineRehearsal

// Entries that a daemon and the other nodes of its cluster have reported.
extension TerminalView {
  /// A line of the chart: the own entries of a job, or those of another node.
  struct ChartLine {
    /// Position of the job in ``shownJobs``.
    var row: Int
    /// Index of the job.
    var job: Int
    /// `nil` for the daemon's own entries.
    var lane: ReportedPast.Lane?
  }

  /// The stretch of the past that the view needs.
  package var neededPast: PastStretch {
    var stretch = PastStretch(from: window.from, until: window.until)
    if case .earlierEntry = destination { stretch.isSearch = true }
    return stretch
  }

  /// The fault of the cluster's store, the lost nodes, or how far back other nodes are known if the window begins earlier; `nil`
  /// for none of these.
  package var clusterNote: String? {
    if let fault = past.storeFault { return "other nodes are not shown as they are now: \(fault)" }
    if !past.lostNodes.isEmpty { return "lost nodes: \(past.lostNodes.joined(separator: ", "))" }
    guard let from = past.nodesKnown?.from, window.from < min(from, now) else { return nil }
    return "entries of other nodes: read back to \(from.wholeSeconds.text(in: zone))"
  }

  /// Whether nothing is known of the daemon's finished entries at a past instant.
  func isUnknown(_ instant: WallInstant) -> Bool {
    guard !isRehearsal, instant < now else { return false }
    return past.known.isUnknown(instant)
  }

  /// Whether nothing is known of the finished entries of other nodes at a past instant.
  func isUnknownOfNodes(_ instant: WallInstant) -> Bool {
    guard !isRehearsal, instant < now, let known = past.nodesKnown else { return false }
    return known.isUnknown(instant)
  }

  /// Numbers of the active and of the waiting runs of a job.
  func runs(of job: Int) -> (active: [UInt64], waiting: [UInt64]) {
    let open = past.entries(of: jobs[job].name).filter { $0.outcome == nil }
    return (open.filter { !$0.isWaiting }.compactMap(\.run), open.filter(\.isWaiting).compactMap(\.run))
  }

  /// The entries of a job and of its lanes, in the order in which keys select them.
  func selectableEntries(of job: Int) -> [ViewEntry] {
    let own = entries(of: job)
    guard !isRehearsal, let lanes = past.lanes[jobs[job].name], !lanes.isEmpty else { return own }
    return (own + lanes.flatMap(\.entries)).sorted { Self.place($0) < Self.place($1) }
  }

  /// The order of entries: by instant, at one instant the daemon's own first.
  static func place(_ entry: ViewEntry) -> (WallInstant, String) { (entry.entry, entry.node ?? "") }

  /// Name of a node that is later than all others in the order of entries.
  static let afterAllNodes = "\u{10FFFF}"

  /// Whether the entries at a past instant are not known and can be read.
  private func isPending(_ instant: WallInstant) -> Bool {
    let known = past.known
    return known.until.map { instant >= $0 } ?? false || known.lacks(instant) && !past.isFull
  }

  /// Returns the first past instant from `origin` on whose entries are not known and can be read; `nil` if there is none before
  /// `found`, or the daemon does not answer.
  func unknownPast(from origin: WallInstant, to found: WallInstant?) -> WallInstant? {
    guard !isRehearsal, disconnection == nil, let gap = isPending(origin) ? origin : past.known.until,
      gap < now, found.map({ gap <= $0 }) ?? true
    else { return nil }
    return gap
  }

  /// The other nodes that have entries of a job in the window.
  private func lanes(of job: Int) -> [ReportedPast.Lane] {
    guard !isRehearsal, let lanes = past.lanes[jobs[job].name] else { return [] }
    return lanes.filter { $0.entries.contains(where: isInWindow) }
  }

  /// Whether an entry or its run is visible in the window.
  func isInWindow(_ entry: ViewEntry) -> Bool {
    let drawn = entry.row(job: 0, now: now)
    return (drawn.end ?? drawn.entry) >= window.from && drawn.firstEntry < window.until
  }

  /// The lines of the chart, from the first shown job on, at most `limit`.
  func chartLines(limit: Int) -> [ChartLine] {
    var lines: [ChartLine] = []
    for row in shownJobs.indices.dropFirst(firstRow) {
      guard lines.count < limit else { break }
      let job = shownJobs[row]
      lines.append(ChartLine(row: row, job: job))
      lines += lanes(of: job).map { ChartLine(row: row, job: job, lane: $0) }
    }
    return Array(lines.prefix(limit))
  }

  /// Scrolls just as far as needed to show the selected job.
  mutating func keepSelectionOnScreen() {
    selectedRow = max(0, min(selectedRow, shownJobs.count - 1))
    guard !shownJobs.isEmpty else { return firstRow = 0 }
    firstRow = min(firstRow, topRow(showing: shownJobs.count - 1))
    firstRow = min(max(firstRow, topRow(showing: selectedRow)), selectedRow)
  }

  /// The first row of a screen that ends with `last`.
  private func topRow(showing last: Int) -> Int {
    func height(_ row: Int) -> Int { 1 + lanes(of: shownJobs[row]).count }
    var (top, left) = (last, max(1, layout.rowCount) - height(last))
    while top > 0, height(top - 1) <= left {
      top -= 1
      left -= height(top)
    }
    return top
  }

  /// Shows other reported entries.
  mutating func take(_ past: ReportedPast) {
    self.past = past
    measureNames()
  }

  /// Selects the entry that is looked for, if it is known, or if no older one can be read.
  mutating func findEarlierEntry(before instant: WallInstant) {
    guard let job = selectedJob else { return destination = nil }
    if let found = selectableEntries(of: job).last(where: { $0.entry < instant }) {
      destination = nil
      select(SelectedEntry(found))
    } else if !past.hasOlder {
      destination = nil
      message = "\(jobs[job].name): no earlier entry is known"
    }
  }

  /// Selects the first entry later than `instant` when the entries from there on are known, or as many of them as fit.
  mutating func findLaterEntry(after instant: WallInstant) {
    if isPending(instant) { return }
    destination = nil
    selectEntry(forward: true, from: (instant, Self.afterAllNodes))
  }

  /// Selects an entry, and moves the window there.
  mutating func select(_ entry: SelectedEntry) {
    selectedEntry = entry
    window.show(entry.entry)
  }
}
