import TimelineCore
import TimelineEngine
import TimelineStoreWire

// Claims.
extension JobOwnership {
  /// Takes in entries that the engine asks for. What it asks of a job that was handed over meanwhile needs no answer.
  mutating func ask(for entries: [EntryKey], _ effects: inout [ClusterEffect]) {
    claims.ask(for: entries.filter { running.contains($0.job.text) })
    grantDetached(&effects)
  }

  /// Takes in entries that the engine gives up.
  mutating func withdraw(_ entries: [EntryKey]) { claims.withdraw(entries) }

  /// Takes in that a run of an entry was started.
  mutating func start(_ entry: EntryKey) {
    if !isCounted(entry.job.text) {
      claims.start(entry)
    } else if let key = windows.start(entry) {
      claims.start(key)
    }
  }

  /// Returns the call that claims entries, or windows of them.
  func claimCall(_ keys: [StoredKey], as epoch: String, of cluster: String) -> StoreCall {
    let entries = keys.map {
      ClaimCall.Entry($0, entryCount: jobs[$0.job]?.entryCount(of: $0.nominal) ?? 1)
    }
    return .claim(ClaimCall(cluster: cluster, epoch: epoch, entries: entries))
  }

  /// Takes in the reply to claims.
  mutating func claimed(_ reply: ClaimReply, _ effects: inout [ClusterEffect]) {
    lose(reply.foreignJobs, &effects)
    let answers = takeWindows(claims.answer(reply.answers))
    if !answers.isEmpty { effects.append(.answer(answers)) }
  }

  /// Takes in that claims were given up.
  mutating func gaveUp(_ keys: [StoredKey]) { claims.gaveUp(keys) }

  /// Takes in that the store has outcomes of entries.
  mutating func settled(_ keys: [StoredKey]) {
    for key in keys { claims.settle(key) }
    windows.stored(keys)
  }

  /// Has all claims be published and the last windows be recorded again, and the next view be whole.
  mutating func publishAll() {
    claims.publishAll()
    windows.tellAgain()
    view.forgetVersion()
  }

  /// Takes in that claims were published.
  mutating func published(_ published: [PublishCall.Claim]) { claims.published(published) }
}

// Jobs that the node goes on with while the store does not answer.
extension JobOwnership {
  /// Has the node go on by itself with those of its jobs that are to be run so, because its lease may have ended and the store does not
  /// answer.
  ///
  /// The lease does not tell then who may run them; another node may, too. A job is the store's again with the next view of it.
  mutating func detach(_ effects: inout [ClusterEffect]) {
    let new = running.filter { jobs[$0]?.storeDown == .ownerRuns }.subtracting(detached)
    if new.isEmpty { return }
    detached.formUnion(new)
    effects.append(.tell(.goesOnAlone(new.sorted())))
    grantDetached(&effects)
  }

  private mutating func grantDetached(_ effects: inout [ClusterEffect]) {
    if detached.isEmpty { return }
    let answers = claims.grantAsked(of: detached)
    if !answers.isEmpty { effects.append(.answer(answers)) }
  }

  /// Whether the outcome of an entry says nothing about earlier ones to the store: it was run, or decided, without a claim while the store
  /// did not answer.
  func isUnclaimed(_ key: StoredKey) -> Bool {
    claims.unclaimed.contains(key) || detached.contains(key.job) && claims.token(of: key) == nil
  }

  /// Whether the engine has a job that it may run only while the lease lasts.
  var needsLease: Bool { detached.count < running.count }
}
