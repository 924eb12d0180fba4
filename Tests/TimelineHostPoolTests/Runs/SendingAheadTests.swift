import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

@Suite struct `Runs that are sent to hosts ahead of time` {
  @Test func `runs sent ahead are called at their time, and each run is started once, sent ahead or not`()
    throws
  {
    let stage = try Stage(Fixtures.broken)
    _ = try stage.run("steady")
    let request = try stage.request("steady")
    var runs = [stage.hosts.ready(request)]
    let instant = SystemTime.monotonic() + .milliseconds(100)
    stage.hosts.sendAhead(&runs, in: .milliseconds(100))
    guard case .sent = runs[0] else { throw Fixtures.BuildFailure(description: "not sent") }
    stage.hosts.start(runs)
    #expect(try stage.finish(request.run).outcome.status == .succeeded)
    #expect(SystemTime.monotonic() >= instant)

    let late = try stage.request("steady")
    var others = [stage.hosts.ready(late)]
    stage.hosts.sendAhead(&others, in: .microseconds(10))
    guard case .hosted = others[0] else { throw Fixtures.BuildFailure(description: "sent") }
    stage.hosts.start(others)
    #expect(try stage.finish(late.run).outcome.status == .succeeded)
    let ends = stage.events.filter { if case .ended = $0 { true } else { false } }
    #expect(ends.count == 3)
  }

  @Test func `runs are sent ahead in order, and only as many as there is time for`() throws {
    let stage = try Stage(Fixtures.broken)
    let requests = try (0..<20).map { try stage.request("steady", job: "job\($0)") }
    var runs = requests.map { stage.hosts.ready($0) }
    stage.hosts.sendAhead(&runs, in: .milliseconds(100))
    let sent = runs.prefix { if case .sent = $0 { true } else { false } }.count
    #expect(sent <= TurnLimits.runsAheadMax)
    #expect(runs.dropFirst(sent).allSatisfy { if case .hosted = $0 { true } else { false } })
    stage.hosts.start(runs)
    for request in requests { #expect(try stage.finish(request.run).outcome.status == .succeeded) }
  }
}
