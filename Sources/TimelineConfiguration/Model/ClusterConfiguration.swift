package import TimelineCore

/// Settings of a node of a cluster: the table `[cluster]` of the main file.
package struct ClusterConfiguration: Sendable, Hashable {
  /// The store that the nodes share.
  package enum Store: Sendable, Hashable {
    /// A PostgreSQL database. The credential contains its connection string.
    case postgresql(credential: CredentialSource)
    /// An etcd, with the URLs of its members. The credential contains user, password and certificates if the etcd requires
    /// them.
    case etcd(endpoints: [String], credential: CredentialSource?)

    /// Largest number of endpoints: an etcd has three to seven members, and each may have two addresses.
    package static let endpointsMax = 16

    /// The credential of the store; `nil` if there is none.
    package var credential: CredentialSource? {
      switch self {
      case .postgresql(let credential): credential
      case .etcd(_, let credential): credential
      }
    }

    /// Returns the arguments for the store adapter. `path` is the path of the credential's file.
    package func adapterArguments(credential path: String?) -> [String] {
      let credential = path.map { ["--credential", $0] } ?? []
      return switch self {
      case .postgresql: ["postgresql"] + credential
      case .etcd(let endpoints, _): ["etcd"] + endpoints.flatMap { ["--endpoint", $0] } + credential
      }
    }
  }

  /// Place of a secret.
  package enum CredentialSource: Sendable, Hashable, CustomStringConvertible {
    /// A credential of the unit, by its name (systemd.exec(5), `LoadCredential=`).
    case named(String)
    /// A file, by its absolute path.
    case file(String)

    /// The name or the path of the credential.
    package var description: String {
      switch self {
      case .named(let text), .file(let text): text
      }
    }
  }

  /// Name of the cluster. Several clusters can share a store.
  package var name: String
  /// The store.
  package var store: Store
  /// Name of the node; `%H` in it is replaced by the name of the host.
  package var nodeTemplate: String
  /// Labels of the node.
  package var labels: [String: String]
  /// Length of the lease. When a node dies, its entries are delayed by the lease and a little more.
  package var lease: ElapsedTime

  /// Name of the node if the configuration gives none.
  package static let nodeTemplateDefault = "%H"
  /// The lease if the configuration gives none.
  package static let leaseDefault = ElapsedTime.seconds(10)
  /// The shortest lease: a third of it must be enough for a lost call, another call, and a new process of the store
  /// adapter.
  package static let leaseMin = ElapsedTime.seconds(2)
  /// The longest lease: no node runs the jobs of a dead node before the end of its lease.
  package static let leaseMax = ElapsedTime.minutes(10)
  /// Largest number of labels of a node: the labels are sent with each view of the cluster.
  package static let labelsMax = 16

  /// Makes settings with defaults.
  package init(
    name: String, store: Store, nodeTemplate: String = nodeTemplateDefault, labels: [String: String] = [:],
    lease: ElapsedTime = leaseDefault
  ) {
    (self.name, self.store, self.nodeTemplate) = (name, store, nodeTemplate)
    (self.labels, self.lease) = (labels, lease)
  }

  /// Returns the name of the node on a host; `nil` if the name does not consist of 1 to 64 letters, digits, `-`, `_` or
  /// `.`.
  package func node(onHost host: String) -> String? {
    let name = Self.expanded(nodeTemplate, host)
    return LabelRule.isWord(name) ? name : nil
  }

  /// Returns a template with `%H` replaced by the name of the host.
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
