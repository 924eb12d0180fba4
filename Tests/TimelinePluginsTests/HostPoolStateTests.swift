import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelinePlugins

/// Pools with a short memory: each call returns the effects of one event.
struct Pools {
  var state: HostPoolState
  let kind = HostKind(pluginPath: "/plugins/a.so")
  let other = HostKind(pluginPath: "/plugins/b.so")
  var runs: UInt64 = 0

  init(_ adjust: (inout HostLimits) -> Void = { _ in }) {
    var limits = HostLimits()
    adjust(&limits)
    state = HostPoolState(limits: limits)
  }

  func request(_ run: UInt64, job: String = "x", kind: HostKind? = nil, revision: UInt64 = 0) -> PluginRun {
    let name = JobName(job) ?? JobName("invalid")
    guard let name else { preconditionFailure("\(job) is not a job's name") }
    return PluginRun(
      attempt: Attempt(
        run: RunID(number: run), entry: EntryKey(job: name, nominal: .epoch), cause: .schedule,
        startedAt: .epoch),
      kind: kind ?? self.kind, revision: revision)
  }

  mutating func start(_ run: UInt64, job: String = "x", kind: HostKind? = nil, revision: UInt64 = 0)
    -> [HostPoolEffect]
  {
    state.handle(.start(request(run, job: job, kind: kind, revision: revision)))
  }

  mutating func load(_ host: UInt64) -> [HostPoolEffect] {
    state.handle(.loaded(HostID(number: host), identity))
  }

  mutating func end(_ host: UInt64, _ run: UInt64) -> [HostPoolEffect] {
    state.handle(.ended(HostID(number: host), RunID(number: run), success))
  }

  mutating func exit(_ host: UInt64, _ exit: ProcessEnd) -> [HostPoolEffect] {
    state.handle(.exited(HostID(number: host), exit))
  }

  var identity = PluginIdentity(name: "a", version: "1", schema: "{}")
  let success = PluginRunEnd(outcome: AttemptOutcome(status: .succeeded))
}

func host(_ number: UInt64) -> HostID { HostID(number: number) }
func run(_ number: UInt64) -> RunID { RunID(number: number) }

extension [HostPoolEffect] {
  /// The ends among the effects.
  var ends: [RunID: PluginRunEnd] {
    var ends: [RunID: PluginRunEnd] = [:]
    for case .ended(let run, let end) in self { ends[run] = end }
    return ends
  }

  /// Which run begins in which host.
  var begins: [RunID: HostID] {
    var begins: [RunID: HostID] = [:]
    for case .begin(let host, let request, _) in self { begins[request.run] = host }
    return begins
  }

  /// The instances that begin, in order.
  var instances: [InstanceUse] {
    compactMap { if case .begin(_, _, let use) = $0 { use } else { nil } }
  }

  var spawns: [HostID] {
    compactMap { if case .spawn(let host, _) = $0 { host } else { nil } }
  }

  var letGo: [HostID] {
    compactMap { if case .letGo(let host) = $0 { host } else { nil } }
  }

  var notes: [HostNote] {
    compactMap { if case .note(let note) = $0 { note } else { nil } }
  }
}

