import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineHostPool

@Suite struct `The choice of a host for a run` {
  @Test func `the first run starts a host and begins when the host has loaded`() {
    var pools = Pools()
    let started = pools.start(1)
    #expect(started == [.spawn(host(1), pools.kind), .wait(.load(host(1)), .seconds(10)), .waits(run(1))])
    let loaded = pools.load(1)
    #expect(
      loaded == [
        .forget(.load(host(1))), .begin(host(1), pools.request(1), .new(0)),
        .started(run(1), host(1), hasWaited: true),
      ])
    #expect(pools.end(1, 1) == [.ended(run(1), pools.success)])
  }

  @Test func `a warm host and its open instance are used again`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    let again = pools.start(2)
    #expect(again.contains(.started(run(2), host(1), hasWaited: false)))
    #expect(again.begins == [run(2): host(1)])
    #expect(again.instances == [.open(0)])
    #expect(again.spawns.isEmpty)
  }

  @Test func `runs that overlap have a host each`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    #expect(pools.start(2).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
    #expect(pools.state.hostCount == 2)
  }

  @Test func `the run that has waited longest gets the first free host`() {
    var pools = Pools { $0.hostsPerKindMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.start(3)
    #expect(pools.end(1, 1).begins == [run(2): host(1)])
    #expect(pools.end(1, 2).begins == [run(3): host(1)])
  }

  @Test func `a host of a job's user ends after a long idle time, and no other host does`() {
    var pools = Pools()
    let user = HostSpec(pluginPath: pools.kind.pluginPath, user: "nobody")
    let limit = HostPoolEffect.wait(.idle(host(1)), .seconds(90))
    #expect(!(pools.start(1, kind: user) + pools.load(1)).contains(limit))
    #expect(pools.end(1, 1) == [.ended(run(1), pools.success), limit])
    #expect(pools.start(2, kind: user).contains(.forget(.idle(host(1)))))
    #expect(pools.state.handle(.elapsed(.idle(host(1)))) == [], "it is busy")
    #expect(pools.end(1, 2).contains(limit))
    #expect(pools.state.handle(.elapsed(.idle(host(1)))).letGo == [host(1)])
    _ = pools.exit(1, .exited(0))
    _ = pools.start(3) + pools.load(2)
    #expect(pools.end(2, 3) == [.ended(run(3), pools.success)])
  }

  @Test(
    arguments: [
      { $0.credentials = ["key": "/etc/key"] }, { $0.environmentFiles = [ExpectedPath("/etc/default/x")] },
      { $0.processorTime = .seconds(1) },
    ] as [@Sendable (inout HostSetup) -> Void])
  func `a host for one run is not kept, with or without that run`(
    adjust: @Sendable (inout HostSetup) -> Void
  ) {
    var pools = Pools()
    var kind = pools.kind
    adjust(&kind.setup)
    #expect((pools.start(1, kind: kind) + pools.load(1)).begins == [run(1): host(1)])
    #expect(pools.end(1, 1).letGo == [host(1)])
    // When the host has loaded, its run does not wait any more.
    _ = pools.start(2, kind: kind) + pools.state.handle(.dequeue(run(2)))
    #expect(pools.load(2).letGo == [host(2)])
    #expect(pools.start(3, kind: kind).spawns == [host(3)])
    #expect(pools.state.handle(.refused(host(3), "no")).ends.keys.contains(run(3)))
    #expect(pools.start(4, kind: kind).spawns == [host(4)], "no pause")
  }

  @Test func `a host that stays with leftovers is released, and the next waiting run gets another`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2)
    #expect(pools.state.handle(.leaving(host(1))) == [])
    let effects = pools.end(1, 1)
    #expect(effects.starts(with: [.ended(run(1), pools.success), .release(host(1), JobName("x")!)]))
    #expect(effects.letGo.isEmpty && effects.spawns == [host(2)])
    #expect(pools.exit(1, .exited(0)) == [], "its end is nobody's affair")
    #expect(pools.load(2).begins == [run(2): host(2)])
  }

  @Test func `a host that stays with leftovers does not delay a shutdown`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.state.handle(.leaving(host(1)))
    _ = pools.state.handle(.shutDown)
    let effects = pools.end(1, 1)
    #expect(effects.contains(.forget(.end(host(1)))) && effects.last == .finished)
  }

  @Test func `a run that crosses with its host's retirement gets another host`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.start(2)
    let effects = pools.state.handle(.retiring(host(1)))
    #expect(effects.letGo == [host(1)] && effects.spawns == [host(2)] && effects.contains(.waits(run(2))))
    #expect(pools.exit(1, .exited(0)).notes.isEmpty)
    #expect(pools.load(2).begins == [run(2): host(2)])
    _ = pools.end(2, 2)
    #expect(pools.state.handle(.retiring(host(2))).letGo == [host(2)], "at rest")
    _ = pools.start(3) + pools.load(3) + pools.state.handle(.kill(run(3), .cancel))
    #expect(pools.state.handle(.retiring(host(3))).ends[run(3)]?.outcome.status == .cancelled)
    #expect(pools.state.handle(.retiring(host(3))).isEmpty, "it ends already")
  }

  @Test func `plugins and users never share a host`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, kind: pools.other).spawns == [host(2)])
    let user = HostSpec(pluginPath: pools.kind.pluginPath, user: "nobody")
    #expect(pools.start(3, kind: user).spawns == [host(3)])
  }

  @Test func `a job with a new revision or other parameters is opened anew`() {
    var pools = Pools { $0.idleHostsPerKindMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, revision: 7).instances == [.replacing(0)])
    _ = pools.end(1, 2)
    #expect(pools.start(3, revision: 7).instances == [.open(0)])
    _ = pools.end(1, 3)
    var other = pools.request(4, revision: 7)
    other.parameters = "{\"a\":1}"
    #expect(pools.state.handle(.start(other)).instances == [.replacing(0)])
  }

  @Test func `jobs of one plugin keep a warm host each up to the limit, then take turns`() {
    var pools = Pools { $0.idleHostsPerKindMax = 2 }
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, job: "y").spawns == [host(2)])
    _ = pools.load(2) + pools.end(2, 2)
    #expect(pools.start(3, job: "x").begins == [run(3): host(1)])
    _ = pools.end(1, 3)
    let third = pools.start(4, job: "z")
    #expect(third.begins == [run(4): host(2)])
    #expect(third.instances == [.replacing(0)])
  }

  @Test func `a host without an instance is preferred to a new one`() {
    var pools = Pools()
    _ = pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)) + pools.load(1)
    let started = pools.start(1)
    #expect(started.begins == [run(1): host(1)])
    #expect(started.instances == [.new(0)])
  }

  @Test func `jobs of a plugin with several instances keep their instances open in a shared host`() {
    var pools = Pools { $0.idleHostsPerKindMax = 1 }
    pools.identity.instancesMax = 2
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    let second = pools.start(2, job: "y")
    #expect(second.spawns.isEmpty)
    #expect(second.instances == [.new(1)])
    _ = pools.end(1, 2)
    #expect(pools.start(3, job: "x").instances == [.open(0)])
    _ = pools.end(1, 3)
    #expect(pools.start(4, job: "y", revision: 7).instances == [.replacing(1)])
    _ = pools.end(1, 4)
    #expect(pools.state.handle(.retain([pools.kind: [JobName("y")!]])) == [.closeInstance(host(1), 0)])
    #expect(pools.start(5, job: "z").instances == [.new(0)])
  }

  @Test func `jobs that can share a host have one each up to the limit`() {
    var pools = Pools { $0.idleHostsPerKindMax = 2 }
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, job: "y").spawns == [host(2)])
    _ = pools.load(2) + pools.end(2, 2)
    let third = pools.start(3, job: "z")
    #expect(third.spawns.isEmpty)
    #expect(third.instances == [.new(1)])
  }

  @Test func `jobs that take turns one at a time share a host, and others have one each`() {
    var pools = Pools(takingTurns: 1, jobs: ["x", "y", "z"])
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    for (run, job, number) in [(UInt64(2), "y", InstanceNumber(1)), (3, "z", 2)] {
      let started = pools.start(run, job: job)
      #expect(started.spawns.isEmpty)
      #expect(started.instances == [.new(number)])
      _ = pools.end(1, run)
    }
    #expect(pools.start(4, job: "x").instances == [.open(0)])
    _ = pools.end(1, 4)
    #expect(pools.start(5, job: "alone").spawns == [host(2)])
  }

  @Test func `jobs of a group with limit 2 share two hosts, the one used last first`() {
    var pools = Pools(takingTurns: 2, jobs: ["v", "w", "x", "y", "z"])
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1)
    #expect(pools.start(2, job: "y").spawns == [host(2)])
    _ = pools.load(2) + pools.end(2, 2) + pools.end(1, 1)
    #expect(pools.start(3, job: "z").begins == [run(3): host(1)])
    #expect(pools.start(4, job: "w").begins == [run(4): host(2)])
    _ = pools.end(1, 3) + pools.end(2, 4)
    #expect(pools.start(5, job: "v").begins == [run(5): host(2)])
  }

  @Test func `jobs that take turns do not share a host of a plugin that allows one instance`() {
    var pools = Pools(takingTurns: 1, jobs: ["x", "y"])
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, job: "y").spawns == [host(2)])
  }

  @Test
  func `a job does not wait for the warm host of its group while that host runs a job outside of the group`()
  {
    var pools = Pools(takingTurns: 1, jobs: ["x", "y"]) { $0.idleHostsPerKindMax = 1 }
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, job: "alone").begins == [run(2): host(1)])
    #expect(pools.start(3, job: "y").spawns == [host(2)])
  }

  @Test func `a run goes to the host that has its instance open, at any position in the pool`() {
    var pools = Pools()
    pools.identity.instancesMax = 9
    var homes: [String: (host: HostID, number: InstanceNumber)] = [:]
    var random = SeededGenerator(seed: 11)
    for number in UInt64(1)...200 {
      let job = "j\(random.next() % 24)"
      var effects = pools.start(number, job: job)
      if let spawned = effects.spawns.first { effects += pools.load(spawned.number) }
      guard let host = effects.begins[run(number)], let use = effects.instances.first else {
        Issue.record("run \(number) did not begin")
        return
      }
      if let home = homes[job] { #expect(home.host == host && use == .open(home.number), "seed 11") }
      homes[job] = (host, use.number)
      _ = pools.end(host.number, number)
    }
    #expect(Set(homes.values.map(\.host)).count == pools.state.limits.idleHostsPerKindMax)
  }

  @Test func `the instance that was unused for longest is closed when there is no room for another`() {
    var pools = Pools { ($0.instancesPerHostMax, $0.idleHostsPerKindMax) = (2, 1) }
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    _ = pools.start(2, job: "y") + pools.end(1, 2)
    _ = pools.start(3, job: "x") + pools.end(1, 3)
    #expect(pools.start(4, job: "z").instances == [.replacing(1)])
  }

  @Test func `an instance that could not be opened is opened again for the next run`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    let failed = pools.state.handle(.openFailed(host(1), run(1), .failed("no such file")))
    #expect(failed.ends[run(1)]?.outcome.message == "no such file")
    #expect(pools.start(2).instances == [.new(0)])
  }

  @Test func `a host is replaced after its number of runs, so that a leak stays small`() {
    var pools = Pools { $0.runsPerHostMax = 2 }
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.start(2)
    let last = pools.end(1, 2)
    #expect(last.letGo == [host(1)])
    #expect(last.notes == [.recycled(pools.kind, runs: 2)])
    #expect(pools.start(3).spawns == [host(2)])
  }

  @Test func `the number of warm hosts is limited`() {
    var pools = Pools { $0.idleHostsPerKindMax = 2 }
    for number in 1...4 as ClosedRange<UInt64> { _ = pools.start(number) + pools.load(number) }
    #expect(pools.end(1, 1).letGo.isEmpty)
    #expect(pools.end(2, 2).letGo.isEmpty)
    #expect(pools.end(3, 3).letGo == [host(1)])
    #expect(pools.end(4, 4).letGo == [host(2)])
  }

  @Test func `an idle host of another plugin makes room`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    let second = pools.start(2, kind: pools.other)
    #expect(second.letGo == [host(1)])
    #expect(second.spawns.isEmpty)
    #expect(pools.exit(1, .exited(0)).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
  }

  @Test func `a host that becomes idle makes room for a waiting run of another plugin`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2, kind: pools.other)
    #expect(pools.end(1, 1).letGo == [host(1)])
    #expect(pools.exit(1, .exited(0)).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
  }

  @Test func `the run that has waited longest gets the room, for any plugin`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.start(3, kind: pools.other) + pools.start(4)
    #expect(pools.end(1, 1).begins == [run(2): host(1)])
    #expect(pools.end(1, 2).letGo == [host(1)])
    #expect(pools.exit(1, .exited(0)).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(3): host(2)])
    #expect(pools.end(2, 3).letGo == [host(2)])
    #expect(pools.exit(2, .exited(0)).spawns == [host(3)])
    #expect(pools.load(3).begins == [run(4): host(3)])
  }
}
