import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

@Suite struct `Stops of runs` {
  @Test func `a request to stop goes to the host, and a kill ends it`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    #expect(
      pools.state.handle(.askToStop(run(1), .timeout)) == [.askToStop(host(1), run(1), .timeout)])
    #expect(pools.state.handle(.kill(run(1), .timeout)) == [.kill(host(1))])
    let end = pools.exit(1, .signalled(Signal(rawValue: 9))).ends[run(1)]
    #expect(end?.outcome.status == .cancelled)
    #expect(end?.outcome.message.contains("it outlived its timeout") == true)
  }

  @Test func `a waiting run ends at once`() {
    var pools = Pools()
    _ = pools.start(1)
    #expect(pools.state.handle(.askToStop(run(1), .cancel)).ends[run(1)]?.outcome.status == .cancelled)
    #expect(pools.load(1).begins.isEmpty)
  }

  @Test func `a killed host that still reported the end of its run is not used again`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.state.handle(.kill(run(1), .timeout))
    #expect(pools.end(1, 1).ends[run(1)] == pools.success)
    #expect(pools.start(2).spawns == [host(2)])
    #expect(pools.exit(1, .signalled(Signal(rawValue: 9))).ends.isEmpty)
  }

  @Test func `a shutdown ends idle hosts, stops busy ones, and reports when all are gone`() {
    var pools = Pools()
    _ =
      pools.start(1) + pools.load(1) + pools.start(2) + pools.load(2) + pools.end(1, 1)
      + pools.start(3, kind: pools.other)
    let down = pools.state.handle(.shutDown)
    #expect(down.letGo == [host(1), host(3)])
    #expect(down.contains(.askToStop(host(2), run(2), .shutDown)))
    #expect(down.ends[run(3)]?.outcome.status == .cancelled)
    _ = pools.exit(1, .exited(0)) + pools.exit(3, .exited(0))
    #expect(pools.state.handle(.elapsed(.end(host(2)))) == [.kill(host(2))])
    let last = pools.exit(2, .signalled(Signal(rawValue: 9)))
    #expect(last.ends[run(2)]?.outcome.status == .cancelled)
    #expect(last.last == .finished)
    #expect(pools.start(4).ends[run(4)]?.outcome.status == .cancelled)
  }

  @Test func `a shutdown without hosts finishes at once`() {
    var pools = Pools()
    #expect(pools.state.handle(.shutDown) == [.finished])
  }
}
