import TimelineClocks
package import TimelineCore
import TimelineEngine
package import TimelineRehearsal

/// The state of the full-screen view: the visible entries and the current meaning of keys.
///
/// A pure value. It handles events with the instant of a base clock and returns requests; ``TerminalPicture`` draws it.
package struct TerminalView {
  /// A panel over the timeline.
  package enum Panel: Sendable, Equatable {
    case help
    /// The explanation of the selected entry.
    case entry
    /// A text of the daemon.
    case text(title: String, lines: [String])
  }

  /// An entry of the selected job.
  package struct SelectedEntry: Sendable, Equatable {
    /// The nominal instant.
    package var entry: WallInstant
    /// The other node of the cluster that has the entry; `nil` for the daemon itself.
    package var node: String?

    init(_ entry: ViewEntry) { (self.entry, node) = (entry.entry, entry.node) }

    init(entry: WallInstant) { self.entry = entry }
  }

  /// A line of input, or a question.
  package enum Prompt: Sendable, Equatable {
    case filter
    case moment
    /// A change of the daemon, and the question whether to make it.
    case confirmation(ViewRequest, String)
  }

  /// The target of the rehearsal's clock, while the entries before the target are simulated, or an entry that is looked for.
  package enum Destination: Sendable, Equatable {
    case nextEntry(after: WallInstant)
    case moment(WallInstant)
    /// An entry of the selected job that the daemon has not reported yet. The daemon's clock does not move.
    case earlierEntry(before: WallInstant)
    /// An entry of the selected job in the gap between the known entries and now. The daemon's clock does not move.
    case laterEntry(after: WallInstant)
  }

  /// The name of the configuration or of the daemon.
  package let title: String
  /// The plan of a rehearsal; `nil` for a view of the daemon.
  package let plan: SimulationPlan?
  /// The zone of the axis.
  package internal(set) var zone: Zone
  package internal(set) var jobs: [ViewJob]
  /// Length of the longest name of a job or an indented node, in bytes.
  private var longestName = 0
  /// Entries that a daemon has reported.
  var past = ReportedPast()
  /// Future entries; in a rehearsal also finished ones.
  var simulation: EntrySimulation?
  /// Begin of the simulation.
  var start: WallInstant
  /// The future as the daemon's last report has it; `nil` in a rehearsal.
  var future: DaemonSnapshot.Future?
  /// Portions of the simulation since ``start``.
  var portionCount = 0
  /// Index in the simulation of each job; `nil` for a job that is not simulated.
  var simulated: [Int?]
  /// Source of the future, as the status line states it.
  var futureSource = ""

  package internal(set) var playhead: Playhead
  package internal(set) var window: TimeWindow
  package internal(set) var size: ScreenSize
  /// The last instant of the base clock.
  var base: WallInstant

  /// Words that select the shown jobs; see `JobFilter`.
  package internal(set) var filter = ""
  /// Indexes of the jobs that pass the filter.
  package internal(set) var shownJobs: [Int]
  /// Position of the selected job in ``shownJobs``.
  package internal(set) var selectedRow = 0
  /// Position in ``shownJobs`` of the first job on the screen.
  package internal(set) var firstRow = 0
  /// `nil` without a selection.
  package internal(set) var selectedEntry: SelectedEntry?

  package internal(set) var panel: Panel? { didSet { panelFirst = 0 } }
  /// Index of the first line that the panel shows.
  var panelFirst = 0
  package internal(set) var prompt: Prompt?
  package internal(set) var typed = ""
  /// Maximum number of characters at a prompt: moments and filters are shorter.
  static let typedMax = 64
  /// Text for the status line until the next key.
  package internal(set) var message: String?
  package internal(set) var destination: Destination?
  /// Reason why the daemon does not answer; `nil` while it answers.
  package internal(set) var disconnection: String?

  /// Makes the view of a rehearsal that begins at `from`. Without `length` the window fits the jobs. Without `pace`
  /// the clock passes the window in about a minute.
  package init(
    title: String, plan: SimulationPlan, zones: [Zone], zone: Zone, from: WallInstant, base: WallInstant,
    length: ElapsedTime? = nil, pace: Pace? = nil, size: ScreenSize
  ) {
    self.title = title
    self.plan = plan
    self.zone = zone
    jobs = zip(plan.jobs, zones).map { job, zone in
      ViewJob(
        name: job.name, zone: zone, schedule: "\(job.schedule)", policies: job.policies)
    }
    simulation = plan.simulation(from: from)
    start = from
    simulated = jobs.indices.map { $0 }
    shownJobs = Array(jobs.indices)
    window = TimeWindow(length: length ?? plan.usualLength(from: from), now: from, cells: 1)
    let minute = window.length.nanoseconds / 60_000_000_000
    let usual = Playhead.speeds.last { $0.numerator <= minute } ?? .normal
    playhead = Playhead(at: from, base: base, pace: pace ?? .speed(usual))
    self.base = base
    self.size = size
    measureNames()
    window.resize(cells: layout.chartWidth)
    simulateAhead()
  }

  /// Makes the view of a daemon before its first report.
  package init(title: String, zone: Zone, now: WallInstant, base: WallInstant, size: ScreenSize) {
    self.title = title
    plan = nil
    start = now
    self.zone = zone
    jobs = []
    simulated = []
    shownJobs = []
    window = TimeWindow(length: .hours(1), now: now, cells: 1)
    playhead = Playhead(at: now, base: base, pace: .speed(.normal))
    self.base = base
    self.size = size
    window.resize(cells: layout.chartWidth)
  }
}

