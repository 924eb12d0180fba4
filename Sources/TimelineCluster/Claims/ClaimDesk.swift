import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// Claims that the engine waits for, those that are given up, and those that the node holds.
struct ClaimDesk: Sendable, Hashable {
  /// Entries to be claimed, with the keys that the engine asked by.
  private var asked: [StoredKey: EntryKey] = [:]
  /// Claims to be given up.
  private var withdrawn: Set<StoredKey> = []
  private var held = HeldClaims()
  /// Claims that are to be published again.
  private var unpublished: Set<StoredKey> = []
  private(set) var unclaimed = UnclaimedEntries()
  /// Entries that were granted to the node and neither started nor settled when it lost their jobs.
  private var left = UnclaimedEntries()
  /// Entries that another node may have started and that are run again, until they have an outcome or another node owns their job.
  private var doubtful: [StoredKey: DoubtfulEntry] = [:]
  /// Tokens of claims to entries that another node may have started and that are not run again, until these have an outcome here, too.
  private var decided: [StoredKey: Int64] = [:]
  /// The highest token that the node was granted for each job that it runs.
  private var lastTokens: [String: Int64] = [:]

  /// Takes in entries that the engine asks for.
  mutating func ask(for entries: [EntryKey]) {
    for entry in entries {
      let key = StoredKey(entry)
      withdrawn.remove(key)
      asked[key] = entry
    }
  }

  /// Takes in entries that left the timeline before they fell due.
  mutating func withdraw(_ entries: [EntryKey]) {
    for entry in entries {
      giveUp(StoredKey(entry))
      unclaimed.remove(StoredKey(entry))
    }
  }

  /// Gives a claim up, unless a run of it was started.
  mutating func giveUp(_ key: StoredKey) {
    // One that is being asked for just now may have been granted.
    let wasAsked = asked.removeValue(forKey: key) != nil
    if held.isStarted(key) { return }
    doubtful[key] = nil
    if held.remove(key) || wasAsked { withdrawn.insert(key) }
    unpublished.remove(key)
  }

  /// Takes in that a run of an entry was started.
  mutating func start(_ entry: EntryKey) { start(StoredKey(entry)) }

  /// Takes in that something was done by a claim.
  mutating func start(_ key: StoredKey) { held.start(key) }

  /// Takes in that the store has the outcome of an entry.
  mutating func settle(_ key: StoredKey) {
    held.remove(key)
    unpublished.remove(key)
    doubtful[key] = nil
  }

  /// Withdraws the claims of a job without a started run. Claims to doubtful entries stay in the store for the next owner.
  mutating func leave(_ job: String) {
    for key in asked.keys.filter({ $0.job == job }) { giveUp(key) }
    for key in held.unstarted(of: job) {
      if doubtful[key] == nil { giveUp(key) } else { letGo(of: key) }
    }
    lastTokens[job] = nil
    decided = decided.filter { $0.key.job != job }
  }

  private mutating func letGo(of key: StoredKey) {
    held.remove(key)
    unpublished.remove(key)
  }

  /// Forgets what is asked for a job and what it holds, entries or windows of them: the node is not its owner any more, and another one
  /// decides.
  mutating func forget(_ job: String, areWindows: Bool) {
    asked = asked.filter { $0.key.job != job }
    withdrawn = withdrawn.filter { $0.job != job }
    lastTokens[job] = nil
    decided = decided.filter { $0.key.job != job }
    // Of what was started the claim is this node's until the outcome is stored.
    for key in held.unstarted(of: job) {
      letGo(of: key)
      if !areWindows, doubtful[key] == nil { left.insert(key) }
    }
  }

  /// Token of a claim that the node holds, or about which it decides; `nil` for none.
  func token(of key: StoredKey) -> Int64? { held.token(of: key) ?? decided[key] }

  /// Takes in that the node holds a claim.
  mutating func hold(_ key: StoredKey, token: Int64) {
    held.hold(key, token: token)
    lastTokens[key.job] = max(lastTokens[key.job] ?? .min, token)
  }
}

// Entries that another node may have started.
extension ClaimDesk {
  /// Has entries of a job that are run again stay doubtful: when the node has given the job up before they started, each owner, the node
  /// again too, is to run them.
  mutating func doubt(_ entries: [DoubtfulEntry], of job: String) {
    for entry in entries {
      doubtful[StoredKey(job: job, nominal: entry.nominal.nanosecondsSinceEpoch)] = entry
    }
  }

  /// Notes the tokens of claims to doubtful entries of a job that are not run again: their outcomes on this node are those of the claims.
  mutating func decide(_ entries: [DoubtfulEntry], of job: String) {
    for entry in entries {
      let key = StoredKey(job: job, nominal: entry.nominal.nanosecondsSinceEpoch)
      if held.token(of: key) == nil { decided[key] = entry.token }
    }
  }