@Suite struct `Which host takes which run` {
  @Test func `The first run starts a host and begins when it has loaded`() {
    var pools = Pools()
    let started = pools.start(1)
    #expect(started == [.spawn(host(1), pools.kind), .wait(.load(host(1)), .seconds(10))])
    let loaded = pools.load(1)
    #expect(
      loaded == [
        .forget(.load(host(1))), .begin(host(1), pools.request(1), .new(0)),
        .started(run(1), host(1)),
      ])
    #expect(pools.end(1, 1) == [.ended(run(1), pools.success)])
  }

  @Test func `A warm host and its open instance are used again`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    let again = pools.start(2)
    #expect(again.begins == [run(2): host(1)])
    #expect(again.instances == [.open(0)])
    #expect(again.spawns.isEmpty)
  }

  @Test func `Runs that overlap have a host each`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    #expect(pools.start(2).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
    #expect(pools.state.hostCount == 2)
  }

  @Test func `Whoever has waited longest gets the first host that is free`() {
    var pools = Pools { $0.hostsPerKindMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.start(3)
    #expect(pools.end(1, 1).begins == [run(2): host(1)])
    #expect(pools.end(1, 2).begins == [run(3): host(1)])
  }

  @Test func `Plugins and users never share a host`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, kind: pools.other).spawns == [host(2)])
    let user = HostKind(pluginPath: pools.kind.pluginPath, user: "nobody")
    #expect(pools.start(3, kind: user).spawns == [host(3)])
  }

  @Test func `A job with a new revision or other parameters is opened anew`() {
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

  @Test func `Jobs of one plugin keep a warm host each as far as there may be some, then take turns`() {
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

  @Test func `A host without an instance is preferred to a new one`() {
    var pools = Pools()
    _ = pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)) + pools.load(1)
    let started = pools.start(1)
    #expect(started.begins == [run(1): host(1)])
    #expect(started.instances == [.new(0)])
  }

  @Test func `A plugin that can have several instances keeps each job's open in a host that they share`() {
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

  @Test func `Jobs that can share a host have one each as far as there may be some`() {
    var pools = Pools { $0.idleHostsPerKindMax = 2 }
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    #expect(pools.start(2, job: "y").spawns == [host(2)])
    _ = pools.load(2) + pools.end(2, 2)
    let third = pools.start(3, job: "z")
    #expect(third.spawns.isEmpty)
    #expect(third.instances == [.new(1)])
  }

  @Test func `What has rested longest is closed where there is no room for another instance`() {
    var pools = Pools { ($0.instancesPerHostMax, $0.idleHostsPerKindMax) = (2, 1) }
    pools.identity.instancesMax = 9
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    _ = pools.start(2, job: "y") + pools.end(1, 2)
    _ = pools.start(3, job: "x") + pools.end(1, 3)
    #expect(pools.start(4, job: "z").instances == [.replacing(1)])
  }

  @Test func `An instance that could not be opened is opened again for the next run`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    let failed = pools.state.handle(.openFailed(host(1), run(1), .failed("no such file")))
    #expect(failed.ends[run(1)]?.outcome.message == "no such file")
    #expect(pools.start(2).instances == [.new(0)])
  }

  @Test func `A host is replaced after its number of runs, so that a leak stays small`() {
    var pools = Pools { $0.runsPerHostMax = 2 }
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.start(2)
    let last = pools.end(1, 2)
    #expect(last.letGo == [host(1)])
    #expect(last.notes == [.recycled(pools.kind, runs: 2)])
    #expect(pools.start(3).spawns == [host(2)])
  }

  @Test func `Only so many hosts stay warm`() {
    var pools = Pools { $0.idleHostsPerKindMax = 2 }
    for number in 1...4 as ClosedRange<UInt64> { _ = pools.start(number) + pools.load(number) }
    #expect(pools.end(1, 1).letGo.isEmpty)
    #expect(pools.end(2, 2).letGo.isEmpty)
    #expect(pools.end(3, 3).letGo == [host(1)])
    #expect(pools.end(4, 4).letGo == [host(2)])
  }

  @Test func `A resting host of another plugin makes room`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    let second = pools.start(2, kind: pools.other)
    #expect(second.letGo == [host(1)])
    #expect(second.spawns.isEmpty)
    #expect(pools.exit(1, .exited(0)).spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
  }

  @Test func `A run that must wait for room is noted once`() {
    var pools = Pools { $0.hostsMax = 1 }
    _ = pools.start(1) + pools.load(1)
    #expect(pools.start(2, kind: pools.other).notes == [.waiting(run(2), JobName("x")!, hosts: 1)])
  }

  @Test func `Too many who wait fail at once and are worth another try`() {
    var pools = Pools {
      $0.hostsMax = 1
      $0.waitingMax = 1
    }
    _ = pools.start(1) + pools.load(1) + pools.start(2)
    let refused = pools.start(3).ends[run(3)]
    #expect(refused?.outcome.isWorthRetrying == true)
    #expect(refused?.outcome.message.contains("1 runs wait") == true)
  }
}

@Suite struct `What becomes of runs whose host dies` {
  @Test(arguments: [
    (
      ProcessEnd.signalled(Signal(rawValue: 11)), "the plugin crashed: SIGSEGV in job x; its host is replaced"
    ),
    (.signalled(Signal(rawValue: 6)), "the plugin crashed: SIGABRT in job x; its host is replaced"),
    (.signalled(Signal(rawValue: 9)), "the kernel when memory ran out"),
    (.exited(0), "the plugin called exit(0) in job x instead of returning; its host is replaced"),
    (.exited(3), "exit(3)"),
  ])
  func `A run ends with the plugin's file, the reason and a remedy, and the next one has a new host`(
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

  @Test func `A plugin that does not load fails its runs at once, for longer and longer`() {
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

  @Test func `A refusal is told in the plugin's words, and once it loads all is forgotten`() {
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

  @Test func `A host that does not answer in time is killed`() {
    var pools = Pools()
    _ = pools.start(1)
    let late = pools.state.handle(.elapsed(.load(host(1))))
    #expect(late.first == .kill(host(1)))
    #expect(late.ends[run(1)]?.outcome.message.contains("not loaded within 10 s") == true)
    #expect(pools.exit(1, .signalled(Signal(rawValue: 9))).ends.isEmpty)
  }

  @Test func `A job that keeps killing its hosts pauses alone`() {
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

  @Test func `A host that dies at rest costs no run`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.state.handle(.closed(host(1)))
    #expect(pools.start(2).spawns == [host(2)])
    let died = pools.exit(1, .signalled(Signal(rawValue: 11)))
    #expect(died.ends.isEmpty)
    #expect(died.notes == [.diedIdle(pools.kind, .signalled(Signal(rawValue: 11)))])
  }

  @Test func `A run that found its host dead goes to another`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1) + pools.start(2)
    let back = pools.state.handle(.undelivered(host(1), run(2)))
    #expect(back.ends.isEmpty)
    #expect(back.spawns == [host(2)])
    #expect(pools.load(2).begins == [run(2): host(2)])
  }

  @Test func `A host that hangs on after its socket closed is killed`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    #expect(pools.state.handle(.closed(host(1))) == [.wait(.end(host(1)), .seconds(2))])
    #expect(pools.state.handle(.elapsed(.end(host(1)))) == [.kill(host(1))])
    let message = pools.exit(1, .signalled(Signal(rawValue: 9))).ends[run(1)]?.outcome.message
    #expect(message?.contains("closed the host's connection") == true)
  }
}

