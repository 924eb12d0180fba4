import TimelineClocks
package import TimelineCore
import TimelineEngine
package import TimelineRehearsal

/// The state of the full-screen view: what is shown of which entries, and what keys mean just now.
///
/// A pure value. Events go in with the instant of a base clock, requests come out, and ``TerminalPicture`` draws it.
package struct TerminalView {
  /// Something over the timeline.
  package enum Panel: Sendable, Hashable {
    /// The keys.
    case help
    /// The selected entry, explained.
    case entry
    /// A text of the daemon.
    case text(title: String, lines: [String])
  }

  /// A line that is typed, or a question.
  package enum Prompt: Sendable, Hashable {
    /// Words to filter by.
    case filter
    /// A moment to go to.
    case moment
    /// A change of the daemon, to be confirmed.
    case confirmation(ViewRequest, String)
  }

  /// A place that the rehearsal's clock is on its way to, while entries before it are simulated.
  package enum Destination: Sendable, Hashable {
    /// The next entry after an instant.
    case nextEntry(after: WallInstant)
    /// A moment.
    case moment(WallInstant)
  }

  /// The name of the configuration or of the daemon.
  package let title: String
  /// The plan of a rehearsal; `nil` for a view of the daemon.
  package let plan: SimulationPlan?
  /// The zone of the axis.
  package internal(set) var zone: Zone
  /// All jobs.
  package internal(set) var jobs: [ViewJob]
  /// Index of each job by its name. A name that two jobs have is that of the last.
  private(set) var places: [JobName: Int] = [:]
  /// Length of the longest name of a job, in bytes.
  private var longestName = 0
  /// Entries that a daemon has reported.
  var reported: EntryBook
  /// Active runs that were reported before the last snapshot and have not been since, by their numbers.
  var formerRuns: [UInt64: ViewEntry] = [:]
  /// Entries to come; of a rehearsal also those that are over.
  var simulation: EntrySimulation?
  /// Begin of the simulation.
  var start: WallInstant
  /// Index in the simulation of each job; `nil` for a job that it has not.
  var simulated: [Int?]
  /// Source of the future, as the status line states it.
  var futureSource = ""

  /// The clock.
  package internal(set) var playhead: Playhead
  /// The stretch of time that is shown.
  package internal(set) var window: TimeWindow
  /// Size of the terminal.
  package internal(set) var size: ScreenSize
  /// The last instant of the base clock.
  var base: WallInstant

  /// Words that names of shown jobs contain; one after a dash is in none of them.
  package internal(set) var filter = ""
  /// Indexes of the jobs that the filter lets through.
  package internal(set) var shownJobs: [Int]
  /// Position of the selected job in ``shownJobs``.
  package internal(set) var selectedRow = 0
  /// Position of the first job on the screen in ``shownJobs``.
  package internal(set) var firstRow = 0
  /// The nominal instant of the selected entry, if one is selected.
  package internal(set) var selectedEntry: WallInstant?

  /// The open panel.
  package internal(set) var panel: Panel? { didSet { panelFirst = 0 } }
  /// Index of the first line that the panel shows.
  var panelFirst = 0
  /// The open prompt.
  package internal(set) var prompt: Prompt?
  /// Text typed at the prompt.
  package internal(set) var typed = ""
  /// Most characters of a prompt: a moment and a filter are shorter.
  static let typedMax = 64
  /// Text for the status line until the next key.
  package internal(set) var message: String?
  /// The place that the clock is on its way to.
  package internal(set) var destination: Destination?
  /// Reason why the daemon does not answer.
  package internal(set) var disconnection: String?

  /// Makes the view of a rehearsal that begins at `from`, with a window of `length`, or of what the jobs suggest; without a pace it passes the
  /// window in about a minute.
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
    reported = EntryBook(jobCount: jobs.count)
    shownJobs = Array(jobs.indices)
    window = TimeWindow(length: length ?? plan.usualLength(from: from), now: from, cells: 1)
    let minute = window.length.nanoseconds / 60_000_000_000
    let usual = Playhead.speeds.last { $0.numerator <= minute } ?? .normal
    playhead = Playhead(at: from, base: base, pace: pace ?? .speed(usual))
    self.base = base
    self.size = size
    indexJobs()
    window.resize(cells: layout.chartWidth)
    simulateAhead()
  }

  /// Makes the view of a daemon of which nothing is known yet.
  package init(title: String, zone: Zone, now: WallInstant, base: WallInstant, size: ScreenSize) {
    self.title = title
    plan = nil
    start = now
    self.zone = zone
    jobs = []
    simulated = []
    reported = EntryBook(jobCount: 0)
    shownJobs = []
    window = TimeWindow(length: .hours(1), now: now, cells: 1)
    playhead = Playhead(at: now, base: base, pace: .speed(.normal))
    self.base = base
    self.size = size
    window.resize(cells: layout.chartWidth)
  }
}

extension TerminalView {
  /// Updates what is looked up for each event; needed after each change of the names.
  mutating func indexJobs() {
    places = Dictionary(jobs.indices.map { (jobs[$0].name, $0) }, uniquingKeysWith: { $1 })
    longestName = jobs.map(\.name.text.utf8.count).max() ?? 0
  }

  /// The instant that the now-line shows.
  package var now: WallInstant { playhead.now(base: base) }

  /// Whether this is a rehearsal.
  package var isRehearsal: Bool { plan != nil }

  /// Index of the selected job; `nil` when the filter lets none through.
  package var selectedJob: Int? { shownJobs.indices.contains(selectedRow) ? shownJobs[selectedRow] : nil }

  /// Whether the picture changes by itself.
  package var isMoving: Bool { !playhead.isPaused || isBusy }

  /// Time between two pictures of a view that moves: enough for the eye, and at real pace half of the seconds that the title counts.
  package var pictureInterval: ElapsedTime { .milliseconds(playhead.isSlow ? 500 : 100) }

  /// Whether there is something to simulate before the picture is complete.
  package var isBusy: Bool {
    guard let simulation else { return false }
    return destination != nil || simulation.reached < window.until && !simulation.book.isFull
  }

  /// Places of things on the screen.
  var layout: ScreenLayout { ScreenLayout(size, longestName: longestName) }

  /// The entries of a job, ascending: those that are over, active, and to come.
  package func entries(of job: Int) -> [ViewEntry] {
    let planned = simulated[job].flatMap { index in simulation?.book.entries(of: index) }
    if isRehearsal, let planned { return planned }
    return ViewEntry.merged(
      reported: reported.entries(of: job), planned: planned, next: jobs[job].next, now: now)
  }

  /// The counted minutes of a job, ascending.
  package func minutes(of job: Int) -> [DryRunMinute] {
    guard let index = simulated[job], let simulation else { return [] }
    let minutes = simulation.book.minutes(of: index)
    let now = now
    return isRehearsal ? minutes : minutes.filter { $0.entry > now }
  }

  /// The selected entry, if one is selected and still known.
  package var selection: ViewEntry? {
    guard let job = selectedJob, let selectedEntry else { return nil }
    return entries(of: job).first { $0.entry == selectedEntry }
  }
}
