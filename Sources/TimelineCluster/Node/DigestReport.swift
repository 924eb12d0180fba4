import TimelineStoreWire

/// Report to the store about the definitions of the node's jobs: all of them after each change, in parts that fit into a message.
struct DigestReport: Sendable, Hashable {
  /// A part of the digests.
  struct Part: Sendable, Hashable {
    let digests: [String: String]
    /// Whether it is added to the parts before it.
    let isAdded: Bool
  }

  /// The digests that are told or were told; `nil` if the store knows none.
  private var digests: [String: String]?
  /// Names of the jobs that are still to be told, ascending.
  private var rest: [String] = []
  private var isAdding = false
  private var isComplete = true

  /// Takes in the present digests.
  mutating func set(_ present: [String: String]) {
    guard digests != present else { return }
    (digests, rest) = (present, present.keys.sorted())
    (isAdding, isComplete) = (false, false)
  }

  /// The next part to be told; `nil` if all has been told.
  var next: Part? {
    guard !isComplete, let digests else { return nil }
    let part = rest.prefix(StoreWireLimits.jobsMax).map { ($0, digests[$0] ?? "") }
    return Part(digests: Dictionary(uniqueKeysWithValues: part), isAdded: isAdding)
  }

  /// Takes in that the store knows the part that ``next`` was.
  mutating func told(_ part: Part) {
    // The digests may have changed while it was told.
    guard part == next else { return }
    rest.removeFirst(min(rest.count, StoreWireLimits.jobsMax))
    isAdding = true
    isComplete = rest.isEmpty
  }

  /// Takes in that the store has forgotten all.
  mutating func forget() { (digests, rest, isAdding, isComplete) = (nil, [], false, true) }
}
