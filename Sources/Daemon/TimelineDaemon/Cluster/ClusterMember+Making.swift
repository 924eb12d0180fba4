import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineStoreWire
import TimelineSystem

// A member, made from a configuration.
extension ClusterMember {
  /// Parts of the daemon that a member needs.
  struct Surroundings {
    unowned let events: any EventInbox
    let jobs: LoadedJobs
    let runs: RunBoard
    let writer: LedgerWriter
    let announcer: Announcer
    let loop: EventLoop
    /// Keeps this node's epoch for the next daemon of the service.
    let keptEpoch: KeptEpoch
  }

  /// Makes the member of a node, if a configuration names a cluster. A rehearsal is no node.
  convenience init?(
    of jobs: LoadedJobs, following former: FormerWork, runs: RunBoard, writer: LedgerWriter,
    events: any EventInbox, _ parts: DaemonParts
  ) throws(DaemonFailure) {
    guard !parts.options.clock.isRehearsal, let configuration = jobs.settings.cluster else { return nil }
    let kept = KeptEpoch(
      parts.passed, keeper: parts.service.keeper, store: former.memory.node?.store
    ) { [announcer = parts.announcer] count in
      announcer.announce(
        .warning, ClusterWords.tooManyToKeep(count, in: configuration.name), kind: .clusterChanged)
    }
    try self.init(
      configuration, following: kept.former, open: former.openInCluster,
      Surroundings(
        events: events, jobs: jobs, runs: runs, writer: writer, announcer: parts.announcer,
        loop: parts.loop, keptEpoch: kept),
      parts)
  }

  /// Makes a member for the node that a configuration describes.
  private convenience init(
    _ configuration: ClusterConfiguration, following former: FormerLife, open: [OpenRun],
    _ daemon: Surroundings, _ parts: DaemonParts
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
      settings, following: former, open: open, daemon,
      now: { [clock = parts.clock] in
        NodeTime(boot: BootInstant(nanosecondsSinceBoot: SystemTime.sinceBoot().nanoseconds), wall: clock.now)
      },
      adapter: { answered in
        StoreAdapter(command, loop: parts.loop, children: parts.children, answered: answered)
      })
  }
}

extension StoreAdapter.Command {
  /// Makes the command of the store adapter that a configuration names.
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

extension ClusterMember.Surroundings {
  /// Returns the nominal instants of a job's scheduled entries with an active run.
  func activeEntries(of job: JobName) -> [WallInstant] {
    let engine = events.state
    return runs.attempts(of: job).filter { $0.cause.isOfSchedule && engine.isInFlight($0.run) }
      .map(\.entry.nominal)
  }

  /// Whether an entry has an outcome in the ledger.
  func hasOutcome(_ entry: EntryKey) -> Bool { writer.hasOutcome(of: entry) }
}
