import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineHostPool

/// A simulation of hosts that load, run, crash, hang, send wrong messages and die as determined by a seed, and of an engine
/// that cancels runs.
struct SimulatedWorld {
  struct SimulatedHost {
    let kind: HostSpec
    var isLoaded = false
    var run: RunID?
    var isLeaving = false
    var isDoomed = false
    var instances: [InstanceNumber: JobName] = [:]
  }

  struct Planned {
    var time: Int64
    var order: Int
    var event: HostPoolEvent
  }

  var random: SeededGenerator
  var state: HostPoolState
  let limits: HostLimits
  var now: Int64 = 0
  var order = 0
  var planned: [Planned] = []
  var timers: [HostTimer: Int] = [:]
  var hosts: [HostID: SimulatedHost] = [:]
  var running: [RunID: HostID] = [:]
  /// The runs that were reported to wait.
  var waiting: Set<RunID> = []
  var unfinished: Set<RunID> = []
  var unanswered: Set<InquiryID> = []
  var finished = 0
  var complaints: [String] = []
  var ends: [AttemptResult.Status: Int] = [:]

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    var limits = HostLimits()
    limits.hostsMax = Int.random(in: 1...8, using: &random)
    limits.hostsPerKindMax = Int.random(in: 1...4, using: &random)
    limits.idleHostsMax = Int.random(in: 0...4, using: &random)
    limits.idleHostsPerKindMax = Int.random(in: 0...2, using: &random)
    limits.runsPerHostMax = Int.random(in: 1...6, using: &random)
    limits.promptHostsPerKindMax = Int.random(in: 1...4, using: &random)
    limits.instancesPerHostMax = Int.random(in: 1...3, using: &random)
    self.limits = limits
    state = HostPoolState(limits: limits)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func plan(within milliseconds: Int64, _ event: HostPoolEvent) {
    order += 1
    let time = now + Int64.random(in: 0...milliseconds * 1_000_000, using: &random)
    planned.append(Planned(time: time, order: order, event: event))
  }

  mutating func expect(_ condition: Bool, _ complaint: String) {
    if !condition { complaints.append("at \(now): \(complaint)") }
  }

  /// Simulates `count` runs, then a shutdown, and continues until no event is left.
  mutating func live(runs count: UInt64) {
    let kinds = ["a", "b", "c"].map { HostSpec(pluginPath: "/\($0).so") }
    for number in 1...count {
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      guard let job = JobName("job\(Int.random(in: 0..<4, using: &random))") else { return }
      let attempt = Attempt(
        run: RunID(number: number), entry: EntryKey(job: job, nominal: .epoch), cause: .schedule,
        startedAt: .epoch)
      let revision = UInt64(chance(10) ? 1 : 0)
      let isCalm = chance(70)
      now += isCalm ? Int64.random(in: 0...20_000_000, using: &random) : 0
      advance(to: now)
      unfinished.insert(attempt.run)
      perform(state.handle(.start(PluginRun(attempt: attempt, kind: kind, revision: revision))))
      plan(within: 3_000, .askToStop(attempt.run, .timeout))
      if chance(20) { plan(within: 3_000, .dequeue(attempt.run)) }
      planned.append(Planned(time: now + 4_000_000_000, order: 0, event: .kill(attempt.run, .timeout)))
      if chance(5) {
        let inquiry = InquiryID(number: number)
        unanswered.insert(inquiry)
        perform(state.handle(.inquire(inquiry, kind)))
      }
      if chance(2), let id = hosts.keys.min() { perform(state.handle(.outdated(id))) }
      if chance(2), let id = hosts.keys.max() { perform(state.handle(.changed(id))) }
      if chance(2) { perform(state.handle(.retain([kind: [job]]))) }
    }
    if chance(50) { advance(to: .max) }
    perform(state.handle(.shutDown))
    advance(to: .max)
    expect(unfinished.isEmpty, "runs without an end: \(unfinished)")
    expect(unanswered.isEmpty, "inquiries without an answer: \(unanswered)")
    expect(hosts.isEmpty, "hosts left: \(hosts)")
    expect(timers.isEmpty, "timers left: \(timers)")
    expect(finished == 1, "said to be finished \(finished) times")
  }

  /// Performs all events that are planned up to `time`, in order.
  mutating func advance(to time: Int64) {
    while let index = planned.indices.min(by: {
      (planned[$0].time, planned[$0].order) < (planned[$1].time, planned[$1].order)
    }), planned[index].time <= time {
      let next = planned.remove(at: index)
      now = max(now, next.time)
      happen(next)
    }
    if time < .max { now = max(now, time) }
  }

