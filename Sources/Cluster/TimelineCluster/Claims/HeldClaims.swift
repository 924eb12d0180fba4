import TimelineCore
import TimelineStoreWire

/// Claims that the store has granted to the node and that have no outcome in the store, with their fencing tokens.
struct HeldClaims: Sendable, Equatable {
  private struct Grant: Sendable, Equatable {
    var token: Int64
    /// Token with which the claim was granted. The store has this token.
    let granted: Int64
    /// Whether a run was started by the claim. A started claim must not be withdrawn.
    var isStarted = false
  }

  /// The claims of each job by their nominal instants.
  private var grants: [JobName: [Int64: Grant]] = [:]
  private var count = 0
  /// Claims with a reassigned token: those in ``grants``, and dropped ones, also of the previous daemon process. The store may
  /// still have a dropped claim, and may grant it again.
  private var reassigned: [EntryKey: Grant] = [:]

  /// The maximum number of claims, enough for several entries each of 100,000 jobs.
  private static let countMax = 1_000_000

  /// Creates an empty set of claims.
  ///
  /// - Parameter former: Claims whose tokens the previous daemon process reassigned.
  init(following former: [ReassignedClaim] = []) {
    for claim in former { reassigned[claim.key] = Grant(token: claim.token, granted: claim.granted) }
  }

  /// Claims with a reassigned token, in order of their keys, for the next life of the node.
  var reassignedClaims: [ReassignedClaim] {
    if reassigned.isEmpty { return [] }
    return reassigned.sorted(on: \.key).map {
      ReassignedClaim($0.key, granted: $0.value.granted, token: $0.value.token)
    }
  }

  /// Returns the token of a claim; `nil` if the node does not hold the claim.
  func token(of key: EntryKey) -> Int64? { grants[key.job]?[key.nanoseconds]?.token }

  /// Whether a run was started by a claim.
  func isStarted(_ key: EntryKey) -> Bool { grants[key.job]?[key.nanoseconds]?.isStarted ?? false }

  var keys: some Sequence<EntryKey> {
    grants.lazy.flatMap { job, claims in claims.keys.lazy.map { EntryKey(job: job, nanoseconds: $0) } }
  }

  /// Returns the claims of a job that have not started a run.
  func unstarted(of job: JobName) -> [EntryKey] {
    (grants[job] ?? [:]).filter { !$0.value.isStarted }.keys.map { EntryKey(job: job, nanoseconds: $0) }
  }

  /// Adds a claim; `isStarted` if a run was started by it already.
  ///
  /// Tokens of claims that are not started are reassigned so that they ascend with the entries. Otherwise a manual trigger
  /// would get a higher token than the next scheduled entry, which was claimed ahead and starts later.
  mutating func hold(_ key: EntryKey, token: Int64, isStarted: Bool = false) {
    if let former = grants[key.job]?[key.nanoseconds] {
      // The token of a repeated grant may have been reassigned to another entry.
      let isNew =
        former.granted != token && grants[key.job]?.values.allSatisfy { $0.token != token } ?? true
      if !former.isStarted, isNew { assign(Grant(token: token, granted: token), to: key) }
    } else {
      guard count < Self.countMax else { return }
      count += 1
      let former = reassigned[key].flatMap { $0.granted == token ? $0 : nil }
      assign(former ?? Grant(token: token, granted: token), to: key)
    }
    if isStarted { start(key) }
    let open = (grants[key.job] ?? [:]).filter { !$0.value.isStarted }
    let tokens = open.values.map(\.token).sorted()
    for ((nominal, former), token) in zip(open.sorted(on: \.key), tokens)
    where former.token != token {
      assign(Grant(token: token, granted: former.granted), to: EntryKey(job: key.job, nanoseconds: nominal))
    }
  }

  private mutating func assign(_ grant: Grant, to key: EntryKey) {
    grants[key.job, default: [:]][key.nanoseconds] = grant
    reassigned[key] = grant.token == grant.granted ? nil : grant
  }

  /// Marks a claim as started.
  mutating func start(_ key: EntryKey) { grants[key.job]?[key.nanoseconds]?.isStarted = true }

  /// Drops a claim that may stay in the store. Returns whether the node held the claim. If the claim is granted again, it
  /// keeps its last token, because another entry may have used its first token.
  @discardableResult
  mutating func letGo(of key: EntryKey) -> Bool {
    let former = reassigned[key]
    defer { if reassigned.count < Self.countMax { reassigned[key] = former } }
    return remove(key)
  }

  /// Forgets the reassigned token of a claim that the store no longer has.
  mutating func forget(_ key: EntryKey) { reassigned[key] = nil }

  /// Forgets the reassigned tokens of a job's dropped claims, because another node owns the job, or because the store has listed
  /// all claims of the job.
  mutating func forget(_ job: JobName) {
    if reassigned.isEmpty { return }
    reassigned = reassigned.filter { $0.key.job != job || grants[job]?[$0.key.nanoseconds] != nil }
  }

  /// Removes a claim. Returns whether the node held the claim.
  @discardableResult
  mutating func remove(_ key: EntryKey) -> Bool {
    reassigned[key] = nil
    guard grants[key.job]?.removeValue(forKey: key.nanoseconds) != nil else { return false }
    count -= 1
    if grants[key.job]?.isEmpty ?? false { grants[key.job] = nil }
    return true
  }
}
