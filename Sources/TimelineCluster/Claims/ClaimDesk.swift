import TimelineCore
import TimelineEngine
import TimelineStoreWire

/// Claims that the engine waits for, those that are given up, and those that the node holds.
struct ClaimDesk: Sendable, Hashable {
  /// A claim that the store has granted.
  private struct Grant: Sendable, Hashable {
    let token: Int64
    /// Whether a run of it was started, so that it must not be given up any more.
    var isStarted = false
  }

  /// Entries to be claimed, with the keys that the engine asked by.
  private var asked: [StoredKey: EntryKey] = [:]
  /// Claims to be given up.
  private var withdrawn: Set<StoredKey> = []
  /// Claims that the store has granted and that have no outcome in it.
  private var held: [StoredKey: Grant] = [:]
  /// Claims that are to be published again.
  private var unpublished: Set<StoredKey> = []

  /// Most claims that are kept to be published again: those of a hundred thousand jobs for some entries each.
  private static let heldMax = 1_000_000

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
    for entry in entries { giveUp(StoredKey(entry)) }
  }

  private mutating func giveUp(_ key: StoredKey) {
    // One that is being asked for just now may have been granted.
    let wasAsked = asked.removeValue(forKey: key) != nil
    if held[key]?.isStarted ?? false { return }
    if held.removeValue(forKey: key) != nil || wasAsked { withdrawn.insert(key) }
    unpublished.remove(key)
  }

  /// Takes in that a run of an entry was started.
  mutating func start(_ entry: EntryKey) { held[StoredKey(entry)]?.isStarted = true }

  /// Takes in that the store has the outcome of an entry.
  mutating func settle(_ key: StoredKey) {
    held[key] = nil
    unpublished.remove(key)
  }

  /// Gives all claims of a job up of which no run was started.
  mutating func leave(_ job: String) {
    for key in asked.keys.filter({ $0.job == job }) { giveUp(key) }
    for key in held.keys.filter({ $0.job == job }) { giveUp(key) }
  }

  /// Forgets what is asked for a job and what it holds: the node is not its owner any more, and another one decides.
  mutating func forget(_ job: String) {
    asked = asked.filter { $0.key.job != job }
    withdrawn = withdrawn.filter { $0.job != job }
    // Of what was started the claim is this node's until the outcome is stored.
    held = held.filter { $0.key.job != job || $0.value.isStarted }
    unpublished = unpublished.filter { held[$0] != nil }
  }

  /// Token of a claim that the node holds; `nil` for none.
  func token(of key: StoredKey) -> Int64? { held[key]?.token }

  /// Takes in that the node holds a claim.
  mutating func hold(_ key: StoredKey, token: Int64) {
    guard held.count < Self.heldMax else { return }
    held[key] = Grant(token: token, isStarted: held[key]?.isStarted ?? false)
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
    first(unpublished).compactMap { key in held[key].map { PublishCall.Claim(key, token: $0.token) } }
  }

  private func first(_ keys: some Sequence<StoredKey>) -> [StoredKey] {
    Array(keys.sorted().prefix(StoreWireLimits.entriesMax))
  }

  /// Has all claims that the node holds be published again.
  mutating func publishAll() { unpublished = Set(held.keys) }

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
        withdrawn.insert(answer.key)
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