  private mutating func happen(_ next: Planned) {
    switch next.event {
    case .elapsed(let timer):
      guard timers[timer] == next.order else { return }
      timers[timer] = nil
    case .exited(let id, _):
      guard let host = hosts.removeValue(forKey: id) else { return }
      if let run = host.run { running[run] = nil }
    case .loaded(let id, _):
      guard hosts[id] != nil else { return }
      hosts[id]?.isLoaded = true
    case .ended(let id, let run, _), .openFailed(let id, let run, _):
      guard hosts[id]?.run == run else { return }
      hosts[id]?.run = nil
      running[run] = nil
      if case .ended = next.event, chance(5) { expect(state.handle(.leaving(id)).isEmpty, "leaving acts") }
    case .closed(let id): hosts[id]?.isLeaving = true
    case .undelivered(let id, let run):
      guard hosts[id]?.run == run else { return }
      hosts[id]?.run = nil
      hosts[id]?.isLeaving = true
      running[run] = nil
    default: break
    }
    perform(state.handle(next.event))
    if case .ended(let id, _, _) = next.event, chance(5) {
      // A run that was sent meanwhile is not begun.
      if let run = hosts[id]?.run { running[run] = nil }
      hosts[id]?.run = nil
      perform(state.handle(.retiring(id)))
    }
  }
}

// How the simulated world performs effects.
extension SimulatedWorld {
  mutating func perform(_ effects: [HostPoolEffect]) {
    for effect in effects { perform(effect) }
    expect(hosts.count <= limits.hostsMax, "\(hosts.count) hosts")
    for (kind, group) in Dictionary(grouping: hosts.values, by: \.kind) {
      expect(group.count <= limits.hostsPerKindMax, "\(group.count) hosts of \(kind)")
    }
    for (kind, group) in Dictionary(grouping: state.waiting, by: \.kind) {
      let ofKind = state.hosts.filter { $0.kind == kind }
      let mayHope =
        state.shortage != nil || ofKind.count(where: \.isLoading) >= group.count
        || ofKind.count >= limits.hostsPerKindMax
        || state.isGrowing(kind) || state.hostCount >= limits.hostsMax && !isInTheWay(of: kind)
      expect(mayHope, "\(group.count) wait for \(kind) in vain")
    }
    let inQueue = Set(state.waiting.compactMap(\.run))
    expect(inQueue == waiting, "\(inQueue) wait, and it was said of \(waiting)")
    let idle = hosts.values.count { $0.isLoaded && $0.run == nil && !$0.isLeaving && !$0.isDoomed }
    expect(idle <= limits.idleHostsMax, "\(idle) idle hosts")
  }

  /// Whether there is an idle host in whose place one of this kind could start, while no host is ending.
  private func isInTheWay(of kind: HostSpec) -> Bool {
    state.hosts.contains { $0.isReady && $0.kind != kind }
      && !state.hosts.contains { $0.isEnding || $0.isClosed }
  }

  private mutating func perform(_ effect: HostPoolEffect) {
    switch effect {
    case .spawn(let id, let kind): spawn(id, kind)
    case .begin(let id, let request, let use): begin(id, request, use)
    case .closeInstance(let id, let number):
      let closed = hosts[id]?.instances.removeValue(forKey: number)
      expect(closed != nil && hosts[id]?.run == nil, "host \(id) has nothing to close")
    case .askToStop(let id, let run, _):
      if chance(60) {
        plan(within: 50, .ended(id, run, .cancelled("asked to")))
      }
    case .letGo(let id):
      expect(hosts[id]?.run == nil, "host \(id) was let go in a run")
      hosts[id]?.isLeaving = true
      if chance(80) { plan(within: 50, .exited(id, .exited(0))) }
    case .release(let id, _):
      expect(hosts[id]?.run == nil, "host \(id) was released in a run")
      hosts[id] = nil
    case .kill(let id):
      hosts[id]?.isLeaving = true
      plan(within: 5, .exited(id, .signalled(Signal(rawValue: 9))))
    case .wait(let timer, let time):
      expect(timers[timer] == nil, "\(timer) is waited for twice")
      order += 1
      timers[timer] = order
      planned.append(Planned(time: now + time.nanoseconds, order: order, event: .elapsed(timer)))
    case .forget(let timer): timers[timer] = nil
    case .waits(let run): expect(waiting.insert(run).inserted, "run \(run) was said to wait twice")
    case .started(let run, let id, let hasWaited):
      expect(running[run] == id, "run \(run) is not in host \(id)")
      expect(hasWaited || !waiting.contains(run), "run \(run) has waited")
      waiting.remove(run)
    case .ended(let run, let end):
      waiting.remove(run)
      expect(unfinished.remove(run) != nil, "run \(run) ended twice")
      ends[end.outcome.status, default: 0] += 1
    case .answered(let inquiry, _):
      expect(unanswered.remove(inquiry) != nil, "inquiry \(inquiry) answered twice")
    case .note: break
    case .finished:
      finished += 1
      expect(hosts.isEmpty && unfinished.isEmpty, "finished too early")
    }
  }

