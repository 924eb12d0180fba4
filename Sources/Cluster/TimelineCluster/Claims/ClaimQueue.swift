import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// Claims that the engine has requested, claims to be withdrawn, and claims that the node holds.
struct ClaimQueue: Sendable, Equatable {
  /// Entries to be claimed, as the engine has named them.
  private var asked: Set<EntryKey> = []
  /// Claims to be withdrawn.
  private var withdrawn: Set<EntryKey> = []
  private var held: HeldClaims
  /// Claims that are to be published again.
  private var unpublished: Set<EntryKey> = []
  private(set) var unclaimed = UnclaimedEntries()
  /// Entries that were granted to the node, but were neither started nor settled when the node lost the job.
  private var left = UnclaimedEntries()
  /// Entries that another node may have started and that this node runs again. An entry is kept until it has an outcome, or
  /// until another node owns its job.
  private var doubtful: [EntryKey: DoubtfulEntry] = [:]
  /// Claim tokens of entries that another node may have started and that are not run again. A token is kept until its entry has
  /// an outcome on this node, too.
  private var decided: [EntryKey: Int64] = [:]
  /// Highest granted token of each job that the node runs.
  private var lastTokens: [JobName: Int64] = [:]

  /// Makes a queue.
  ///
  /// - Parameter former: Claims with reassigned tokens of the previous life of this node, which may be granted again.
  init(following former: [ReassignedClaim] = []) { held = HeldClaims(following: former) }

  /// Claims with reassigned tokens, in order of their keys.
  var reassigned: [ReassignedClaim] { held.reassignedClaims }

  /// Adds entries that the engine has requested.
  mutating func ask(for entries: [EntryKey]) {
    for entry in entries {
      withdrawn.remove(entry)
      asked.update(with: entry)
    }
  }

  /// Withdraws claims to entries that were removed from the schedule before they fell due.
  mutating func withdraw(_ entries: [EntryKey]) {
    for entry in entries {
      giveUp(entry)
      unclaimed.remove(entry)
    }
  }

  /// Withdraws a claim, unless its run was started.
  mutating func giveUp(_ key: EntryKey) {
    // A claim that is being requested may already have been granted.
    let wasAsked = asked.remove(key) != nil
    if held.isStarted(key) { return }
    doubtful[key] = nil
    if held.letGo(of: key) || wasAsked { withdrawn.insert(key) }
    unpublished.remove(key)
  }

  /// Marks a claim, of an entry or of a window, as started.
  mutating func start(_ key: EntryKey) { held.start(key) }

  /// Removes the claim of an entry whose outcome is in the store.
  mutating func settle(_ key: EntryKey) {
    held.remove(key)
    unpublished.remove(key)
    doubtful[key] = nil
  }

  /// Withdraws a job's claims that have no started run. Claims of doubtful entries stay in the store for the next owner.
  mutating func leave(_ job: JobName) {
    for key in asked.filter({ $0.job == job }) { giveUp(key) }
    for key in held.unstarted(of: job) {
      if doubtful[key] == nil { giveUp(key) } else { letGo(of: key) }
    }
    lastTokens[job] = nil
    decided = decided.filter { $0.key.job != job }
  }

  private mutating func letGo(of key: EntryKey) {
    held.letGo(of: key)
    unpublished.remove(key)
  }

  /// Drops a job's requests, and its claims that have no started run. The node has lost the job, and another node decides
  /// about the entries.
  ///
  /// - Parameter areWindows: Whether the job's claims are for windows, not for single entries.
  mutating func forget(_ job: JobName, areWindows: Bool) {
    asked = asked.filter { $0.job != job }
    withdrawn = withdrawn.filter { $0.job != job }
    lastTokens[job] = nil
    decided = decided.filter { $0.key.job != job }
    // The claim of a started entry stays with this node until the outcome is stored.
    for key in held.unstarted(of: job) {
      letGo(of: key)
      if !areWindows, doubtful[key] == nil { left.insert(key) }
    }
  }

  /// Returns the token of a claim that the node holds, or of a doubtful entry that is not run again; `nil` for none.
  func token(of key: EntryKey) -> Int64? { held.token(of: key) ?? decided[key] }

  /// Adds all claims to a job that the node has acquired. Other claims to it are no longer in the store.
  ///
  /// An entry that was claimed again may have a higher token than a later entry, which was claimed before. Its run has no token
  /// yet, so the tokens can still be reassigned.
  mutating func hold(_ claims: [HeldClaim], of job: JobName) {
    for claim in claims {
      hold(EntryKey(job: job, nominal: claim.nominal), token: claim.token, isStarted: claim.isStarted)
    }
    for claim in claims where claim.isReclaimed { held.start(EntryKey(job: job, nominal: claim.nominal)) }
    held.forget(job)
  }

  /// Adds a claim that the store has granted to the node; `isStarted` if a run was started by it already.
  mutating func hold(_ key: EntryKey, token: Int64, isStarted: Bool = false) {
    held.hold(key, token: token, isStarted: isStarted)
    lastTokens[key.job] = max(lastTokens[key.job] ?? .min, token)
  }
}

// Entries that another node may have started.
extension ClaimQueue {
  /// Records a job's doubtful entries that are run again. The entries stay doubtful if the node gives the job up before they
  /// start, because the next owner, possibly this node again, must run them.
  mutating func doubt(_ entries: [DoubtfulEntry], of job: JobName) {
    for entry in entries { doubtful[EntryKey(job: job, nominal: entry.nominal)] = entry }
  }

