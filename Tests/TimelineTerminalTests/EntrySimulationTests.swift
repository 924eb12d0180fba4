import Testing
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineRehearsal
import TimelineTerminal

@Suite struct EntrySimulationTests {
  /// Entries of six hours as text, job by job.
  @Test func `agree with the dry run`() {
    let jobs = Array(sample.dropLast())
    let (begin, end) = (t(0), t(6 * 3_600))
    var expected = Array(repeating: [String](), count: jobs.count)
    var dryRun = DryRun(jobs: jobs, from: begin, until: end)
    dryRun.run { row in
      guard case .entry(let entry) = row else { return }
      expected[row.job].append("\(entry.entry) \(entry.outcome) \(entry.start ?? .min) \(entry.end ?? .min)")
    }
    var simulation = SimulationPlan(jobs: jobs).simulation(from: begin)
    // A run that begins before the end may end after it.
    while !simulation.advance(to: end + .hours(2)) {}
    for job in jobs.indices {
      let found = simulation.book.entries(of: job).filter { $0.entry < end }.map { entry in
        "\(entry.entry) \(entry.outcome ?? .unknown) \(entry.start ?? .min) \(entry.end ?? .min)"
      }
      #expect(found == expected[job], "\(jobs[job].name)")
      #expect(!found.isEmpty)
    }
  }

  @Test func countTheMinutesOfAFastJob() {
    var simulation = SimulationPlan(jobs: sample).simulation(from: t(0))
    while !simulation.advance(to: t(300)) {}
    let minutes = simulation.book.minutes(of: 5)
    #expect(minutes.map(\.outcomes.total) == [120, 120, 120, 120, 120])
    #expect(simulation.book.entries(of: 5).isEmpty)
  }

  /// More entries than are kept: the simulation stops, and goes on when old ones are dropped.
  @Test func stopWhereNoMoreCanBeKept() {
    let jobs = (0..<200).map { job("job-\($0)", every(1)) }
    var simulation = SimulationPlan(jobs: jobs).simulation(from: t(0))
    for _ in 0..<1_000 where !simulation.book.isFull { _ = simulation.advance(to: t(3_600)) }
    #expect(simulation.book.isFull)
    let reached = simulation.reached
    let hasGoneOn = simulation.advance(to: t(3_600))
    #expect(!hasGoneOn)
    #expect(simulation.reached == reached)
    simulation.drop(before: reached - .seconds(10))
    #expect(!simulation.book.isFull)
    #expect(simulation.book.keptFrom == reached - .seconds(10))
    let goesOn = simulation.advance(to: reached + .seconds(5))
    #expect(goesOn)
  }

  /// Pauses and active runs of the begin.
  @Test func beginWithWhatIs() {
    let jobs = [job("paused", every(60)), job("active", every(60), lasts: 90)]
    let run = OpenRun(
      run: RunID(number: 7), entry: EntryKey(job: name("active"), nominal: t(60)), cause: .schedule,
      attempts: 1,
      startedAt: t(60), isAlive: true)
    var simulation = SimulationPlan(jobs: jobs).simulation(
      from: t(100), paused: [name("paused"): t(0)], active: [run])
    while !simulation.advance(to: t(400)) {}
    #expect(simulation.book.entries(of: 0).isEmpty)
    let active = simulation.book.entries(of: 1)
    #expect(active.first?.end == t(150))
    #expect(
      active.map { $0.outcome ?? .unknown }
        == [.succeeded, .overlapped, .succeeded, .overlapped, .succeeded, .overlapped])
  }
}