  private mutating func spawn(_ id: HostID, _ kind: HostSpec) {
    if chance(5) {
      let reason = "fork: resource temporarily unavailable"
      plan(within: 1, chance(40) ? .spawnFailed(id, reason) : .spawnPutOff(id, reason))
      return
    }
    hosts[id] = SimulatedHost(kind: kind)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<75:
      plan(within: 30, .loaded(id, PluginIdentity(name: kind.pluginPath, version: "1", instancesMax: 2)))
      if chance(5) { plan(within: 500, .exited(id, .signalled(Signal(rawValue: 11)))) }
    case 75..<82:
      hosts[id]?.isDoomed = true
      plan(within: 10, .refused(id, "\(kind.pluginPath): wrong ABI"))
    case 82..<90: plan(within: 20, .exited(id, .signalled(Signal(rawValue: 11))))
    case 90..<94: plan(within: 20, .misbehaved(id, "talked nonsense"))
    case 94..<97: plan(within: 20, .closed(id))
    default: break
    }
  }

  private mutating func begin(_ id: HostID, _ request: PluginRun, _ use: InstanceUse) {
    expect(hosts[id]?.isLoaded == true, "host \(id) is not loaded")
    expect(hosts[id]?.run == nil, "host \(id) has a run already")
    expect(hosts[id]?.isLeaving == false, "host \(id) leaves")
    expect(hosts[id]?.kind == request.kind, "host \(id) is of another kind")
    expect(unfinished.contains(request.run), "run \(request.run) has ended")
    expect(running[request.run] == nil, "run \(request.run) runs already")
    switch use {
    case .new(let number):
      expect(hosts[id]?.instances[number] == nil, "host \(id) has an instance \(number) already")
    case .open(let number):
      expect(hosts[id]?.instances[number] == request.job, "host \(id) has another job's instance")
    case .replacing(let number):
      expect(hosts[id]?.instances[number] != nil, "host \(id) has nothing to replace")
    }
    hosts[id]?.instances[use.number] = request.job
    let instances = hosts[id]?.instances ?? [:]
    expect(instances.count <= min(limits.instancesPerHostMax, 2), "host \(id) has \(instances)")
    expect(Set(instances.values).count == instances.count, "host \(id) has a job twice: \(instances)")
    hosts[id]?.run = request.run
    running[request.run] = id
    let success = PluginRunEnd(outcome: AttemptResult(status: .succeeded))
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<70: plan(within: 100, .ended(id, request.run, success))
    case 70..<75:
      if use != .open(use.number) {
        hosts[id]?.instances[use.number] = nil
        plan(within: 10, .openFailed(id, request.run, .failed("no such file")))
      } else {
        plan(within: 100, .ended(id, request.run, .failed("no such host")))
      }
    case 75..<82: plan(within: 100, .exited(id, .signalled(Signal(rawValue: 11))))
    case 82..<85: plan(within: 100, .misbehaved(id, "talked nonsense"))
    case 85..<88:
      hosts[id]?.isDoomed = true
      plan(within: 0, .undelivered(id, request.run))
      plan(within: 10, .exited(id, .signalled(Signal(rawValue: 9))))
    case 88..<91: plan(within: 100, .closed(id))
    default: break
    }
  }
}

@Suite struct `Pools in a simulation with faults` {
  private static let seedRun = SeedRun(lane: "hosts", suite: "HostPoolSimulationTests")

  /// Runs the simulation of a seed; after a failure it reports the smallest number of runs that shows it.
  private func isSound(_ seed: UInt64) -> Bool {
    let complaints = complaints(seed, runs: Self.runs)
    if complaints.isEmpty { return true }
    let fewest = (1..<Self.runs).first { !self.complaints(seed, runs: $0).isEmpty } ?? Self.runs
    Issue.record(
      "seed \(seed): \(complaints.prefix(5)), also with \(fewest) runs; \(Self.seedRun.command(repeating: seed))"
    )
    return false
  }

  private static let runs: UInt64 = 150

  private func complaints(_ seed: UInt64, runs: UInt64) -> [String] {
    var world = SimulatedWorld(seed: seed)
    world.live(runs: runs)
    let ended = world.ends.values.reduce(0, +)
    return world.complaints + (ended == Int(runs) ? [] : ["\(ended) of \(runs) runs have ended"])
  }

  @Test(arguments: (1...60 as ClosedRange<UInt64>).map { $0 })
  func `every run has one end, no host has two runs, and the limits hold`(seed: UInt64) {
    #expect(isSound(seed))
  }

  @Test(.enabled(if: SeedChoice.seed != nil)) func `the seed that was asked for`() throws {
    #expect(isSound(try #require(SeedChoice.seed)))
  }

  @Test(.enabled(if: SeedChoice.seconds != nil)) func `new seeds for as long as asked`() {
    Self.seedRun.run { isSound($0) }
  }

  @Test func `a seed always leads to the same simulation`() {
    var one = SimulatedWorld(seed: 42)
    var two = SimulatedWorld(seed: 42)
    one.live(runs: 200)
    two.live(runs: 200)
    #expect(one.now == two.now)
    #expect(one.ends == two.ends)
    #expect(one.order == two.order)
  }
}
