import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineEngineTestSupport
import TimelineStoreWire
import TimelineTestSupport

/// Machines with daemons, a store and a network with random faults.
///
/// Time is counted in nanoseconds of the world, which are those of the store. Faults can occur until ``chaosEnd``; then
/// everything works.
struct ClusterWorld {
  /// Planted faults of daemons, which the judge must detect.
  enum Fault {
    case noLeaseCheck, leaseFromArrival, unsortedBatches, undecidedIsDenied, undecidedIsGranted
    /// Jobs that must wait for the store go on without it.
    case everyJobGoesOn
    /// The windows of counted jobs are not claimed.
    case windowsAreNotClaimed
    /// A daemon regards the epoch on its disk as proof that the life with it has ended.
    case epochOnDisk
    /// The next life of a daemon does not get the claims whose tokens were reassigned.
    case reassignedTokensAreNotKept
    /// Jobs are handed over after the events that wait, which the engine then handles without a lease.
    case handOverWaits
    /// Entries that the last life began without a claim are run again although the store has their outcomes.
    case outcomesDoNotCount
    /// Failures without a claim are sent although another node may own their jobs.
    case failuresAreNotWithheld
    /// A node that acquires a job again does not decide anew about entries with withheld failures.
    case withheldStayDecided
  }

  enum Happening {
    case request(node: Int, life: Int, StoreRequest, losesReply: Bool)
    case reply(node: Int, life: Int, number: UInt64, Result<StoreReply, StoreFailure>)
    case attemptEnds(node: Int, life: Int, RunID)
    case restart(node: Int)
    case heal
    case mischief
  }

  static let second: Int64 = 1_000_000_000
  static let begin: Int64 = 100_000 * second
  static let lease = ElapsedTime.seconds(2)
  /// No node's wall clock is further from the store's.
  static let wallOffsetMax: Int64 = 500_000_000

  let chaosEnd: Int64
  let end: Int64
  var now = ClusterWorld.begin
  var dice: Dice
  /// Number of steps in which a fault could occur. Each step has a section in the written life.
  private var stepCount = 0
  var nodes: [WorldNode]
  var store: SimulatedStore
  /// States of the store, the oldest first. A standby can have any of them.
  var snapshots: [SimulatedStore] = []
  var storeDownUntil: Int64 = .min
  var judge: ClusterJudge
  /// Highest token of each job that its resource has received, for jobs whose owner goes on without the store.
  var register: [String: Int64] = [:]
  let jobs: [JobDefinition]
  let fault: Fault?
  var isTraced = false
  var isQuiet = false
  private(set) var callCount = 0
  private var queue: [(at: Int64, order: Int, what: Happening)] = []
  private var order = 0

  init(seed: UInt64, fault: Fault? = nil, storeFault: SimulatedStore.Fault? = nil) {
    self.init(Dice(seed: seed), fault: fault, storeFault: storeFault)
  }

  /// Makes a world that is decided by `dice`, which may replay a written life.
  init(_ dice: Dice, fault: Fault? = nil, storeFault: SimulatedStore.Fault? = nil) {
    var dice = dice
    self.fault = fault
    store = SimulatedStore(fault: storeFault)
    chaosEnd = Self.begin + 30 * Self.second
    end = chaosEnd + 15 * Self.second
    let count = Int(dice.number(in: 2...4, "nodes"))
    // Two machines can have one name by mistake.
    let isDoubled = dice.happens(oneIn: 4, "two machines have one name")
    nodes = (0..<count).map { index in
      WorldNode(
        name: isDoubled && index == 1 ? "n0" : "n\(index)",
        wallOffset: dice.number(in: -200_000_000...200_000_000, quietly: 0, "offset of a wall clock"),
        bootOffset: -Self.begin + dice.number(in: 0...1_000_000_000, "uptime of a machine"),
        hasManager: !dice.happens(oneIn: 3, "a machine without a service manager"))
    }
    jobs = Self.jobs(&dice)
    let seed = dice.seed
    judge = ClusterJudge(
      atMostOnce: Set(jobs.filter { $0.policies.delivery == .atMostOnce }.map(\.name.text)),
      ownerRuns: seed / 2 % 2 == 0 ? ["j1"] : [],
      counted: Set(jobs.filter(\.schedule.hasMoreThanOneEntryPerSecond).map(\.name.text)))
    self.dice = dice
    for index in nodes.indices { plan(.restart(node: index), after: Int64(index) * 50_000_000) }
    plan(.mischief, after: Self.second)
    plan(.heal, after: chaosEnd - Self.begin)
  }

  private static func jobs(_ dice: inout Dice) -> [JobDefinition] {
    let seed = dice.seed
    var jobs: [JobDefinition] = []
    for index in 0..<3 {
      dice.enter(.job(index))
      let interval = dice.number(in: 1...3, "seconds between entries")
      jobs.append(
        job("j\(index)", every(.seconds(interval) + .milliseconds(100 * Int64(index)))) {
          $0.delivery = index == 0 ? .atMostOnce : (index == 1 ? .atLeastOnce : .atMostOnce)
          $0.missed.choice = index == 2 ? .latest : .all
          let skips = index == 2 || index == 1 && seed / 4 % 2 == 0
          $0.overlap = skips ? .skip : .bufferAll
        })
    }
    dice.enter(.start)
    if seed % 3 == 0 {
      jobs.append(job("fast", every(.milliseconds(400))) { $0.overlap = seed % 2 == 0 ? .skip : .bufferAll })
    }
    return jobs
  }

