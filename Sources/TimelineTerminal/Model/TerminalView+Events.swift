import TimelineClocks
package import TimelineCore

extension TerminalView {
  /// Takes in an event at an instant of the base clock, and returns what is asked of the surroundings.
  package mutating func handle(_ event: ViewEvent, at base: WallInstant) -> [ViewRequest] {
    // A base clock that went back would have the now-line jump.
    self.base = max(self.base, base)
    var requests: [ViewRequest] = []
    switch event {
    case .key(let key): requests = handle(key)
    case .resized(let size): self.size = size
    case .tick: break
    case .snapshot(let snapshot): take(snapshot)
    case .entries(let entries): take(entries)
    case .answer(let title, let lines): panel = .text(title: title, lines: lines, first: 0)
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

  /// Shows the first jobs again from which the selected one can be seen.
  private mutating func keepSelectionOnScreen() {
    selectedRow = max(0, min(selectedRow, shownJobs.count - 1))
    let rows = max(1, layout.rowCount)
    firstRow = max(0, min(firstRow, shownJobs.count - rows))
    firstRow = min(max(firstRow, selectedRow - rows + 1), selectedRow)
  }

  /// Lets through the jobs that the filter names.
  mutating func applyFilter() {
    let selected = selectedJob
    let words = filter.lowercased().split(separator: " ")
    shownJobs = jobs.indices.filter { job in
      let name = jobs[job].name.text.lowercased()
      let excluded = words.filter { $0.hasPrefix("-") && $0.count > 1 }.map { $0.dropFirst() }
      let wanted = words.filter { !$0.hasPrefix("-") }
      return (wanted.isEmpty || wanted.contains { name.contains($0) })
        && !excluded.contains { name.contains($0) }
    }
    selectedRow = selected.flatMap { shownJobs.firstIndex(of: $0) } ?? 0
  }
}

// What a daemon reports.
extension TerminalView {
  private mutating func take(_ snapshot: DaemonSnapshot) {
    let names = jobs.map(\.name)
    let selected = selectedJob.map { names[$0] }
    if names.isEmpty, let length = snapshot.usualLength {
      window = TimeWindow(length: length, now: snapshot.now, cells: window.cells)
    }
    if snapshot.jobs.map(\.name) != names { rearrange(to: snapshot.jobs.map(\.name)) }
    // What is still active or waits is reported again.
    reported.dropOpen()
    jobs = snapshot.jobs
    zone = snapshot.zone
    simulation = snapshot.simulation
    simulated = snapshot.simulated
    futureSource = snapshot.futureSource
    disconnection = nil
    playhead = Playhead(at: snapshot.now, base: base, pace: .speed(snapshot.speed ?? .normal))
    applyFilter()
    if let selected, let row = shownJobs.firstIndex(where: { jobs[$0].name == selected }) {
      selectedRow = row
    }
  }

  /// Keeps what is known of jobs that are still there.
  private mutating func rearrange(to names: [JobName]) {
    var book = EntryBook(jobCount: names.count)
    let former = Dictionary(jobs.indices.map { (jobs[$0].name, $0) }, uniquingKeysWith: { $1 })
    for (job, name) in names.enumerated() {
      for entry in former[name].map(reported.entries) ?? [] { book.add(entry, of: job) }
    }
    reported = book
  }

  private mutating func take(_ entries: [ReportedEntry]) {
    let places = Dictionary(jobs.indices.map { (jobs[$0].name, $0) }, uniquingKeysWith: { $1 })
    for report in entries {
      guard let job = places[report.job] else { continue }
      if let run = report.entry.run {
        jobs[job].running.removeAll { $0 == run }
        if report.entry.outcome == nil { jobs[job].running.append(run) }
      }
      // The older half of the window's past goes first: it is far from now.
      if reported.isFull { reported.drop(before: max(window.from, now - window.length)) }
      if !reported.isFull { reported.add(report.entry, of: job) }
    }
  }
}
