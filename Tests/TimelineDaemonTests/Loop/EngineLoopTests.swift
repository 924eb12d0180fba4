import Testing
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineLedger
import TimelineLoading
import TimelineSystem
import TimelineTestSupport

@testable import TimelineDaemon

/// The owners of a daemon without jobs, in this process, under the clock of a rehearsal.
@Suite struct EngineLoopTests {
  private let workshop: Workshop
  private let daemon: Daemon

  init() throws {
    workshop = try Workshop()
    let options = try DaemonOptions(
      configurationPath: try workshop.write("", to: "timelined.toml"), statePath: nil,
      controlPath: workshop.path + "/control", pluginDirectories: nil, hostPath: nil, clock: "scaled:1",
      from: nil)
    let loop = try EventLoop()
    let clock = try DaemonClock(options.clock, loop: loop) { _ in }
    let announcer = Announcer(usesJournal: false, now: { clock.now }, write: { _ in })
    let loader = Loader(path: options.configurationPath, installation: options.installation)
    let configuration = try loader.read(
      refusingForeignWriters: false, refusingUnknownPlugins: false, now: clock.now)
    let hosts = PluginHosts(loop: loop, configuration: loader.hostConfiguration(for: configuration)) { _ in }
    var loaded: LoadedConfiguration?
    loader.inspect(
      configuration, at: loader.locate(configuration), with: hosts, depth: { _ in .run }
    ) { loaded = try? $0.get() }
    #expect(loop.run(atMost: Patience.usual) { loaded != nil })
    let writer = try LedgerWriter(
      directory: nil, settings: LedgerSettings(), announcer: announcer, loop: loop, now: { clock.now })
    let parts = DaemonParts(
      options: options, loop: loop, announcer: announcer, loader: loader, hosts: hosts, clock: clock,
      service: ServiceNotifier(environment: [:]), children: OwnChildren(), passed: [])
    daemon = try Daemon(parts, writer, loaded: try #require(loaded))
    daemon.begin()
  }

  /// A node may lose a job to another node with the event that triggers it.
  @Test func `a trigger of a job that the engine does not have is refused and recorded`() throws {
    let job = try #require(JobName("lost"))
    #expect(daemon.engine.request(.trigger(job)) == nil)
    let root = Operator(user: 0, name: "root", process: 1, program: nil)
    #expect(throws: ControlError.shuttingDown) { try daemon.operators.trigger(job, by: root) }
    #expect(try daemon.ledger.lastAction(.trigger, on: job, atOrBefore: daemon.now)?.by == root)
  }

  @Test func `a second stop is not reported again`() {
    var count = 0
    let number = daemon.subscribers.listen { event in if case .stopping = event { count += 1 } }
    daemon.stopping.drain()
    daemon.stopping.drain(now: true)
    daemon.subscribers.leave(number)
    #expect(daemon.stopping.isDraining && count == 1)
  }

  /// The node's lease may end before a further attempt, which replaces the record of the run.
  @Test(arguments: [1, 2]) func `a withheld run stays withheld when its attempt is recorded`(
    attempt number: Int
  ) throws {
    let runs = daemon.runs
    let entry = EntryKey(job: try #require(JobName("shared")), nominal: .epoch)
    var attempt = Attempt(run: RunID(number: 7), entry: entry, cause: .schedule, startedAt: .epoch)
    let reading = DaemonClock.Reading(instant: .epoch, monotonic: SystemTime.monotonic())
    for next in 1..<number {
      attempt.number = next
      runs.start(attempt, decidedAt: .epoch, reading)
    }
    attempt.number = number
    runs.withhold(attempt.run)
    runs.start(attempt, decidedAt: .epoch, reading)
    #expect(runs.withheldRuns(of: ["shared"]) == [attempt.run] && runs.withheldRuns(of: ["other"]).isEmpty)
    #expect(runs.takeWithheld(attempt.run))
    #expect(!runs.takeWithheld(attempt.run) && runs.withheldRuns(of: ["shared"]).isEmpty)
  }

  @Test func `a period that ends before it begins is refused, by the ledger and by the store`() {
    let question = Control.History(since: "2026-01-02", until: "2026-01-01")
    let refusal = ControlError.badMoment(
      text: "2026-01-01",
      reason: "\"2026-01-01\" is before \"2026-01-02\": let the period end after it begins")
    #expect(throws: refusal) { try daemon.answers.history(question) }
    #expect(throws: refusal) { try daemon.answers.storeQuestion(question) }
  }
}
