package import TimelineCore

/// Settings of a node of a cluster: the table `[cluster]` of the main file.
package struct ClusterConfiguration: Sendable, Equatable {
  /// The store that the nodes share.
  package enum Store: Sendable, Equatable {
    /// A PostgreSQL database. The credential contains its connection string.
    case postgresql(credential: CredentialSource)
    /// An etcd cluster, with the URLs of its members. The credential has the user, password and certificates, if etcd
    /// requires them.
    case etcd(endpoints: [String], credential: CredentialSource?)

    /// An etcd cluster has three to seven members, and each may have two addresses.
    package static let endpointsMax = 16

    package var credential: CredentialSource? {
      switch self {
      case .postgresql(let credential): credential
      case .etcd(_, let credential): credential
      }
    }

    /// Returns the arguments for the store adapter; `path` is the credential's file.
    package func adapterArguments(credential path: String?) -> [String] {
      let credential = path.map { ["--credential", $0] } ?? []
      return switch self {
      case .postgresql: ["postgresql"] + credential
      case .etcd(let endpoints, _): ["etcd"] + endpoints.flatMap { ["--endpoint", $0] } + credential
      }
    }
  }

  /// Place of a secret.
  package enum CredentialSource: Sendable, Equatable, CustomStringConvertible {
    /// The name of a credential of the unit (systemd.exec(5), `LoadCredential=`).
    case named(String)
    /// The absolute path of a file.
    case file(String)

    package var description: String {
      switch self {
      case .named(let text), .file(let text): text
      }
    }
  }

  /// Several clusters can share a store.
  package var name: String
  package var store: Store
  /// `%H` is replaced by the host name.
  package var nodeTemplate: String
  package var labels: [String: String]
  /// After a node's death, its entries are delayed by the lease and a little more.
  package var lease: ElapsedTime

  package static let nodeTemplateDefault = "%H"
  package static let leaseDefault = ElapsedTime.seconds(10)
  /// A third of the lease must be enough for a lost call, another call, and a new process of the store adapter.
  package static let leaseMin = ElapsedTime.seconds(2)
  /// No node runs the jobs of a dead node before the lease ends.
  package static let leaseMax = ElapsedTime.minutes(10)
  /// The labels are sent with each view of the cluster.
  package static let labelsMax = 16

  package init(
    name: String, store: Store, nodeTemplate: String = nodeTemplateDefault, labels: [String: String] = [:],
    lease: ElapsedTime = leaseDefault
  ) {
    (self.name, self.store, self.nodeTemplate) = (name, store, nodeTemplate)
    (self.labels, self.lease) = (labels, lease)
  }

  /// Returns the node's name on a host; `nil` if the name is not 1 to 64 letters, digits, `-`, `_` or `.`.
  package func node(onHost host: String) -> String? {
    let name = Self.expanded(nodeTemplate, host)
    return LabelRule.isWord(name) ? name : nil
  }

  /// Returns the template with `%H` replaced by the host name.
  static func expanded(_ template: String, _ host: String) -> String {
    var (rest, text) = (template[...], "")
    while let mark = rest.firstIndex(of: "%") {
      text += rest[..<mark]
      rest = rest[mark...]
      guard rest.hasPrefix("%H") else { return text + rest }
      text += host
      rest = rest.dropFirst(2)
    }
    return text + rest
  }
}
