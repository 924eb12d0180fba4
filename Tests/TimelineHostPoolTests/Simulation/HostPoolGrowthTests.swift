import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineHostPool

@Suite struct `Growth of a pool` {
  /// Pools with two busy hosts and `count` waiting runs.
  private func held(waiting count: UInt64, _ adjust: (inout HostLimits) -> Void = { _ in }) -> (
    Pools, [HostPoolEffect]
  ) {
    var pools = Pools {
      $0.promptHostsPerKindMax = 2
      adjust(&$0)
    }
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.load(2)
    var effects: [HostPoolEffect] = []
    for number in 3..<3 + count { effects += pools.start(number) }
    return (pools, effects)
  }

  @Test func `beyond the first hosts a pool waits before it starts more`() {
    let (pools, effects) = held(waiting: 5)
    let waits = (3...7).map { HostPoolEffect.waits(run($0)) }
    #expect(effects == [.wait(.growth(pools.kind), .milliseconds(10))] + waits)
    #expect(pools.state.hostCount == 2)
  }

  @Test func `a pool whose hosts are held up doubles, and doubles again`() {
    var (pools, _) = held(waiting: 9)
    #expect(pools.state.handle(.elapsed(.growth(pools.kind))).spawns == [host(3), host(4)])
    _ = pools.load(3) + pools.load(4)
    let next = pools.state.handle(.elapsed(.growth(pools.kind)))
    #expect(next.spawns == (5...8).map { host($0) })
    #expect(next.contains(.wait(.growth(pools.kind), .milliseconds(10))))
  }

  @Test func `hosts that load are counted`() {
    var (pools, _) = held(waiting: 9)
    _ = pools.state.handle(.elapsed(.growth(pools.kind)))
    #expect(pools.state.handle(.elapsed(.growth(pools.kind))).spawns.isEmpty)
  }

  @Test func `a pool whose hosts each end a run meanwhile does not grow`() {
    var (pools, _) = held(waiting: 5)
    #expect(pools.end(1, 1).begins == [run(3): host(1)])
    #expect(pools.end(2, 2).begins == [run(4): host(2)])
    #expect(pools.state.handle(.elapsed(.growth(pools.kind))).spawns.isEmpty)
    #expect(pools.state.handle(.elapsed(.growth(pools.kind))).spawns.count == 2, "they ended none after that")
  }

  @Test func `growth is limited by the number of waiting runs and by the limits`() {
    var (few, _) = held(waiting: 1)
    #expect(few.state.handle(.elapsed(.growth(few.kind))).spawns == [host(3)])
    var (full, _) = held(waiting: 9) { $0.hostsPerKindMax = 3 }
    let effects = full.state.handle(.elapsed(.growth(full.kind)))
    #expect(effects.spawns == [host(3)])
    let wait = HostWait(.ofKind, inUse: 3, max: 3, holder: (run(1), JobName("x")!))
    #expect(effects.notes == [.waiting(run(3), JobName("x")!, wait)])
  }

  @Test func `growth is not watched when no run waits`() {
    var (pools, _) = held(waiting: 1)
    _ = pools.end(1, 1)
    #expect(pools.state.handle(.elapsed(.growth(pools.kind))).isEmpty)
  }

  @Test func `a shutdown stops the growth`() {
    var (pools, _) = held(waiting: 1)
    #expect(pools.state.handle(.shutDown).contains(.forget(.growth(pools.kind))))
  }
}
