package import TimelineCore

/// Settings of a node of a cluster: the table `[cluster]` of the main file.
package struct ClusterConfiguration: Sendable, Hashable {
  /// The store that the nodes share.
  package enum Store: Sendable, Hashable {
    /// A PostgreSQL database; its connection string is in this credential.
    case postgresql(credential: CredentialSource)
    /// An etcd, by the URLs of its members; user, password and certificates are in this credential, if it asks for them.
    case etcd(endpoints: [String], credential: CredentialSource?)

    /// Most endpoints: an etcd has three to seven members, and each may have two addresses.
    package static let endpointsMax = 16

    /// The credential, if there is one.
    package var credential: CredentialSource? {
      switch self {
      case .postgresql(let credential): credential
      case .etcd(_, let credential): credential
      }
    }

    /// Returns the words by which the store adapter is started, with the path of the credential's file.
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

    /// The name or the path.
    package var description: String {
      switch self {
      case .named(let text), .file(let text): text
      }
    }
  }

  /// Name of the cluster; several can share a store.
  package var name: String
  /// The store.
  package var store: Store
  /// Name of the node, in which `%H` stands for the name of the host.
  package var nodeTemplate: String
  /// Labels of the node.
  package var labels: [String: String]
  /// Length of the lease: the entries of a node that dies are delayed by that much, and a little more.
  package var lease: ElapsedTime

  /// Name of the node where it can be absent.
  package static let nodeTemplateDefault = "%H"
  /// The lease where none is given.
  package static let leaseDefault = ElapsedTime.seconds(10)
  /// The shortest lease: a third of it has to be enough for a call, a lost one, and a new process of the store adapter.
  package static let leaseMin = ElapsedTime.seconds(2)
  /// The longest lease: nobody runs the jobs of a dead node before its end.
  package static let leaseMax = ElapsedTime.minutes(10)
  /// Most labels of a node: they are sent with each view of the cluster.
  package static let labelsMax = 16

  /// Makes settings with defaults.
  package init(
    name: String, store: Store, nodeTemplate: String = nodeTemplateDefault, labels: [String: String] = [:],
    lease: ElapsedTime = leaseDefault
  ) {
    (self.name, self.store, self.nodeTemplate) = (name, store, nodeTemplate)
    (self.labels, self.lease) = (labels, lease)
  }

  /// Returns the name of the node on a host; `nil` if it is not 1 to 64 letters, digits, `-`, `_` or `.`.
  package func node(onHost host: String) -> String? {
    let name = Self.expanded(nodeTemplate, host)
    return LabelRule.isWord(name) ? name : nil
  }

  /// Returns a template with the name of the host in it.
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