  /// Returns the entries of a job that are doubtful by claims of this node, by their nominal instants.
  func doubts(of job: String) -> [Int64: DoubtfulEntry] {
    let entries = doubtful.filter { $0.key.job == job }
    return Dictionary(uniqueKeysWithValues: entries.map { ($0.key.nominal, $0.value) })
  }

  /// Forgets which entries of a job are doubtful: another node owns it, and decides about them.
  mutating func forgetDoubts(of job: String) {
    if !doubtful.isEmpty { doubtful = doubtful.filter { $0.key.job != job } }
  }
}

// Entries that are run without a claim.
extension ClaimDesk {
  /// Grants what is asked for jobs, with the last token of each: the store does not answer.
  mutating func grantAsked(of jobs: Set<String>) -> [ClaimAnswer] {
    let granted = asked.filter { jobs.contains($0.key.job) }.sorted { $0.key < $1.key }
    return granted.map { key, entry in
      asked[key] = nil
      unclaimed.insert(key)
      let token = lastTokens[key.job]
      if let token { hold(key, token: token) }
      return ClaimAnswer(entry: entry, verdict: .granted, token: token)
    }
  }

  /// Returns the nominal instant of each job's first entry that has no claim and that the node requests or runs.
  func firstUnclaimed(of jobs: Set<String>) -> [String: Int64] {
    var first = jobs.reduce(into: [String: Int64]()) { $0[$1] = unclaimed.first(of: $1) }
    for key in asked.keys where jobs.contains(key.job) {
      first[key.job] = min(first[key.job] ?? .max, key.nominal)
    }
    return first
  }

  /// Takes in that the node runs an entry without a claim, which the last life of its daemon began.
  mutating func runUnclaimed(_ key: StoredKey) { unclaimed.insert(key) }

  /// Takes in that an entry has its outcome on this node.
  mutating func end(_ key: StoredKey) {
    unclaimed.remove(key)
    left.remove(key)
    doubtful[key] = nil
    decided[key] = nil
  }

  /// Returns the first undecided entry later than `watermark` of a job that the node has acquired, and forgets all of the job's; `nil` for
  /// none.
  mutating func takeUndecided(of job: String, after watermark: Int64?) -> Int64? {
    defer {
      unclaimed.removeAll(of: job)
      left.removeAll(of: job)
    }
    return [unclaimed, left].compactMap { $0.first(of: job, after: watermark) }.min()
  }
}

// What is to be sent.
extension ClaimDesk {
  /// Whether an entry may be claimed at present.
  typealias Permission = (StoredKey) -> Bool

  /// Returns entries to be claimed, ascending, as many as fit into a call.
  ///
  /// One that must not be claimed yet keeps later ones of its job back: tokens ascend with the entries.
  func nextAsked(_ mayClaim: Permission) -> [StoredKey] {
    var heldBack: Set<String> = []
    return first(
      asked.keys.sorted().filter { key in
        if heldBack.contains(key.job) { return false }
        if mayClaim(key) { return true }
        heldBack.insert(key.job)
        return false
      })
  }

  /// Returns claims to be given up, ascending, as many as fit into a call.
  var nextWithdrawn: [StoredKey] { first(withdrawn) }

  /// Returns claims to be published again, ascending, as many as fit into a call.
  var nextUnpublished: [PublishCall.Claim] {
    first(unpublished).compactMap { key in held.token(of: key).map { PublishCall.Claim(key, token: $0) } }
  }

  private func first(_ keys: some Sequence<StoredKey>) -> [StoredKey] {
    Array(keys.sorted().prefix(StoreWireLimits.entriesMax))
  }

  /// Has all claims that the node holds be published again.
  mutating func publishAll() { unpublished = Set(held.keys.filter { !unclaimed.contains($0) }) }

  /// Takes in that claims were published.
  mutating func published(_ claims: [PublishCall.Claim]) {
    for claim in claims { unpublished.remove(claim.key) }
  }

  /// Takes in that claims were given up.
  mutating func gaveUp(_ keys: [StoredKey]) {
    for key in keys { withdrawn.remove(key) }
  }

  /// Takes in the store's answers, and returns those that the engine still waits for, in their order.
  mutating func answer(_ answers: [ClaimReply.Answer]) -> [ClaimAnswer] {
    answers.compactMap { answer in
      let entry = asked.removeValue(forKey: answer.key)
      guard answer.isGranted, let token = answer.token else {
        return entry.map { ClaimAnswer(entry: $0, verdict: .denied) }
      }
      if withdrawn.contains(answer.key) { return nil }
      guard let entry else {
        // The node did not wait for the store, whose answer comes late.
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

extension StoredKey {
  /// The key of an entry.
  init(_ entry: EntryKey) {
    self.init(job: entry.job.text, nominal: entry.nominal.nanosecondsSinceEpoch)
  }
}
