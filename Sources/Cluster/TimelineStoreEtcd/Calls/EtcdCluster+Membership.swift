internal import TimelineStoreWire

extension EtcdCluster {
  /// Keys per transaction if each key needs one comparison and one operation.
  static let part = EtcdTransaction.partLength(1)

  /// Performs ``StoreCall/join(_:)``. The key of the node's name holds one epoch. If two new epochs join at the same time, the
  /// second finds the first. Jobs and claims of the former epoch move in parts. Until all parts have moved,
  /// ``EtcdKeys/heir(_:)`` prevents other nodes from acquiring the jobs of the former epoch.
  func join(_ call: JoinCall) throws(StoreFailure) -> JoinReply {
    let lease = try grantLease(milliseconds: call.leaseMilliseconds)
    let (reply, _, _) = try decide(
      [.one(keys.node(call.node)), .one(keys.past(epoch))],
      unguarded: [.all(keys.members), .all(keys.lives)]
    ) { (snapshot) throws(StoreFailure) in try self.joining(call, lease, snapshot) }
    if reply.hasJoined, let former = call.formerEpoch, former != epoch {
      try inherit(call, from: former)
      let heir = keys.heir(former)
      _ = try decide([.one(heir)]) { (snapshot) throws(StoreFailure) in
        EtcdChange(operations: snapshot.has(heir) ? [.delete(heir)] : [], value: ())
      }
    }
    return reply
  }

  private func joining(_ call: JoinCall, _ lease: String, _ snapshot: EtcdSnapshot) throws(StoreFailure)
    -> EtcdChange<JoinReply>
  {
    let (now, latest) = (transport.now, transport.latest)
    var change = EtcdChange(
      value: JoinReply(hasJoined: true, storeTime: now, identity: snapshot.meta.identity))
    let holder = snapshot[keys.node(call.node)]?.value
    let found = snapshot[.all(keys.members)].first { $0.name == holder }
    let live = snapshot[.all(keys.lives)].first { $0.name == holder }
    if let holder, let found {
      var member: EtcdMember = try found.decoded()
      let isFree =
        holder == epoch
        ? !member.hasLeft
        : !snapshot.has(keys.past(epoch)) && (live == nil || holder == call.formerEpoch)
      guard isFree else {
        change.value.hasJoined = false
        change.value.holder = holder
        change.value.holderLeaseMilliseconds = max(0, member.milliseconds(isLive: live != nil, at: now))
        return change
      }
      if holder != epoch {
        member.leaseUntil = min(member.leaseUntil, latest)
        change.operations += [
          .delete(keys.member(holder)), .delete(keys.live(holder)), .delete(keys.digest(holder)),
          .put(keys.past(holder), member),
        ]
      }
      change.comparisons = [
        .isAt(keys.member(holder), found.revision), .isAt(keys.live(holder), live?.revision ?? 0),
      ]
    }
    let member = EtcdMember(
      node: call.node, leaseUntil: latest + call.leaseMilliseconds * 1_000_000,
      leaseMilliseconds: call.leaseMilliseconds, labels: call.labels, program: call.version)
    change.operations += [
      .put(keys.node(call.node), epoch), .put(keys.member(epoch), member),
      .put(keys.live(epoch), lease: lease),
    ]
    if let former = call.formerEpoch, former != epoch {
      change.operations.append(.put(keys.heir(former), lease: lease))
    }
    return change
  }

  /// Moves jobs and open claims of the former epoch to its successor. A claim keeps its token, because its run may still be
  /// active after the former daemon has ended. Claims move before jobs, because an owner regards claims of the former epoch as
  /// claims of another node.
  private func inherit(_ call: JoinCall, from former: String) throws(StoreFailure) {
    let past: EtcdMember? = try read([.one(keys.past(former))]).value(keys.past(former))
    guard past?.node == call.node else { return }
    let own = EtcdRange.one(keys.node(call.node))
    let claims = try read([.all(keys.opens)])[.all(keys.opens)]
    for part in claims.parts(of: Self.part) {
      _ = try decide([own], unguarded: part.map { .one($0.key) }) { (snapshot) throws(StoreFailure) in
        var change = EtcdChange(value: ())
        guard snapshot[own.key]?.value == epoch else { return change }
        for found in part.compactMap({ snapshot[$0.key] }) {
          var claim: EtcdClaim = try found.decoded()
          guard claim.epoch == former else { continue }
          (claim.epoch, claim.token) = (epoch, claim.token(writtenAt: found.revision))
          change.operations.append(.put(found.key, claim))
          change.comparisons.append(.isAt(found.key, found.revision))
        }
        return change
      }
    }
    try changeOwners(from: former, guardedBy: own, epoch) { $0.epoch = epoch }
  }

  /// Applies `body` to the owners of all jobs of the epoch `former`. If `own` is given, nothing changes unless its key has the
  /// value `expected`.
  private func changeOwners(
    from former: String, guardedBy own: EtcdRange? = nil, _ expected: String? = nil,
    _ body: (inout EtcdOwner) -> Void
  ) throws(StoreFailure) {
    let owners = try read([.all(keys.owners)])[.all(keys.owners)]
    // Most jobs have another owner. A search for the digits of the epoch is faster than decoding.
    for part in owners.parts(of: Self.part) where part.contains(where: { $0.value.contains(former) }) {
      _ = try decide(own.map { [$0] } ?? [], unguarded: part.map { .one($0.key) }) {
        (snapshot) throws(StoreFailure) in
        var change = EtcdChange(value: ())
        if let own, snapshot[own.key]?.value != expected { return change }
        for found in part.compactMap({ snapshot[$0.key] }) {
          var owner: EtcdOwner = try found.decoded()
          guard owner.epoch == former else { continue }
          body(&owner)
          change.operations.append(.put(found.key, owner))
          change.comparisons.append(.isAt(found.key, found.revision))
        }
        change.changesView = !change.operations.isEmpty
        return change
      }
    }
  }

  /// Performs ``StoreCall/leave``.
  func leave() throws(StoreFailure) {
    let key = keys.member(epoch)
    _ = try decide([.one(key)]) { (snapshot) throws(StoreFailure) in
      guard var member: EtcdMember = try snapshot.value(key), !member.hasLeft else {
        return EtcdChange(value: ())
      }
      (member.hasLeft, member.leaseUntil) = (true, min(member.leaseUntil, self.transport.latest))
      return EtcdChange(operations: [.put(key, member), .delete(self.keys.live(epoch))], value: ())
    }
    try changeOwners(from: epoch) { $0.epoch = nil }
  }
}

extension EtcdMember {
  /// Returns the time until the lease ends, at the instant `now` of the store's clock; zero or negative after the end. Only
  /// etcd decides whether the lease has ended (`isLive`).
  func milliseconds(isLive: Bool, at now: Int64) -> Int64 {
    let left = (leaseUntil - now) / 1_000_000
    return isLive ? min(max(1, left), leaseMilliseconds) : min(0, left)
  }
}
