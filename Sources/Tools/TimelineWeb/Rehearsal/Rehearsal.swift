import TimelineClient
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineRehearsal

/// A simulation of the daemon's jobs that begins at some instant, separate from the daemon.
///
/// Begin and configuration determine what happens at each instant. A rehearsal is therefore simulated on demand, as far as a page
/// shows it.
struct Rehearsal: Sendable {
  /// A job of the rehearsal.
  struct Job {
    var name: JobName
    var schedule: String
    var zone: Zone
    var groups: [String]
    var isCounted: Bool
  }

  let start: WallInstant
  /// In the order of the configuration.
  let jobs: [Job]
  /// The zone of the axis.
  let zone: Zone
  /// Default length of a window.
  let usualLength: ElapsedTime
  /// The begin in words.
  let source: String
  private let plan: SimulationPlan
  private let begin: EntrySimulation
  /// The simulation, as far as it has been run.
  private var simulation: EntrySimulation

  /// Instants between two checks of the time; one instant may have many entries.
  private static let stepsBetweenLooks = 500
  /// Maximum number of entries of a kept rehearsal other than the last one shown: 4 MB.
  private static let keptEntriesMax = 20_000

  /// Makes the rehearsal that begins with the daemon's present state, or at another instant with no active run; `nil` if the
  /// configuration cannot be read.
  init?(
    _ status: StatusReply, _ reports: [JobReport], _ future: FutureEntries, at instant: WallInstant?,
    zone: (String?) -> Zone
  ) {
    guard let plan = future.plan,
      let begin = instant.map({ future.simulation(from: $0) }) ?? future.simulation
    else { return nil }
    start = instant ?? status.now.instant
    let known = Dictionary(reports.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    jobs = plan.jobs.map { job in
      Job(
        name: job.name, schedule: known[job.name.text]?.schedule ?? "",
        zone: zone(known[job.name.text]?.zone ?? status.zone), groups: job.policies.groups.map(\.text),
        isCounted: job.schedule.hasMoreThanOneEntryPerSecond)
    }
    self.zone = zone(status.zone)
    usualLength = DaemonPage.length(showing: future)
    source =
      instant == nil
      ? "begins with the daemon's state at this instant" : "begins with no active run"
    self.plan = plan
    self.begin = begin
    simulation = begin
  }

  /// The entries that are simulated.
  var book: EntryList { simulation.book }

  /// The first entry of a job later than `instant` by its schedule alone.
  func scheduled(_ job: Int, after instant: WallInstant) -> WallInstant? {
    plan.jobs[job].schedule.next(after: instant)
  }

  /// Simulates a window from `from` to `until`. Returns the instant up to which the window is known; `nil` if all of
  /// it is.
  mutating func simulate(from: WallInstant, to until: WallInstant, isLate: () -> Bool) -> WallInstant? {
    if let keptFrom = book.keptFrom, keptFrom > from { simulation = begin }
    for _ in 0..<WebLimits.rehearsedPortionsMax {
      if simulation.advance(to: until, steps: Self.stepsBetweenLooks) { return nil }
      if book.isFull { simulation.drop(before: min(from, simulation.reached)) }
      if book.isFull || isLate() { break }
    }
    return simulation.reached
  }

  /// Discards the simulation if it has many entries; the next use simulates it again.
  mutating func shrink() {
    if book.count > Self.keptEntriesMax { simulation = begin }
  }
}
