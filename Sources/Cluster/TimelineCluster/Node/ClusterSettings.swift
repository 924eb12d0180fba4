package import TimelineCore

/// Identity and timing of a node in its cluster.
package struct ClusterSettings: Sendable, Equatable {
  package var cluster: String
  /// Unique in the cluster.
  package var node: String
  package var labels: [String: String]
  package var timing: ClusterTiming
  package var version: String

  package init(
    cluster: String, node: String, labels: [String: String] = [:], lease: ElapsedTime = .seconds(10),
    version: String = ""
  ) {
    (self.cluster, self.node, self.labels) = (cluster, node, labels)
    (timing, self.version) = (ClusterTiming(lease: lease), version)
  }
}

/// Identity of a daemon process: 128 bits. The first 96 bits are random. The last 32 bits are a counter that increases each
/// time the store no longer has the identity.
///
/// A host name is not enough: two machines can have the same host name, and a restarted daemon has the name of a daemon that
/// may still run.
package struct NodeEpoch: Sendable, Equatable {
  private let random: (UInt64, UInt32)
  private var generation: UInt32 = 0

  /// Makes an epoch of random bits.
  package init(_ high: UInt64, _ low: UInt32) { random = (high, low) }

  /// 32 hexadecimal digits.
  package var text: String {
    Self.digits(random.0, 16) + Self.digits(UInt64(random.1), 8) + Self.digits(UInt64(generation), 8)
  }

  /// The next epoch of the same daemon process.
  var next: NodeEpoch {
    var next = self
    next.generation &+= 1
    return next
  }

  private static func digits(_ number: UInt64, _ count: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: count - digits.count) + digits
  }

  /// Whether two epochs are the same.
  package static func == (left: NodeEpoch, right: NodeEpoch) -> Bool {
    left.random == right.random && left.generation == right.generation
  }
}
