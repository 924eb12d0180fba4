/// The nodes of a cluster on which a job runs.
public struct JobPlacement: Sendable, Hashable {
  /// The nodes that run an entry: all or one.
  public enum RunOn: String, Sendable, Hashable, CaseIterable {
    /// Every node that has the job in its configuration, independently of the others.
    case every
    /// One node of the cluster.
    case one
  }

  /// Handling of a job with ``JobPlacement/RunOn/one`` while the store of the cluster does not answer.
  public enum StoreDown: String, Sendable, Hashable, CaseIterable {
    /// Entries wait for the store.
    case hold
    /// The last owner continues without the store.
    case ownerRuns = "owner-runs"
  }

  /// The nodes that run an entry: all or one.
  public var runOn: RunOn
  /// Labels that a node must have to run entries; if empty, every node may run them.
  public var rules: [LabelRule]
  /// Handling of the job while the store does not answer.
  public var storeDown: StoreDown

  /// Makes a placement; the default is that of a daemon without a cluster.
  public init(runOn: RunOn = .every, rules: [LabelRule] = [], storeDown: StoreDown = .hold) {
    (self.runOn, self.rules, self.storeDown) = (runOn, rules, storeDown)
  }
}

/// A label that a node must have, or must not have: `role=db`, `!zone=c`.
public struct LabelRule: Sendable, Hashable, CustomStringConvertible {
  /// Key of the label.
  public let key: String
  /// Value of the label.
  public let value: String
  /// Whether the node must not have the label.
  public let isForbidden: Bool

  /// Reads a rule: `key=value`, with `!` before it for a label that is forbidden; `nil` for any other text.
  public init?(_ text: String) {
    isForbidden = text.hasPrefix("!")
    let parts = text.dropFirst(isForbidden ? 1 : 0).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isWord(parts[0]), Self.isWord(parts[1]) else { return nil }
    (key, value) = (String(parts[0]), String(parts[1]))
  }

  /// The rule as it is written.
  public var description: String { "\(isForbidden ? "!" : "")\(key)=\(value)" }

  /// Whether a node with these labels meets the rule.
  public func isMet(by labels: [String: String]) -> Bool { (labels[key] == value) != isForbidden }

  /// Whether a text can be the key or the value of a label: 1 to 64 letters, digits, `-`, `_` and `.`, so that it is
  /// one word on a command line and in every store.
  public static func isWord(_ text: some StringProtocol) -> Bool {
    let bytes = text.utf8
    return (1...64).contains(bytes.count)
      && bytes.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}

extension Sequence where Element == LabelRule {
  /// Whether a node with these labels meets all of the rules.
  public func areMet(by labels: [String: String]) -> Bool { allSatisfy { $0.isMet(by: labels) } }
}
