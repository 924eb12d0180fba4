import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

@Suite struct `Runs that wait for a plugin host` {

  @Test func `show the reason, and only the first of many is logged`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1)
    let wait = HostWait(.all, inUse: 1, max: 1, holder: (run(1), JobName("x")!))
    #expect(
      pools.start(2, kind: pools.other) == [.waits(run(2)), .note(.waiting(run(2), JobName("x")!, wait))])
    #expect(pools.start(3, kind: pools.other) == [.waits(run(3))])
    #expect(pools.state.wait(for: pools.other).text == "for a plugin host: 1 of 1 in use, by job x run 1")
  }

  @Test(arguments: [
    (
      HostWait(.all, inUse: 64, max: 64, holder: (run(12), JobName("x")!)),
      "for a plugin host: 64 of 64 in use, the longest by job x run 12"
    ),
    (
      HostWait(.ofKind, inUse: 32, max: 32),
      "for a plugin host: 32 of the 32 that one plugin may have in use"
    ),
    (HostWait(.none, inUse: 0, max: 32), "for a plugin host, which is being started"),
    (
      HostWait(.shortage("fork failed"), inUse: 1, max: 1),
      "for a plugin host, which cannot be started just now: fork failed"
    ),
  ])
  func `show the limit and its use`(_ wait: HostWait, _ text: String) {
    #expect(wait.text == text)
  }

  @Test func `state the fact and the remedy in the log`() {
    let wait = HostWait(.all, inUse: 1, max: 1, holder: (run(1), JobName("x")!))
    #expect(
      HostNote.waiting(run(2), JobName("x")!, wait).description
        == "job x: run 2 waits for a plugin host: 1 of 1 in use, by job x run 1: "
        + "raise `plugin-hosts-max`, or have runs end sooner")
  }

  @Test func `wait in any number, are served in order, and do not fail`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1)
    let count: UInt64 = 20_000
    for number in 2...count { #expect(pools.start(number).ends.isEmpty) }
    #expect(pools.state.waitingCount == Int(count) - 1)
    for number in 1..<count {
      let effects = pools.end(1, number)
      #expect(effects.begins == [run(number + 1): host(1)] || effects.letGo == [host(1)])
      guard effects.begins.isEmpty else { continue }
      // The host has done its number of runs.
      let next = pools.exit(1, .exited(0)).spawns.first?.number ?? 0
      #expect(next > 1)
      break
    }
  }

  @Test func `have a host that is being started, as long as there is one for each`() {
    var pools = Pools { $0.hostsMax = 2 }
    _ = pools.start(1)
    #expect(pools.state.isStarting(pools.kind) && !pools.state.isStarting(pools.other))
    _ = pools.load(1)
    #expect(!pools.state.isStarting(pools.kind), "none waits")
    _ = pools.start(2)
    #expect(pools.state.isStarting(pools.kind))
    _ = pools.start(3)
    #expect(!pools.state.isStarting(pools.kind), "the third waits for a run to end")
  }

  @Test func `are removed from the queue, but not from a host`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2)
    #expect(pools.state.handle(.dequeue(run(1))).isEmpty)
    #expect(pools.state.handle(.dequeue(run(2))).ends[run(2)]?.outcome.status == .cancelled)
    #expect(pools.end(1, 1).begins.isEmpty)
  }

  @Test func `go on waiting while a system resource is short, until a retry succeeds`() {
    var pools = Pools()
    _ = pools.start(1)
    let short = pools.state.handle(.spawnPutOff(host(1), "fork: resource temporarily unavailable"))
    #expect(short.ends.isEmpty)
    #expect(short.contains(.wait(.shortage, pools.state.limits.pauseFrom)))
    #expect(pools.start(2).spawns.isEmpty && pools.start(3, kind: pools.other).spawns.isEmpty)
    #expect(pools.state.handle(.elapsed(.shortage)).spawns == [host(2), host(3), host(4)])
    #expect(pools.load(2).begins == [run(1): host(2)])
  }

  @Test func `end when their job pauses after the death of hosts, and those of other jobs go on waiting`() {
    var pools = Pools { ($0.hostsMax, $0.deathsBeforePause) = (1, 1) }
    _ = pools.start(1, job: "x") + pools.load(1) + pools.start(2, job: "x") + pools.start(3, job: "y")
    let died = pools.exit(1, .signalled(Signal(rawValue: 11)))
    #expect(died.ends.keys.sorted() == [run(1), run(2)])
    #expect(pools.state.waitingCount == 1)
  }
}