  /// Records the claim tokens of a job's doubtful entries that are not run again. This node's outcome of an entry then settles
  /// the claim with the token.
  mutating func decide(_ entries: [DoubtfulEntry], of job: JobName) {
    for entry in entries {
      let key = EntryKey(job: job, nominal: entry.nominal)
      if held.token(of: key) == nil { decided[key] = entry.token }
    }
  }

  /// Returns a job's doubtful entries that this node has claimed in order to run them again, by nominal instant.
  func doubts(of job: JobName) -> [Int64: DoubtfulEntry] {
    let entries = doubtful.filter { $0.key.job == job }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key.nanoseconds, $0.value) })
  }

  /// Removes a job's doubtful entries and reassigned tokens. Another node owns the job and decides about the entries.
  mutating func forgetDoubts(of job: JobName) {
    held.forget(job)
    if !doubtful.isEmpty { doubtful = doubtful.filter { $0.key.job != job } }
  }
}

// Entries that are run without a claim.
extension ClaimQueue {
  /// Grants the requested entries of jobs locally, because the store does not answer. Each entry gets the last token of its
  /// job.
  mutating func grantAsked(of jobs: Set<JobName>) -> [ClaimAnswer] {
    let granted = asked.filter { jobs.contains($0.job) }.sorted()
    return granted.map { entry in
      asked.remove(entry)
      unclaimed.insert(entry)
      let token = lastTokens[entry.job]
      if let token { hold(entry, token: token) }
      return ClaimAnswer(entry: entry, verdict: .granted, token: token)
    }
  }

  /// Returns the nominal instant of each job's first entry without a claim, among the entries that the node requests or runs.
  func firstUnclaimed(of jobs: Set<JobName>) -> [JobName: WallInstant] {
    var first = jobs.reduce(into: [JobName: WallInstant]()) { $0[$1] = unclaimed.first(of: $1) }
    for key in asked where jobs.contains(key.job) {
      first[key.job] = min(first[key.job] ?? .max, key.nominal)
    }
    return first
  }

  /// Adds an entry that an earlier daemon process started without a claim, and that this node runs again.
  mutating func runUnclaimed(_ key: EntryKey) { unclaimed.insert(key) }

  /// Removes an entry that has its outcome on this node.
  mutating func end(_ key: EntryKey) {
    // The token is of an earlier claim, and no claim of the entry may be published: its outcome may be withheld.
    if unclaimed.remove(key) { settle(key) }
    left.remove(key)
    doubtful[key] = nil
    decided[key] = nil
  }

  /// Removes all undecided entries of a job that the node has acquired. Returns the first one later than `watermark`; `nil`
  /// for none.
  mutating func takeUndecided(of job: JobName, after watermark: WallInstant?) -> WallInstant? {
    defer {
      unclaimed.removeAll(of: job)
      left.removeAll(of: job)
    }
    return [unclaimed, left].compactMap { $0.first(of: job, after: watermark) }.min()
  }
}

// Next calls.
extension ClaimQueue {
  /// Whether an entry may be claimed at present.
  typealias Permission = (EntryKey) -> Bool

  /// Returns entries to be claimed, ascending, up to the limit of a call.
  ///
  /// An entry that must not be claimed yet also blocks the later entries of its job, because tokens ascend with the entries.
  func nextAsked(_ mayClaim: Permission) -> [EntryKey] {
    var heldBack: Set<JobName> = []
    return first(
      asked.sorted().filter { key in
        if heldBack.contains(key.job) { return false }
        if mayClaim(key) { return true }
        heldBack.insert(key.job)
        return false
      })
  }

  /// Claims to be withdrawn, ascending, up to the limit of a call.
  var nextWithdrawn: [EntryKey] { first(withdrawn) }

  /// Claims to be published again, ascending, up to the limit of a call.
  var nextUnpublished: [PublishedClaim] {
    first(unpublished).compactMap { key in held.token(of: key).map { PublishedClaim(key, token: $0) } }
  }

  private func first(_ keys: some Sequence<EntryKey>) -> [EntryKey] {
    Array(keys.sorted().prefix(StoreWireLimits.entriesMax))
  }

  /// Queues all claims that the node holds to be published again, except claims that were granted locally.
  mutating func publishAll() { unpublished = Set(held.keys.filter { !unclaimed.contains($0) }) }

  /// Removes published claims from the claims to be published.
  mutating func published(_ claims: [PublishedClaim]) {
    for claim in claims { unpublished.remove(claim.key) }
  }

  /// Removes withdrawn claims from the claims to be withdrawn.
  mutating func gaveUp(_ keys: [EntryKey]) {
    for key in keys {
      withdrawn.remove(key)
      held.forget(key)
    }
  }

  /// Applies the store's answers. Returns the answers that the engine still waits for, in the same order.
  mutating func answer(_ answers: [ClaimReply.Answer]) -> [ClaimAnswer] {
    answers.compactMap { answer in
      let entry = asked.remove(answer.key)
      guard answer.isGranted, let token = answer.token else {
        return entry.map { ClaimAnswer(entry: $0, verdict: .denied) }
      }
      if withdrawn.contains(answer.key) { return nil }
      guard let entry else {
        // The answer is late: the node has run the entry without a claim, or has dropped the request.
        if unclaimed.remove(answer.key) {
          hold(answer.key, token: token)
        } else {
          withdrawn.insert(answer.key)
        }
        return nil
      }
      hold(answer.key, token: token)
      return ClaimAnswer(entry: entry, verdict: .granted, token: token)
    }
  }
}
