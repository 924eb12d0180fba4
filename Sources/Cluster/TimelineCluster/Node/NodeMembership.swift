import TimelineCore
import TimelineStoreWire

/// Membership of a node: its identity, its lease, and whether it may run anything for the cluster.
struct NodeMembership: Sendable, Equatable {
  /// Phase of a membership.
  enum Phase: Sendable, Equatable {
    /// The node has not joined, or was expelled.
    case outside
    case member
    /// The daemon is about to end.
    case leaving
    case left
  }

  let settings: ClusterSettings
  private(set) var epoch: NodeEpoch
  /// Epoch of the previous daemon process; `nil` after the node has joined.
  private var formerEpoch: String?
  private(set) var phase = Phase.outside
  private(set) var trust = TrustWindow()
  private(set) var difference: ClockDifference?
  private(set) var failover: FailoverGuard
  /// Epoch and store of the last answer, for the next daemon process, and what was last kept for it.
  private var memory: FormerLife?
  private var kept: FormerLife?
  private var nextRenewal: BootInstant?
  /// Instant since which the lease has been renewed without a gap.
  private var memberSince: BootInstant?
  /// Whether a wrong clock was reported.
  private var hasToldOfClock = false
  /// Another daemon that has the node's name.
  private(set) var holder: NameHolder?

  init(_ settings: ClusterSettings, _ epoch: NodeEpoch, following former: FormerLife) {
    (self.settings, self.epoch, formerEpoch) = (settings, epoch, former.epoch)
    failover = FailoverGuard(knowing: former.store)
  }

  /// Whether the node inherits the jobs and claims of its previous daemon process when it joins.
  var inherits: Bool { formerEpoch != nil }

  /// Whether the node may own jobs. Its clock must be right, because entries are due by this clock.
  var mayOwn: Bool { phase == .member && difference?.isTolerable ?? true }

  /// Whether the ended lease of another node means that the other node is gone. This requires that this node has renewed its
  /// own lease without a gap for at least the length of a lease.
  ///
  /// After an outage of the store for all nodes, all leases have ended. Each owner then has the length of a lease to resume its
  /// own jobs.
  func mayTakeOver(at now: BootInstant) -> Bool {
    isTrusted(at: now) && memberSince.map { now - $0 >= settings.timing.lease } ?? false
  }

  /// Whether runs may be started and entries claimed.
  func isTrusted(at now: BootInstant) -> Bool { phase == .member && trust.isOpen(at: now) }

  /// Whether a renewal is due.
  func isRenewalDue(at now: BootInstant) -> Bool {
    phase == .member && nextRenewal.map { $0 <= now } ?? true
  }

  /// Instant of the next renewal or attempt to join; `nil` for at once.
  var renewal: BootInstant? { nextRenewal }

  /// Returns the state to keep for the next life of this daemon; `nil` if it is kept already, or the node has never joined.
  mutating func stateToKeep(_ reassigned: [ReassignedClaim]) -> FormerLife? {
    memory?.reassigned = reassigned
    if memory == kept { return nil }
    kept = memory
    return kept
  }

  /// Makes the next renewal due at once.
  mutating func renewSoon() { nextRenewal = nil }

  /// Closes the trust window, because the store reports that there is no lease.
  mutating func loseTrust() {
    trust.close()
    renewSoon()
  }

  /// Begins to leave the cluster. Only ``Phase/left`` follows.
  mutating func leave() { phase = phase == .left ? .left : .leaving }

  /// Ends the membership.
  mutating func hasLeft() {
    phase = .left
    trust.close()
  }

  /// The node as the caller of the store's calls.
  var caller: StoreCaller { StoreCaller(cluster: settings.cluster, epoch: epoch.text) }

  /// The call that makes the node a member.
  var joinCall: StoreCall {
    .join(
      JoinCall(
        node: settings.node, formerEpoch: formerEpoch, leaseMilliseconds: leaseMilliseconds,
        labels: settings.labels, version: settings.version))
  }

  /// Returns the call that renews the lease, sends the next part of the digests, if any, and requests the changes since
  /// `view`.
  func renewCall(_ part: DigestReport.Part?, _ view: ClusterView) -> StoreCall {
    .renew(
      RenewCall(
        leaseMilliseconds: leaseMilliseconds,
        clockOffsetMilliseconds: difference.map { $0.length.nanoseconds / 1_000_000 }, digests: part?.digests,
        addsDigests: part?.isAdded ?? false, knownVersion: view.version, afterJob: view.lastOfPart))
  }

  private var leaseMilliseconds: Int64 { settings.timing.lease.nanoseconds / 1_000_000 }

  /// Applies the reply to the attempt to join. Returns whether a failover has taken place.
  mutating func take(
    _ reply: JoinReply, sent: NodeTime, at now: NodeTime, _ effects: inout [ClusterEffect]
  ) -> Bool {
    guard reply.hasJoined else {
      let left = ElapsedTime.milliseconds(max(0, reply.holderLeaseMilliseconds ?? 0))
      nextRenewal = now.boot + max(settings.timing.retry, min(left, settings.timing.renewal))
      meet(reply.holder ?? "", leaseEnd: now.boot + left, at: now, &effects)
      return false
    }
    (phase, formerEpoch, holder) = (.member, nil, nil)
    renewSoon()
    return extend(by: reply.storeTime, reply.identity, sent: sent, at: now, &effects)
  }

  /// Records the daemon that has the node's name. Reports it when it is found, and again when it has renewed its lease.
  private mutating func meet(
    _ epoch: String, leaseEnd: BootInstant, at now: NodeTime, _ effects: inout [ClusterEffect]
  ) {
    var met = NameHolder(epoch: epoch, since: now.wall, leaseEnd: leaseEnd)
    if let holder, holder.epoch == epoch {
      if holder.isAlive || now.boot <= holder.leaseEnd { return }
      met = holder
      met.isAlive = true
    }
    holder = met
    effects.append(.tell(.nameTaken(met)))
  }

  /// Applies the reply to a renewal. Returns whether a failover has taken place.
  mutating func take(
    _ reply: RenewReply, sent: NodeTime, at now: NodeTime, _ effects: inout [ClusterEffect]
  ) -> Bool {
    nextRenewal = sent.boot + settings.timing.renewal
    return extend(by: reply.storeTime, reply.identity, sent: sent, at: now, &effects)
  }

  /// Becomes an outsider with a new epoch: the store has given the name to another daemon, or has lost the epoch.
  mutating func becomeOutsider(_ effects: inout [ClusterEffect]) {
    phase = .outside
    trust.close()
    epoch = epoch.next
    renewSoon()
    effects.append(.tell(.expelled))
  }

  private mutating func extend(
    by storeTime: Int64, _ identity: String, sent: NodeTime, at now: NodeTime,
    _ effects: inout [ClusterEffect]
  ) -> Bool {
    let storeTime = WallInstant(nanosecondsSinceEpoch: storeTime)
    if !trust.isOpen(at: now.boot) { memberSince = now.boot }
    trust.extend(from: sent.boot, by: settings.timing)
    let measured = ClockDifference(sent: sent, received: now, storeTime: storeTime)
    difference = measured
    if measured.isTolerable == hasToldOfClock {
      hasToldOfClock.toggle()
      effects.append(.tell(hasToldOfClock ? .clockOff(measured.length) : .clockRight))
    }
    memory = FormerLife(epoch: epoch.text, store: identity)
    guard failover.meet(identity, at: storeTime, settings.timing) else { return false }
    effects.append(.tell(.failedOver))
    return true
  }
}
