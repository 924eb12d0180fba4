import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

@Suite struct `Runs whose host dies` {
  @Test(arguments: [
    (
      ProcessEnd.signalled(Signal(rawValue: 11)), "the plugin crashed: SIGSEGV in job x; its host is replaced"
    ),
    (.signalled(Signal(rawValue: 6)), "the plugin crashed: SIGABRT in job x; its host is replaced"),
    (.signalled(Signal(rawValue: 9)), "the kernel when memory ran out"),
    (.exited(0), "the plugin called exit(0) in job x instead of returning; its host is replaced"),
    (.exited(3), "exit(3)"),
  ])
  func `a run whose host dies fails with file, reason and remedy, and the next has a new host`(
    exit: ProcessEnd, expected: String
  ) {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.state.handle(.closed(host(1)))
    let end = pools.exit(1, exit).ends[run(1)]
    #expect(end?.outcome.status == .failed)
    #expect(end?.outcome.message.hasPrefix("/plugins/a.so: ") == true)
    #expect(end?.outcome.message.contains(expected) == true, "\(end?.outcome.message ?? "no end")")
    #expect(pools.start(2).spawns == [host(2)])
  }

  @Test func `a plugin that does not load fails its runs at once during growing pauses`() {
    var pools = Pools {
      $0.pauseFrom = .milliseconds(200)
      $0.pauseTo = .milliseconds(500)
    }
    var pauses: [ElapsedTime] = []
    for number in 1...4 as ClosedRange<UInt64> {
      _ = pools.start(number * 2)
      let died = pools.exit(number, .signalled(Signal(rawValue: 11)))
      #expect(died.ends[run(number * 2)]?.outcome.message.contains("while it was loaded: SIGSEGV") == true)
      for case .wait(.kindPause, let pause) in died { pauses.append(pause) }
      let meanwhile = pools.start(number * 2 + 1)
      #expect(
        meanwhile.ends[run(number * 2 + 1)]?.outcome.message.contains("not tried again so soon") == true)
      #expect(meanwhile.spawns.isEmpty)
      _ = pools.state.handle(.elapsed(.kindPause(pools.kind)))
    }
    #expect(pauses == [.milliseconds(200), .milliseconds(400), .milliseconds(500), .milliseconds(500)])
  }

  @Test func `a refusal fails the run with its own text, and a successful load ends the pause`() {
    var pools = Pools()
    _ = pools.start(1)
    let refused = pools.state.handle(.refused(host(1), "/plugins/a.so: wrong ABI; rebuild it"))
    #expect(refused.ends[run(1)]?.outcome.message == "/plugins/a.so: wrong ABI; rebuild it")
    _ = pools.exit(1, .exited(1))
    _ = pools.state.handle(.elapsed(.kindPause(pools.kind)))
    _ = pools.start(2)
    #expect(pools.load(2).begins == [run(2): host(2)])
    _ = pools.state.handle(.ended(host(2), run(2), pools.success))
    _ = pools.exit(2, .signalled(Signal(rawValue: 15)))
    _ = pools.start(3)
    let again = pools.exit(3, .exited(1))
    #expect(again.contains(.wait(.kindPause(pools.kind), HostLimits().pauseFrom)))
  }

  @Test func `a host that does not load in time is killed`() {
    var pools = Pools()
    _ = pools.start(1)
    let late = pools.state.handle(.elapsed(.load(host(1))))
    #expect(late.first == .kill(host(1)))
    #expect(late.ends[run(1)]?.outcome.message.contains("not loaded within 10 s") == true)
    #expect(pools.exit(1, .signalled(Signal(rawValue: 9))).ends.isEmpty)
  }

  @Test func `a job that keeps killing its hosts pauses, and no other job does`() {
    var pools = Pools()
    for number in 1...3 as ClosedRange<UInt64> {
      _ = pools.start(number, job: "bad") + pools.load(number)
      _ = pools.exit(number, .signalled(Signal(rawValue: 11)))
    }
    #expect(
      pools.start(4, job: "bad").ends[run(4)]?.outcome.message.contains("not tried again so soon") == true)
    #expect(pools.start(5, job: "good").spawns == [host(4)])
    _ = pools.load(4) + pools.end(4, 5)
    _ = pools.state.handle(.elapsed(.jobPause(pools.kind, JobName("bad")!)))
    #expect(pools.start(6, job: "bad").spawns == [host(5)])
  }

  @Test func `the death of an idle host fails no run`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.state.handle(.closed(host(1)))
    #expect(pools.start(2).spawns == [host(2)])
    let died = pools.exit(1, .signalled(Signal(rawValue: 11)))
    #expect(died.ends.isEmpty)
    #expect(died.notes == [.diedIdle(pools.kind, .signalled(Signal(rawValue: 11)))])
  }

  @Test func `a run whose host turns out to be dead goes to another`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.start(2)
    let back = pools.state.handle(.undelivered(host(1), run(2)))
    #expect(back.ends.isEmpty)
    #expect(back.spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
  }

  @Test func `a host that lives on after its socket was closed is killed`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    #expect(pools.state.handle(.closed(host(1))) == [.wait(.end(host(1)), .seconds(2))])
    #expect(pools.state.handle(.elapsed(.end(host(1)))) == [.kill(host(1))])
    let message = pools.exit(1, .signalled(Signal(rawValue: 9))).ends[run(1)]?.outcome.message
    #expect(message?.contains("closed the host's connection") == true)
  }
}
