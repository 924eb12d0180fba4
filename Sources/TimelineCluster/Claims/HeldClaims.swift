import TimelineStoreWire

/// Claims that the store has granted to the node and that have no outcome in the store, with their fencing tokens.
struct HeldClaims: Sendable, Hashable {
  private struct Grant: Sendable, Hashable {
    var token: Int64
    /// Whether a run was started by the claim. If so, the claim must not be withdrawn.
    var isStarted = false
  }

  /// The claims of each job by their nominal instants.
  private var grants: [String: [Int64: Grant]] = [:]
  private var count = 0

  /// The maximum number of claims, enough for several entries each of 100,000 jobs.
  private static let countMax = 1_000_000

  /// Returns the token of a claim; `nil` if the node does not hold the claim.
  func token(of key: StoredKey) -> Int64? { grants[key.job]?[key.nominal]?.token }

  /// Whether a run was started by a claim.
  func isStarted(_ key: StoredKey) -> Bool { grants[key.job]?[key.nominal]?.isStarted ?? false }

  /// All claims.
  var keys: some Sequence<StoredKey> {
    grants.lazy.flatMap { job, claims in claims.keys.lazy.map { StoredKey(job: job, nominal: $0) } }
  }

  /// Returns the claims of a job without a started run.
  func unstarted(of job: String) -> [StoredKey] {
    (grants[job] ?? [:]).filter { !$0.value.isStarted }.keys.map { StoredKey(job: job, nominal: $0) }
  }

  /// Adds a claim.
  ///
  /// Tokens of claims that are not started are reassigned so that they ascend with the entries. Without this, a manual trigger
  /// would get a higher token than the next scheduled entry, which was claimed ahead and starts later.
  mutating func hold(_ key: StoredKey, token: Int64) {
    if let former = grants[key.job]?[key.nominal] {
      // A repeated grant may carry a token that was reassigned to another entry.
      let isNew = grants[key.job]?.values.allSatisfy { $0.token != token } ?? true
      if !former.isStarted, isNew { grants[key.job]?[key.nominal]?.token = token }
    } else {
      guard count < Self.countMax else { return }
      count += 1
      grants[key.job, default: [:]][key.nominal] = Grant(token: token)
    }
    let open = (grants[key.job] ?? [:]).filter { !$0.value.isStarted }
    let tokens = open.values.map(\.token).sorted()
    for (nominal, token) in zip(open.keys.sorted(), tokens) { grants[key.job]?[nominal]?.token = token }
  }

  /// Marks a claim as started.
  mutating func start(_ key: StoredKey) { grants[key.job]?[key.nominal]?.isStarted = true }

  /// Removes a claim; returns whether the node held it.
  @discardableResult
  mutating func remove(_ key: StoredKey) -> Bool {
    guard grants[key.job]?.removeValue(forKey: key.nominal) != nil else { return false }
    count -= 1
    if grants[key.job]?.isEmpty ?? false { grants[key.job] = nil }
    return true
  }
}
