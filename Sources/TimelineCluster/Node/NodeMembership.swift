import TimelineCore
import TimelineStoreWire

/// Membership of a node: its identity, its lease, and whether it may run anything for the cluster.
struct NodeMembership: Sendable, Hashable {
  /// Part of the life of a membership.
  enum Phase: Sendable, Hashable {
    /// The node has not joined, or was expelled.
    case outside
    case member
    /// The daemon is about to end.
    case leaving
    case left
  }

  let settings: ClusterSettings
  private(set) var epoch: NodeEpoch
  /// Epoch of the last life of this daemon, until the node has joined.
  private var formerEpoch: String?
  private(set) var phase = Phase.outside
  private(set) var trust = TrustWindow()
  private(set) var difference: ClockDifference?
  private(set) var failover: FailoverGuard
  /// Epoch and store that the next life of this daemon is to know.
  private var kept: FormerLife?
  private var nextRenewal: BootInstant?
  /// Instant since which the lease has been renewed without a gap.
  private var memberSince: BootInstant?
  /// Whether a clock that is off was told of.
  private var hasToldOfClock = false
  /// Another daemon that has the node's name.
  private(set) var holder: NameHolder?

  init(_ settings: ClusterSettings, _ epoch: NodeEpoch, following former: FormerLife) {
    (self.settings, self.epoch, formerEpoch) = (settings, epoch, former.epoch)
    failover = FailoverGuard(knowing: former.store)
  }

  /// Whether the node gets the jobs and claims of the last life of its daemon when it joins.
  var inherits: Bool { formerEpoch != nil }

  /// Whether the node may own jobs: entries are due by its own clock.
  var mayOwn: Bool { phase == .member && difference?.isTolerable ?? true }

  /// Whether an ended lease tells that its node is gone: only if this node could renew its own all the time.
  ///
  /// When the store was out of reach for all, the leases of all have ended, and each owner is to have the time to go on with its own jobs.
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

  /// Has the next renewal be made at once.
  mutating func renewSoon() { nextRenewal = nil }

  /// Closes the window: the store says that there is no lease.
  mutating func loseTrust() {
    trust.close()
    renewSoon()
  }

  /// Leaves the cluster, as the last thing.
  mutating func leave() { phase = phase == .left ? .left : .leaving }

  /// Takes in that the node has left.
  mutating func hasLeft() {
    phase = .left
    trust.close()
  }

  /// The call that makes the node a member.
  var joinCall: StoreCall {
    .join(
      JoinCall(
        cluster: settings.cluster, node: settings.node, epoch: epoch.text, formerEpoch: formerEpoch,
        leaseMilliseconds: leaseMilliseconds, labels: settings.labels, version: settings.version))
  }

  /// The call that prolongs the lease, tells a part of the digests if there is one to be told, and asks for what is new in `view`.
  func renewCall(_ part: DigestReport.Part?, _ view: ClusterView) -> StoreCall {
    .renew(
      RenewCall(
        cluster: settings.cluster, epoch: epoch.text, leaseMilliseconds: leaseMilliseconds,
        clockOffsetMilliseconds: difference.map { $0.length.nanoseconds / 1_000_000 }, digests: part?.digests,
        addsDigests: part?.isAdded ?? false, knownVersion: view.version, afterJob: view.lastOfPart))
  }

  private var leaseMilliseconds: Int64 { settings.timing.lease.nanoseconds / 1_000_000 }

  /// Applies the reply to the attempt to join; returns whether the store is a standby that has replaced the former server.
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

  /// Notes the daemon that has the node's name.
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

  /// Takes in the reply to a renewal; returns whether a standby has taken the store's place.
  mutating func take(
    _ reply: RenewReply, sent: NodeTime, at now: NodeTime, _ effects: inout [ClusterEffect]
  ) -> Bool {
    nextRenewal = sent.boot + settings.timing.renewal
    return extend(by: reply.storeTime, reply.identity, sent: sent, at: now, &effects)
  }

  /// Becomes nobody: the store has given the name to another, or has forgotten the epoch.
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
    let present = FormerLife(epoch: epoch.text, store: identity)
    if kept != present { effects.append(.keep(present)) }
    kept = present
    guard failover.meet(identity, at: storeTime, settings.timing) else { return false }
    effects.append(.tell(.failedOver))
    return true
  }
}
