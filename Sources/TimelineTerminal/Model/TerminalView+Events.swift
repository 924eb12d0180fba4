import TimelineClocks
package import TimelineCore
import TimelineRehearsal

extension TerminalView {
  /// Handles an event at an instant of the base clock, and returns the requests to perform.
  package mutating func handle(_ event: ViewEvent, at base: WallInstant) -> [ViewRequest] {
    // A base clock that goes back would make the now-line jump.
    self.base = max(self.base, base)
    var requests: [ViewRequest] = []
    switch event {
    case .key(let key): requests = handle(key)
    case .resized(let size): self.size = size
    case .tick: break
    case .snapshot(let snapshot): take(snapshot)
    case .entries(let entries): take(entries)
    case .answer(let title, let lines): panel = .text(title: title, lines: lines)
    case .message(let text): message = text
    case .disconnected(let reason):
      disconnection = reason
      message = nil
    }
    window.resize(cells: layout.chartWidth)
    moveOn()
    keepSelectionOnScreen()
    return requests
  }

  /// Scrolls just as far as needed to show the selected job.
  private mutating func keepSelectionOnScreen() {
    selectedRow = max(0, min(selectedRow, shownJobs.count - 1))
    let rows = max(1, layout.rowCount)
    firstRow = max(0, min(firstRow, shownJobs.count - rows))
    firstRow = min(max(firstRow, selectedRow - rows + 1), selectedRow)
  }

  /// Applies the filter to the jobs. The selected job stays selected, with its entry, if it passes the filter.
  mutating func applyFilter() { applyFilter(selected: selectedJob.map { jobs[$0].name }) }

  private mutating func applyFilter(selected: JobName?) {
    let filter = JobFilter(filter)
    shownJobs = jobs.indices.filter { filter.matches(jobs[$0].name.text) }
    let row = shownJobs.firstIndex { jobs[$0].name == selected }
    if row == nil { selectedEntry = nil }
    selectedRow = row ?? 0
  }
}

// Reports of a daemon.
extension TerminalView {
  private mutating func take(_ snapshot: DaemonSnapshot) {
    let names = jobs.map(\.name)
    let isRearranged = snapshot.jobs.map(\.name) != names
    let selected = selectedJob.map { names[$0] }
    if names.isEmpty, let length = snapshot.usualLength {
      window = TimeWindow(length: length, now: snapshot.now, cells: window.cells)
    }
    if isRearranged { rearrange(to: snapshot.jobs.map(\.name)) }
    // Entries that are still active or waiting are reported again.
    formerRuns = reported.dropOpen()
    jobs = snapshot.jobs
    if isRearranged { indexJobs() }
    zone = snapshot.zone
    simulation = snapshot.simulation
    simulated = snapshot.simulated
    futureSource = snapshot.futureSource
    disconnection = nil
    playhead = Playhead(at: snapshot.now, base: base, pace: .speed(snapshot.speed ?? .normal))
    applyFilter(selected: selected)
  }

  /// Keeps the entries of jobs that still exist.
  private mutating func rearrange(to names: [JobName]) {
    var book = EntryList(jobCount: names.count)
    for (job, name) in names.enumerated() {
      for entry in places[name].map(reported.entries) ?? [] { book.add(entry, of: job) }
    }
    reported = book
  }

  private mutating func take(_ entries: [ReportedEntry]) {
    for report in entries {
      guard let job = places[report.job] else { continue }
      let entry = completed(report.entry)
      if let run = entry.run { jobs[job].note(run, isWaiting: entry.isWaiting, isOver: entry.outcome != nil) }
      if reported.isFull { reported.dropOlderHalf() }
      reported.add(entry, of: job)
    }
  }

  /// Returns `entry` with the parts that it lacks from the run's report before the last snapshot. Only the first
  /// report of an open run after the snapshot is completed.
  private mutating func completed(_ entry: ViewEntry) -> ViewEntry {
    guard let run = entry.run, let former = formerRuns.removeValue(forKey: run), entry.outcome == nil else {
      return entry
    }
    return entry.completed(by: former)
  }
}
