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
    case .past(let past): take(past)
    case .answer(let title, let lines): panel = .text(title: title, lines: lines)
    case .message(let text): message = text
    case .disconnected(let reason):
      disconnection = reason
      destination = nil
      message = nil
    }
    window.resize(cells: layout.chartWidth)
    moveOn()
    keepSelectionOnScreen()
    return requests
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
    jobs = snapshot.jobs
    if isRearranged { measureNames() }
    zone = snapshot.zone
    simulated = snapshot.simulated
    renewFuture(snapshot.future, from: snapshot.now)
    futureSource = snapshot.futureSource
    disconnection = nil
    playhead = Playhead(at: snapshot.now, base: base, pace: .speed(snapshot.speed ?? .normal))
    applyFilter(selected: selected)
  }
}
