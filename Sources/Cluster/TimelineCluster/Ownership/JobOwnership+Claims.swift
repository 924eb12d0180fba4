import TimelineCore
import TimelineEngine
import TimelineStoreWire

// Claims.
extension JobOwnership {
  /// Adds entries that the engine has requested. Requests of a job that was handed over in the meantime need no answer.
  mutating func ask(for entries: [EntryKey], _ effects: inout [ClusterEffect]) {
    claims.ask(for: entries.filter { running.contains($0.job) })
    grantDetached(&effects)
  }

  /// Withdraws entries that the engine has given up.
  mutating func withdraw(_ entries: [EntryKey]) { claims.withdraw(entries) }

  /// Marks the claim of an entry, or of its window, as started.
  mutating func start(_ entry: EntryKey) {
    if !isCounted(entry.job) {
      claims.start(entry)
    } else if let key = windows.start(entry) {
      claims.start(key)
    }
  }

  /// Returns the call that claims entries or windows.
  func claimCall(_ keys: [EntryKey]) -> StoreCall {
    let claims = keys.map { WantedClaim($0, entryCount: jobs[$0.job]?.entryCount(of: $0.nanoseconds) ?? 1) }
    return .claim(ClaimCall(claims))
  }

  /// Applies the reply to claims.
  mutating func claimed(_ reply: ClaimReply, _ effects: inout [ClusterEffect]) {
    lose(reply.foreignJobs.compactMap(JobName.init), &effects)
    let answers = takeWindows(claims.answer(reply.answers))
    if !answers.isEmpty { effects.append(.answer(answers)) }
  }

  /// Records that a call has withdrawn claims.
  mutating func gaveUp(_ keys: [EntryKey]) { claims.gaveUp(keys) }

  /// Marks entries as settled, because the store has their outcomes.
  mutating func settled(_ keys: [EntryKey]) {
    for key in keys { claims.settle(key) }
    windows.stored(keys)
  }

  /// Queues all claims and the window records of the last minute to be sent again, and requests a complete
  /// snapshot of the store.
  mutating func publishAll() {
    claims.publishAll()
    windows.tellAgain()
    view.forgetVersion()
  }

  /// Records that a call has published claims.
  mutating func published(_ published: [PublishedClaim]) { claims.published(published) }
}

// Jobs that the node keeps running while the store does not answer.
extension JobOwnership {
  /// Detaches the jobs with `store-down = "owner-runs"`: the node keeps running them, although its lease may have ended and the
  /// store does not answer.
  ///
  /// The lease no longer protects a detached job, so another node may run it, too. The next complete snapshot of
  /// the store ends the detachment.
  mutating func detach(_ effects: inout [ClusterEffect]) {
    let new = running.filter { jobs[$0]?.storeDown == .ownerRuns }.subtracting(detached)
    if new.isEmpty { return }
    detached.formUnion(new)
    effects.append(.tell(.goesOnAlone(new.sorted().map(\.text))))
    grantDetached(&effects)
  }

  private mutating func grantDetached(_ effects: inout [ClusterEffect]) {
    if detached.isEmpty { return }
    let answers = claims.grantAsked(of: detached)
    if !answers.isEmpty { effects.append(.answer(answers)) }
  }

  /// Whether the outcome of an entry must not advance the store's watermark: the entry was run, or decided, without a claim while
  /// the store did not answer.
  func isUnclaimed(_ key: EntryKey) -> Bool {
    claims.unclaimed.contains(key) || detached.contains(key.job) && claims.token(of: key) == nil
  }

  /// Whether the engine has a job that it may run only while the lease lasts.
  var needsLease: Bool { detached.count < running.count }

  /// Records that the lease may have ended, so that other nodes may own the jobs of ``view``.
  mutating func doubtView() { isViewProven = false }

  /// Returns whether the node with the epoch `epoch` owns a job.
  func ownership(of job: JobName, as epoch: String) -> UnclaimedOutcome.Ownership {
    // Entries of a job that is being acquired may be decided anew.
    guard isViewProven, !acquisitions.contains(job) else { return .unproven }
    return view.jobs[job]?.owner == epoch ? .own : .foreign
  }
}