@Suite struct `How runs are stopped` {
  @Test func `Asking goes to the host, force kills it`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1)
    #expect(
      pools.state.handle(.askToStop(run(1), .timeout)) == [.askToStop(host(1), run(1), .timeout)])
    #expect(pools.state.handle(.kill(run(1), .timeout)) == [.kill(host(1))])
    let end = pools.exit(1, .signalled(Signal(rawValue: 9))).ends[run(1)]
    #expect(end?.outcome.status == .cancelled)
    #expect(end?.outcome.message.contains("it outlived its timeout") == true)
  }

  @Test func `A run that waits ends at once`() {
    var pools = Pools()
    _ = pools.start(1)
    #expect(pools.state.handle(.askToStop(run(1), .cancel)).ends[run(1)]?.outcome.status == .cancelled)
    #expect(pools.load(1).begins.isEmpty)
  }

  @Test func `A killed host that got its answer out in time is not used again`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.state.handle(.kill(run(1), .timeout))
    #expect(pools.end(1, 1).ends[run(1)] == pools.success)
    #expect(pools.start(2).spawns == [host(2)])
    #expect(pools.exit(1, .signalled(Signal(rawValue: 9))).ends.isEmpty)
  }

  @Test func `Shutting down lets resting hosts go, asks busy ones, and says when all are gone`() {
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

  @Test func `Shutting down with nothing there finishes at once`() {
    var pools = Pools()
    #expect(pools.state.handle(.shutDown) == [.finished])
  }
}

@Suite struct `What a reload and an inquiry do` {
  @Test func `A reload lifts pauses and lets go what is not wanted`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.end(1, 1)
    _ = pools.start(2, kind: pools.other)
    _ = pools.exit(2, .exited(1))
    let reloaded = pools.state.handle(.retain([pools.other: [JobName("x")!]]))
    #expect(reloaded.contains(.forget(.kindPause(pools.other))))
    #expect(reloaded.letGo == [host(1)])
    #expect(pools.start(3, kind: pools.other).spawns == [host(3)])
  }

  @Test func `A reload closes the instance of a job that is gone`() {
    var pools = Pools()
    _ = pools.start(1, job: "x") + pools.load(1) + pools.end(1, 1)
    let reloaded = pools.state.handle(.retain([pools.kind: [JobName("y")!]]))
    #expect(reloaded == [.closeInstance(host(1), 0)])
    #expect(pools.start(2, job: "y").instances == [.new(0)])
  }

  @Test func `A plugin whose file was replaced gets a new host, and the old one goes when it rests`() {
    var pools = Pools()
    _ = pools.start(1) + pools.load(1) + pools.start(2) + pools.load(2) + pools.end(1, 1)
    #expect(pools.state.handle(.outdated(host(1))).letGo == [host(1)])
    #expect(pools.state.handle(.outdated(host(2))).isEmpty)
    #expect(pools.end(2, 2).letGo == [host(2)])
    #expect(pools.start(3).spawns == [host(3)])
  }

  @Test func `An inquiry loads the plugin once and then knows`() {
    var pools = Pools()
    #expect(pools.state.handle(.inquire(InquiryID(number: 1), pools.kind)).spawns == [host(1)])
    #expect(pools.load(1).contains(.answered(InquiryID(number: 1), .success(pools.identity))))
    #expect(
      pools.state.handle(.inquire(InquiryID(number: 2), pools.kind)) == [
        .answered(InquiryID(number: 2), .success(pools.identity))
      ])
  }

  @Test func `An inquiry about a plugin that does not load fails with the reason`() {
    var pools = Pools()
    _ = pools.state.handle(.inquire(InquiryID(number: 1), pools.kind))
    let refused = pools.state.handle(.refused(host(1), "/plugins/a.so: not a library"))
    #expect(
      refused.contains(.answered(InquiryID(number: 1), .failure(HostFailure("/plugins/a.so: not a library"))))
    )
  }
}
