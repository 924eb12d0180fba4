import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

@Suite struct `Runs that wait for other runs` {
  @Test(arguments: [(1, 32), (32, 1)])
  func `lend the place of their host in its kind and in all`(_ hostsMax: Int, _ ofKind: Int) {
    var pools = Pools {
      $0.hostsMax = hostsMax
      $0.hostsPerKindMax = ofKind
    }
    _ = pools.start(1) + pools.load(1)
    #expect(pools.start(2).begins.isEmpty)
    #expect(pools.state.handle(.lend([run(1)])).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
    // The awaited run waits for another one.
    #expect(pools.start(3).begins.isEmpty)
    #expect(pools.state.handle(.lend([run(1), run(2)])).spawns == [host(3)])
  }

  @Test func `exceed the number of places when they go on, until they end`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.state.handle(.lend([run(1)])) + pools.load(2)
    _ = pools.state.handle(.lend([]))
    #expect(pools.state.wait(for: pools.kind).text.hasPrefix("for a plugin host: 2 of 1 in use"))
    #expect(pools.start(3).begins.isEmpty)
    #expect(pools.end(2, 2).letGo == [host(2)])
    #expect(pools.exit(2, .exited(0)).begins.isEmpty)
    #expect(pools.end(1, 1).begins == [run(3): host(1)])
  }
}
