import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineStoreWire
import TimelineTestSupport

/// The network to the store and back, with its faults.
extension ClusterWorld {
  mutating func send(_ request: StoreRequest, _ index: Int) {
    guard let life = nodes[index].life else { return }
    let number = request.id
    nodes[index].life?.call = number
    nodes[index].life?.calls[number] = request.call
    var request = request
    if fault == .unsortedBatches, case .claim(var call) = request.call, call.claims.count > 1 {
      call.claims.reverse()
      request.call = .claim(call)
    }
    let isAway = nodes[index].partitionedUntil > now
    if isAway, !nodes[index].isHalfPartitioned { return }
    let isBad = !isQuiet && dice.happens(percent: 8, "a request fails")
    let losesReply = isAway || isBad && dice.happens(byRemainderOf: 2, "by the loss of its reply")
    let delay = dice.number(in: 500_000...30_000_000, "delay of a request")
    if isBad, !losesReply {
      // The request hangs, is refused, or comes late.
      switch dice.element(byRemainder: ["is lost", "is refused", "is late"], "how it fails") {
      case "is lost": return
      case "is refused":
        return reply(.failure(StoreFailure(.unavailable, "no route")), number, index, life.number)
      default:
        return plan(.request(node: index, life: life.number, request, losesReply: false), after: delay * 40)
      }
    }
    plan(.request(node: index, life: life.number, request, losesReply: losesReply), after: delay)
  }

  mutating func arrive(_ index: Int, _ life: Int, _ request: StoreRequest, _ losesReply: Bool) {
    let number = request.id
    if storeDownUntil > now {
      return reply(.failure(StoreFailure(.unavailable, "connection refused")), number, index, life)
    }
    var request = request
    if fault == .leaseFromArrival, case .renew(var renewal) = request.call {
      // The lease in the store is 400 ms shorter, as if the node counted its lease from the arrival of a reply that was 400
      // ms late.
      renewal.leaseMilliseconds -= 400
      request.call = .renew(renewal)
    }
    if isTraced { print(now - Self.begin, "store", nodes[index].name, life, number, request.call) }
    let result = perform(request)
    judge.require(store.violations.isEmpty, "\(store.violations)")
    snapshots.append(store)
    if snapshots.count > 40 { snapshots.removeFirst() }
    if losesReply {
      // Half of the losses are noticed.
      if dice.happens(byRemainderOf: 2, "the loss of a reply is noticed") {
        reply(.failure(StoreFailure(.undecided, "connection lost")), number, index, life)
      }
      return
    }
    reply(.success(result), number, index, life)
  }

  /// Performs the call of a request in the store; with the fault ``Fault/windowsAreNotClaimed``, windows are granted without a claim.
  private mutating func perform(_ request: StoreRequest) -> StoreReply {
    guard fault == .windowsAreNotClaimed, case .claim(var call) = request.call else {
      return store.perform(request, at: now)
    }
    let windows = call.claims.filter { judge.counted.contains($0.key.job.text) }
    call.claims.removeAll { judge.counted.contains($0.key.job.text) }
    let others = StoreRequest(id: request.id, request.caller, .claim(call))
    guard case .claim(var reply) = store.perform(others, at: now), !reply.isLost else {
      return .claim(ClaimReply(isLost: true, answers: []))
    }
    reply.answers += windows.map { ClaimReply.Answer($0.key, isGranted: true, token: now) }
    return .claim(reply)
  }

  private mutating func reply(
    _ result: Result<StoreReply, StoreFailure>, _ number: UInt64, _ index: Int, _ life: Int
  ) {
    plan(
      .reply(node: index, life: life, number: number, result),
      after: dice.number(in: 500_000...30_000_000, "delay of a reply"))
  }

  /// Processes a reply for the daemon before its node gets it.
  mutating func noteReply(_ index: Int, _ number: UInt64, _ result: Result<StoreReply, StoreFailure>) {
    nodes[index].life?.calls[number] = nil
    guard case .success = result, let sent = nodes[index].life?.sentRecords, sent.number == number else {
      return
    }
    nodes[index].life?.sentRecords = nil
    nodes[index].disk.uploads.removeAll { sent.keys.contains($0.key) }
    nodes[index].life?.cluster.recorded(sent.keys)
    let hasRecords = !nodes[index].disk.uploads.isEmpty
    nodes[index].life?.inbox.append(.cluster(.hasRecords(hasRecords)))
  }

