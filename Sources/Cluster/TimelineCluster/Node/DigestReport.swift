import TimelineStoreWire

/// Report to the store of the definitions of the node's jobs. After each change all digests are sent, in parts that fit into a
/// message.
struct DigestReport: Sendable, Equatable {
  /// A part of the digests.
  struct Part: Sendable, Hashable {
    let digests: [String: String]
    /// Whether the store adds the part to the previous parts.
    let isAdded: Bool
  }

  /// The digests that are being sent or were sent; `nil` if the store has none.
  private var digests: [String: String]?
  /// Names of the jobs that are still to be sent, ascending.
  private var rest: [String] = []
  private var isAdding = false
  private var isComplete = true

  /// Sets the present digests, and restarts the report if they have changed.
  mutating func set(_ present: [String: String]) {
    guard digests != present else { return }
    (digests, rest) = (present, present.keys.sorted())
    (isAdding, isComplete) = (false, false)
  }

  /// The next part to be sent; `nil` if all parts were sent.
  var next: Part? {
    guard !isComplete, let digests else { return nil }
    let part = rest.prefix(StoreWireLimits.jobsMax).map { ($0, digests[$0] ?? "") }
    return Part(digests: Dictionary(uniqueKeysWithValues: part), isAdded: isAdding)
  }

  /// Marks the part that ``next`` returned as stored.
  mutating func told(_ part: Part) {
    // The digests may have changed while the part was sent.
    guard part == next else { return }
    rest.removeFirst(min(rest.count, StoreWireLimits.jobsMax))
    isAdding = true
    isComplete = rest.isEmpty
  }

  /// Resets the report, because the store has lost all digests.
  mutating func forget() { (digests, rest, isAdding, isComplete) = (nil, [], false, true) }
}
