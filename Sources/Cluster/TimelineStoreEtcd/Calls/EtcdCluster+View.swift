internal import TimelineStoreWire

extension EtcdCluster {
  /// Time after which a node without a lease is left out of views: seven days. Long enough for an operator to see the node,
  /// short enough that machines with changing names do not fill the views.
  private static let nodeShown: Int64 = 7 * 86_400 * 1_000_000_000

  /// Performs ``StoreCall/renew(_:)``. The view is read after the renewal, so it shows every node that acquired a job before
  /// the renewal.
  func renew(_ call: RenewCall) throws(StoreFailure) -> RenewReply {
    let lease = try grantLease(milliseconds: call.leaseMilliseconds)
    let (member, digest) = (keys.member(epoch), keys.digest(epoch))
    let (isLost, _, _) = try decide([.one(member)] + (call.digests == nil ? [] : [.one(digest)])) {
      (snapshot) throws(StoreFailure) -> EtcdChange<Bool> in
      guard var present: EtcdMember = try snapshot.value(member), !present.hasLeft else {
        return EtcdChange(value: true)
      }
      present.leaseUntil = self.transport.latest + call.leaseMilliseconds * 1_000_000
      present.leaseMilliseconds = call.leaseMilliseconds
      present.clockOffset = call.clockOffsetMilliseconds
      var change = EtcdChange(
        operations: [.put(member, present), .put(self.keys.live(epoch), lease: lease)], value: false)
      guard let digests = call.digests else { return change }
      let former: [String: String] = try snapshot.value(digest) ?? [:]
      let new = call.addsDigests ? former.merging(digests) { $1 } : digests
      if new != former {
        change.operations.append(.put(digest, new))
        change.changesView = true
      }
      return change
    }
    if !isLost, let digests = call.digests { try makeJobs(digests.keys.sorted()) }
    return try view(call, isLost: isLost)
  }

  /// Creates the jobs that are missing in the store.
  private func makeJobs(_ names: [String]) throws(StoreFailure) {
    let known = EtcdRange.all(keys.owners, isKeysOnly: true)
    let present = Set(try read([known])[known].map(\.key))
    for part in names.map(keys.owner).filter({ !present.contains($0) }).parts(of: Self.part) {
      _ = try decide(part.map(EtcdRange.one)) { (snapshot) throws(StoreFailure) in
        let made = part.filter { !snapshot.has($0) }.map { EtcdTransaction.Operation.put($0, EtcdOwner()) }
        return EtcdChange(operations: made, changesView: true, value: ())
      }
    }
  }

  private func view(_ call: RenewCall, isLost: Bool) throws(StoreFailure) -> RenewReply {
    let snapshot = try read([.one(keys.version), .all(keys.members), .all(keys.lives)])
    var reply = RenewReply(
      isLost: isLost, storeTime: transport.now, identity: snapshot.meta.identity, nodes: try nodes(snapshot),
      version: version(snapshot), jobs: nil)
    if reply.version != call.knownVersion || call.afterJob != nil {
      (reply.jobs, reply.version) = try jobs(after: call.afterJob)
    }
    return reply
  }

  private func version(_ snapshot: EtcdSnapshot) -> Int64 {
    snapshot.meta.version(revision: snapshot[keys.version]?.revision ?? 0)
  }

  /// The nodes of a view, from a snapshot of members and leases.
  func nodes(_ snapshot: EtcdSnapshot) throws(StoreFailure) -> [NodeMessage] {
    let (now, live) = (transport.now, Set(snapshot[.all(keys.lives)].map(\.name)))
    var found: [(until: Int64, message: NodeMessage)] = []
    for item in snapshot[.all(keys.members)] {
      let (member, epoch): (EtcdMember, String) = (try item.decoded(), item.name)
      guard live.contains(epoch) || member.leaseUntil > now - Self.nodeShown else { continue }
      let message = NodeMessage(
        node: member.node, epoch: epoch, labels: member.labels,
        leaseMilliseconds: member.milliseconds(isLive: live.contains(epoch), at: now),
        clockOffsetMilliseconds: member.clockOffset, hasLeft: member.hasLeft, version: member.program)
      found.append((member.leaseUntil, message))
    }
    return found.sorted { $0.until > $1.until }.prefix(StoreWireLimits.nodesMax).map(\.message)
  }

  /// Returns the jobs of a view after `name`, and the version of the view. If further jobs follow, returns one job more than a
  /// part.
  func jobs(after name: String?) throws(StoreFailure) -> ([JobMessage], Int64) {
    let limit = StoreWireLimits.jobsMax + 1
    let owners = EtcdRange.all(keys.owners, after: name.map(keys.owner), limit: limit)
    // A job with a key for its choice also has a key for its owner. The choices of these jobs are therefore among the first
    // keys.
    let choices = EtcdRange.all(keys.choices, after: name.map(keys.choice), limit: limit)
    let snapshot = try read([.one(keys.version), owners, choices, .all(keys.lives), .all(keys.digests)])
    let live = Set(snapshot[.all(keys.lives)].map(\.name))
    var digests: [(epoch: String, jobs: [String: String])] = []
    for item in snapshot[.all(keys.digests)] where live.contains(item.name) {
      digests.append((item.name, try item.decoded()))
    }
    var chosen: [String: EtcdChoice] = [:]
    for item in snapshot[choices] { chosen[item.name] = try item.decoded() }
    var jobs: [JobMessage] = []
    for item in snapshot[owners] {
      let owner: EtcdOwner = try item.decoded()
      var message = JobMessage(job: item.name, owner: owner.epoch, term: owner.term)
      message.activeDigest = chosen[message.job]?.activeDigest
      message.pausedSince = chosen[message.job]?.pausedSince
      for one in digests { message.digests[one.epoch] = one.jobs[message.job] }
      jobs.append(message)
    }
    return (jobs, version(snapshot))
  }

  /// Performs ``StoreCall/status(_:)``. Other voting members count as synchronous standbys, because only a member with all
  /// acknowledged writes can become the leader.
  func status(_ call: StatusCall) throws(StoreFailure) -> StoreStatusReply {
    let server: EtcdStatusReply = try post("/v3/maintenance/status", [String: String](), isWrite: false)
    let members: EtcdMembersReply = try post("/v3/cluster/member/list", [String: String](), isWrite: false)
    let others = members.members.filter { $0.ID != server.header.member_id && !($0.isLearner ?? false) }
    let snapshot = try read([.all(keys.members), .all(keys.lives)])
    return StoreStatusReply(
      server: "etcd \(server.version)", identity: snapshot.meta.identity, storeTime: transport.now,
      standbys: others.map { .init(name: $0.name ?? $0.ID ?? "", isSynchronous: true) },
      nodes: try nodes(snapshot), jobs: try jobs(after: call.afterJob).0)
  }
}
