import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem

@testable import TimelineHostPool

/// Host pools for tests: each call returns the effects of one event.
struct Pools {
  var state: HostPoolState
  let kind = HostSpec(pluginPath: "/plugins/a.so")
  let other = HostSpec(pluginPath: "/plugins/b.so")
  var runs: UInt64 = 0

  init(_ adjust: (inout HostLimits) -> Void = { _ in }) {
    var limits = HostLimits()
    adjust(&limits)
    state = HostPoolState(limits: limits)
  }

  /// Makes pools of jobs in a group with a limit of active runs.
  init(
    takingTurns limit: Int, jobs: Set<String>, _ adjust: (inout HostLimits) -> Void = { _ in }
  ) {
    self.init(adjust)
    let turns = GroupName("turns").map { ActiveJobs.Turns($0, limit: limit) }
    let retained = ActiveJobs(
      [kind], turns: { jobs.contains($0.text) ? turns : nil }, keeps: { _, _ in true })
    _ = state.handle(.retain(retained))
  }

  func request(_ run: UInt64, job: String = "x", kind: HostSpec? = nil, revision: UInt64 = 0) -> PluginRun {
    let name = JobName(job) ?? JobName("invalid")
    guard let name else { preconditionFailure("\(job) is not a job's name") }
    return PluginRun(
      attempt: Attempt(
        run: RunID(number: run), entry: EntryKey(job: name, nominal: .epoch), cause: .schedule,
        startedAt: .epoch),
      kind: kind ?? self.kind, revision: revision)
  }

  mutating func start(_ run: UInt64, job: String = "x", kind: HostSpec? = nil, revision: UInt64 = 0)
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
  let success = PluginRunEnd(outcome: AttemptResult(status: .succeeded))
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

  /// Starts of runs, and the host of each.
  var begins: [RunID: HostID] {
    var begins: [RunID: HostID] = [:]
    for case .begin(let host, let request, _) in self { begins[request.run] = host }
    return begins
  }

  /// The uses of instances of all begun runs, in order.
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
