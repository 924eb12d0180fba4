import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineLoading
import TimelineSystem

// A member, made from a configuration.
extension ClusterMember {
  /// Makes a member for the node that a configuration describes.
  convenience init(
    _ configuration: ClusterConfiguration, following former: FormerLife, shell: any Shell,
    parts: DaemonParts,
    wall: @escaping () -> WallInstant
  ) throws(DaemonFailure) {
    guard let node = configuration.node(onHost: Machine.hostName) else {
      throw DaemonFailure(
        .cannotStart,
        "cluster \(configuration.name): \"\(configuration.nodeTemplate)\" makes no node name of the host name \"\(Machine.hostName)\": set `node.name` in [cluster]"
      )
    }
    let command = StoreAdapter.Command(configuration, executable: parts.loader.installation.storeAdapterPath)
    let settings = ClusterSettings(
      cluster: configuration.name, node: node, labels: configuration.labels, lease: configuration.lease,
      version: DaemonOptions.version)
    self.init(
      settings, following: former, shell: shell, loop: parts.loop,
      now: {
        NodeTime(boot: BootInstant(nanosecondsSinceBoot: SystemTime.sinceBoot().nanoseconds), wall: wall())
      },
      adapter: { answered in
        StoreAdapter(command, loop: parts.loop, children: parts.children, answered: answered)
      })
  }
}

extension StoreAdapter.Command {
  /// The adapter of the store that a configuration names.
  init(_ configuration: ClusterConfiguration, executable: String) {
    self.executable = executable
    switch configuration.store.credential?.path(in: CurrentProcess.environment["CREDENTIALS_DIRECTORY"]) {
    case nil: arguments = configuration.store.adapterArguments(credential: nil)
    case .success(let path): arguments = configuration.store.adapterArguments(credential: path)
    case .failure(let reason): (arguments, fault) = ([], reason.text)
    }
  }
}

extension ClusterConfiguration.CredentialSource {
  /// Reason why a credential has no path.
  struct MissingCredentials: Error {
    let text: String
  }

  /// Returns the path of the file, with the directory of the unit's credentials if it has one.
  func path(in directory: String?) -> Result<String, MissingCredentials> {
    switch self {
    case .file(let path): .success(path)
    case .named(let name):
      if let directory {
        .success(directory + "/" + name)
      } else {
        .failure(
          MissingCredentials(
            text:
              "credential \(name): the daemon has no credentials: add LoadCredential=\(name):FILE to its unit, or name the file itself"
          ))
      }
    }
  }
}