  /// Replaces the failure "undecided" of a claim by a denial or a grant, if that fault is planted.
  func altered(
    _ result: Result<StoreReply, StoreFailure>, of call: StoreCall?
  ) -> Result<StoreReply, StoreFailure> {
    guard case .claim(let call)? = call, case .failure(let failure) = result, failure.kind == .undecided
    else {
      return result
    }
    switch fault {
    case .undecidedIsDenied:
      return .success(
        .claim(
          ClaimReply(isLost: false, answers: call.claims.map { ClaimReply.Answer($0.key, isGranted: false) })
        ))
    case .undecidedIsGranted:
      let answers = call.claims.map { ClaimReply.Answer($0.key, isGranted: true, token: 1) }
      return .success(.claim(ClaimReply(isLost: false, answers: answers)))
    default: return result
    }
  }

  /// Kinds of faults, with their probabilities.
  private enum Mischief: String, CustomStringConvertible {
    case freeze, crash, stop, partition
    case storeDown = "store down"
    case failover, reload
    case clockStep = "clock step"
    case copy, none

    var description: String { rawValue }

    static let table: [Mischief] = [
      freeze, freeze, crash, stop, partition, partition, storeDown, failover, reload, clockStep, copy, none,
    ]
  }

  /// Causes a fault.
  mutating func makeMischief() {
    let index = Int(dice.number(in: 0...Int64(nodes.count) - 1, "node"))
    let length = dice.number(in: 100_000_000...6_000_000_000, "length of the mischief")
    switch dice.element(of: Mischief.table, quietly: Mischief.table.count - 1, "mischief") ?? .none {
    case .freeze: nodes[index].frozenUntil = max(nodes[index].frozenUntil, now + length)
    case .crash:
      crash(index)
      plan(.restart(node: index), after: length)
    case .stop:
      if nodes[index].life == nil { break }
      stopDaemon(index)
      plan(.restart(node: index), after: length + 2 * Self.second)
    case .partition:
      nodes[index].partitionedUntil = now + length
      nodes[index].isHalfPartitioned = dice.happens(byRemainderOf: 3, "requests get through")
    case .storeDown: storeDownUntil = now + length
    case .failover: failOver()
    case .reload: reconfigure(index, digest: nodes[index].digest == "1" ? "2" : "1")
    case .clockStep:
      stepClock(index, by: dice.number(in: -300_000_000...300_000_000, quietly: 0, "step of the clock"))
    case .copy:
      // At most one copy in a life, because each copy adds a machine.
      if nodes.contains(where: \.isCopy) { break }
      nodes.append(nodes[index].copy)
      plan(.restart(node: nodes.count - 1), after: length)
    case .none: break
    }
  }

  private mutating func failOver() {
    guard dice.happens(oneIn: 3, "a standby takes over"),
      let place = dice.place(in: Array(snapshots.indices), "state of the standby")
    else { return }
    var standby = snapshots[place]
    if dice.happens(byRemainderOf: 2, "the standby has everything") {
      standby = store
    } else {
      judge.hasLostWrites = true
    }
    standby.promote(over: store)
    store = standby
    snapshots = []
  }

  private mutating func stepClock(_ index: Int, by length: Int64) {
    let offset = nodes[index].wallOffset + length
    guard abs(offset) < Self.wallOffsetMax else { return }
    nodes[index].wallOffset = offset
    let wall = nodes[index].wall(now)
    var decided: DecidedEntries = [:]
    for key in nodes[index].disk.outcomes.sorted() where key.nominal > wall {
      decided[key.job, default: []].append(key.nominal)
    }
    post(index, .engine(.clockStepped(by: .nanoseconds(length), decided: decided)))
    post(index, .cluster(.wake))
  }

  /// Ends all faults.
  mutating func heal() {
    isQuiet = true
    storeDownUntil = .min
    for index in nodes.indices {
      nodes[index].partitionedUntil = .min
      nodes[index].frozenUntil = min(nodes[index].frozenUntil, now)
      if nodes[index].digest != "1" { reconfigure(index, digest: "1") }
      drain(index)
    }
  }
}