  mutating func plan(_ what: Happening, after delay: Int64) {
    order += 1
    queue.append((now + max(1, delay), order, what))
  }

  /// Runs until everything has worked for long enough, and judges.
  mutating func run() {
    run(until: end)
    // Entries that queue behind long runs still have to be run.
    while now < end + 30 * Self.second, judge.violations.isEmpty, isBehind, step() {}
    guard judge.violations.isEmpty else { return }
    let intervals = jobs.compactMap { job -> (String, Int64)? in
      guard case .periodic(let schedule) = job.schedule else { return nil }
      return (job.name.text, schedule.interval.nanoseconds)
    }
    judge.judgeEnd(
      store, interval: Dictionary(uniqueKeysWithValues: intervals), until: judgedEnd)
    for node in nodes {
      judge.require(
        node.disk.uploads.count < 20, "\(node.name) has \(node.disk.uploads.count) outcomes to upload")
    }
    let owned = jobs.filter { job in
      store.jobs[job.name.text]?.owner.map { store.isLive($0, at: now) } ?? false
    }
    judge.require(owned.count == jobs.count, "only \(owned.map(\.name)) have an owner in the end")
  }

  /// Latest instant of the entries that are judged.
  private var judgedEnd: Int64 { end - 4 * Self.second }

  /// Whether an entry that is judged runs, waits, or has an outcome that is not in the store.
  private var isBehind: Bool {
    nodes.contains { node in
      let open = node.life?.engine.earliestOpenEntry?.nanosecondsSinceEpoch
      return open.map { $0 <= judgedEnd } ?? false
        || node.disk.uploads.contains { $0.key.nanoseconds <= judgedEnd }
    }
  }

  /// Runs until an instant, or until there is a violation.
  mutating func run(until instant: Int64) {
    while now < instant, judge.violations.isEmpty, step() {}
  }

  private mutating func step() -> Bool {
    var first: (at: Int64, order: Int, position: Int)?
    for (position, item) in queue.enumerated() {
      let at = effectiveInstant(item.at, item.what)
      if first.map({ (at, item.order) < ($0.at, $0.order) }) ?? true { first = (at, item.order, position) }
    }
    let wake = nodes.indices.compactMap { index in nodes[index].wakeAt.map { (at: $0, index: index) } }
      .min { $0.at < $1.at }
    if let wake, first.map({ wake.at <= $0.at }) ?? true {
      now = max(now, wake.at)
      if nodes[wake.index].life?.inbox.isEmpty ?? false {
        // One iteration of the loop handles both timers.
        nodes[wake.index].life?.inbox = [.cluster(.wake), .engine(.wake)]
      }
      drain(wake.index)
    } else if let first {
      now = max(now, first.at)
      happen(queue.remove(at: first.position).what)
    } else {
      return false
    }
    return true
  }

  /// Instant at which an event takes effect: events for a frozen daemon wait.
  private func effectiveInstant(_ at: Int64, _ what: Happening) -> Int64 {
    switch what {
    case .reply(let node, _, _, _), .attemptEnds(let node, _, _): max(at, nodes[node].frozenUntil)
    case .request, .restart, .heal, .mischief: at
    }
  }

  private mutating func happen(_ what: Happening) {
    switch what {
    case .request(let node, let life, let request, let losesReply):
      arrive(node, life, request, losesReply)
    case .reply(let node, let life, let number, let result):
      guard nodes[node].life?.number == life, nodes[node].life?.call == number else { return }
      nodes[node].life?.call = nil
      let altered = altered(result, of: nodes[node].life?.calls[number])
      noteReply(node, number, altered)
      post(node, .cluster(.answered(number, altered)))
    case .attemptEnds(let node, let life, let run):
      guard nodes[node].life?.number == life,
        let running = nodes[node].life?.running.removeValue(forKey: run)
      else { return }
      if !running.isRefused { judge.complete(running.start) }
      let status: AttemptResult.Status = running.isRefused ? .failed : .succeeded
      post(node, .engine(.attemptEnded(run, AttemptResult(status: status))))
    case .restart(let node):
      if nodes[node].life == nil {
        startDaemon(node)
      } else if nodes[node].life?.isStopping ?? false {
        plan(what, after: Self.second)
      }
    case .heal:
      dice.enter(.end)
      heal()
    case .mischief:
      if isQuiet { return }
      dice.enter(.step(stepCount))
      stepCount += 1
      makeMischief()
      plan(
        .mischief,
        after: dice.number(in: 300_000_000...2_500_000_000, quietly: Self.second, "time to the next step"))
    }
  }
}
