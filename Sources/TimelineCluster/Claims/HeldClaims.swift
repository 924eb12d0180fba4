import TimelineStoreWire

/// Claims that the store has granted to the node and that have no outcome in it, with their fencing tokens.
struct HeldClaims: Sendable, Hashable {
  private struct Grant: Sendable, Hashable {
    var token: Int64
    /// Whether a run of it was started, so that it must not be given up any more.
    var isStarted = false
  }

  /// The claims of each job by their nominal instants.
  private var grants: [String: [Int64: Grant]] = [:]
  private var count = 0

  /// Most claims that are kept: those of a hundred thousand jobs for some entries each.
  private static let countMax = 1_000_000

  /// Token of a claim; `nil` for one that the node does not hold.
  func token(of key: StoredKey) -> Int64? { grants[key.job]?[key.nominal]?.token }

  /// Whether a run of a claim was started.
  func isStarted(_ key: StoredKey) -> Bool { grants[key.job]?[key.nominal]?.isStarted ?? false }

  /// All claims.
  var keys: some Sequence<StoredKey> {
    grants.lazy.flatMap { job, claims in claims.keys.lazy.map { StoredKey(job: job, nominal: $0) } }
  }

  /// The claims of a job of which no run was started.
  func unstarted(of job: String) -> [StoredKey] {
    (grants[job] ?? [:]).filter { !$0.value.isStarted }.keys.map { StoredKey(job: job, nominal: $0) }
  }

  /// Takes a claim in.
  ///
  /// Tokens then ascend with the instants of what was not started: an entry that somebody asked for has a higher token than the next one of
  /// the schedule, which was claimed ahead and starts later. So they change hands.
  mutating func hold(_ key: StoredKey, token: Int64) {
    if let former = grants[key.job]?[key.nominal] {
      // One that is granted once more may have changed hands.
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

  /// Takes in that a run of a claim was started.
  mutating func start(_ key: StoredKey) { grants[key.job]?[key.nominal]?.isStarted = true }

  /// Lets go of a claim; returns whether the node held it.
  @discardableResult
  mutating func remove(_ key: StoredKey) -> Bool {
    guard grants[key.job]?.removeValue(forKey: key.nominal) != nil else { return false }
    count -= 1
    if grants[key.job]?.isEmpty ?? false { grants[key.job] = nil }
    return true
  }
}
