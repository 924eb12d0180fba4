import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Plugins that exceed the limits of their job, in real hosts.
@Suite struct `Plugins that exceed their limits` {
  private func kind(_ stage: Stage, _ plugin: String, _ adjust: (inout HostSetup) -> Void) throws -> HostSpec
  {
    var kind = HostSpec(pluginPath: try stage.hosts.configuration.search.path(of: plugin))
    adjust(&kind.setup)
    return kind
  }

  @Test func `memory beyond the limit ends the run, and the failure names the limit`() throws {
    let stage = try Stage(Fixtures.broken)
    let limited = try kind(stage, "greedy") { $0.memoryBytes = 256 << 20 }
    let end = try stage.run("greedy") { $0.kind = limited }
    #expect(end.outcome.status == .failed)
    #expect(
      end.outcome.message.contains("SIGSEGV in job broken")
        && end.outcome.message.contains("the 256 MiB of memory that the job may have: raise that limit"),
      "\(end.outcome.message)")
  }

  @Test func `processor time beyond the limit ends the run, and the failure names the limit`() throws {
    let stage = try Stage(Fixtures.broken)
    let limited = try kind(stage, "busy") { $0.processorTime = .seconds(1) }
    let end = try stage.run("busy") { $0.kind = limited }
    #expect(end.outcome.status == .failed)
    #expect(
      end.outcome.message.contains("used up the 1 s of processor time that the job may have in job broken"),
      "\(end.outcome.message)")
  }

  @Test func `each run has the whole of its processor time`() throws {
    let stage = try Stage(Fixtures.broken) { $0.limits.endLimit = Patience.usual }
    let limited = try kind(stage, "steady") { $0.processorTime = .seconds(1) }
    let results = try (0..<3).map { _ in try stage.run("steady") { $0.kind = limited }.result }
    #expect(Set(results).count == 3, "three processes")
    #expect(stage.notes.isEmpty)
  }

  @Test func `jobs with different setups do not share a host`() throws {
    let stage = try Stage(Fixtures.broken)
    let kinds = try [0, 1, 0].map { niceness in
      try kind(stage, "steady") { $0.niceness = niceness }
    }
    let results = try kinds.map { kind in try stage.run("steady") { $0.kind = kind }.result }
    #expect(results[0] == results[2] && results[0] != results[1])
  }

  @Test(.enabled(if: isRoot, "root's processes are not limited, so the plugin runs as nobody"))
  func `a fork bomb is limited and killed completely`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.broken) { $0.environment[ProcessMark.name] = mark.text }
    var limited = try kind(stage, "fork-bomb") { $0.processCount = 60 }
    limited.user = "nobody"
    let run = try stage.start("fork-bomb") { $0.kind = limited }
    try stage.wait(for: "its end") { !stage.lines(of: run, .log).isEmpty }
    #expect(stage.lines(of: run, .log) == ["Resource temporarily unavailable"])
    #expect((2...60).contains(mark.processes().count))
    stage.hosts.kill(run, .timeout)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    try stage.wait(for: "the end of all") { mark.processes().isEmpty }
  }

  @Test func `a reload after a change of the user database gives new hosts to jobs with a user`()
    throws
  {
    let workshop = try Workshop()
    let users = try workshop.write("one", to: "passwd", mode: 0o600)
    let stage = try Stage(Fixtures.broken) { $0.userFiles = [users, workshop.path + "/none"] }
    let path = try stage.hosts.configuration.search.path(of: "steady")
    let own = try UserRecord(numbered: CurrentProcess.effectiveUser).name
    let kinds = [HostSpec(pluginPath: path), HostSpec(pluginPath: path, user: own)]
    let job = try #require(JobName("broken"))
    func hosts() throws -> [String?] {
      stage.read(kinds)
      stage.hosts.retain([kinds[0]: [job], kinds[1]: [job]])
      return try kinds.map { kind in try stage.run("steady") { $0.kind = kind }.result }
    }
    let first = try hosts()
    #expect(try hosts() == first && Set(first).count == 2)
    try workshop.write("another", to: "passwd", mode: 0o600)
    let second = try hosts()
    #expect(second[0] == first[0] && second[1] != first[1])
    #expect(try hosts() == second)
  }
}