extension TerminalView {
  /// Updates the length that the layout needs; must be called after each change of the names.
  mutating func measureNames() {
    let nodes = past.lanes.values.joined().map { $0.node.utf8.count + ScreenLayout.nodeIndent }
    longestName = (jobs.map(\.name.text.utf8.count) + nodes).max() ?? 0
  }

  /// The instant that the now-line shows.
  package var now: WallInstant { playhead.now(base: base) }

  package var isRehearsal: Bool { plan != nil }

  /// Index of the selected job; `nil` if no job passes the filter.
  package var selectedJob: Int? { shownJobs.indices.contains(selectedRow) ? shownJobs[selectedRow] : nil }

  /// Whether the picture changes without an event.
  package var isMoving: Bool { !playhead.isPaused || isBusy }

  /// Time between two pictures of a moving view: 100 ms, short enough for the eye. Up to real time 500 ms, because
  /// the title counts seconds.
  package var pictureInterval: ElapsedTime { .milliseconds(playhead.isSlow ? 500 : 100) }

  /// Whether more must be simulated before the picture is complete.
  package var isBusy: Bool {
    guard let simulation else { return false }
    return destination?.isOfClock == true || simulation.reached < window.until && !simulation.book.isFull
  }

  var layout: ScreenLayout { ScreenLayout(size, longestName: longestName) }

  /// The entries of a job, ascending: finished, active and future ones.
  package func entries(of job: Int) -> [ViewEntry] {
    let planned = simulated[job].flatMap { index in simulation?.book.entries(of: index) }
    if isRehearsal, let planned { return planned }
    return ViewEntry.merged(
      reported: past.entries(of: jobs[job].name), planned: planned, next: jobs[job].next, now: now)
  }

  /// The minutes of a counted job, ascending. A view of the daemon has only future minutes.
  package func minutes(of job: Int) -> [DryRunMinute] {
    guard let index = simulated[job], let simulation else { return [] }
    let minutes = simulation.book.minutes(of: index)
    let now = now
    return isRehearsal ? minutes : minutes.compactMap { $0.after(now) }
  }

  /// The selected entry, if one is selected and still exists.
  package var selection: ViewEntry? {
    guard let job = selectedJob, let selectedEntry else { return nil }
    let candidates =
      selectedEntry.node.map { node in
        past.lanes[jobs[job].name]?.first { $0.node == node }?.entries ?? []
      } ?? entries(of: job)
    return candidates.first { $0.entry == selectedEntry.entry }
  }
}

extension TerminalView.Destination {
  /// Whether a rehearsal's clock moves there.
  var isOfClock: Bool {
    switch self {
    case .nextEntry, .moment: true
    case .earlierEntry, .laterEntry: false
    }
  }
}
