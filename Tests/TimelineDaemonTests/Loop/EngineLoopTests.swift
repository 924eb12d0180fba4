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
    #expect(daemon.engine.trigger(job) == nil)
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
}
