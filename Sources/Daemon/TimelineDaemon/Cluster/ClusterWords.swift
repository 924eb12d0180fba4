import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineStoreWire

/// Messages about the cluster.
struct ClusterWords {
  let settings: ClusterSettings
  let jobs: LoadedJobs

  /// Returns the announcement that a job runs on this node, or no longer does.
  static func announcement(of job: JobName, _ change: String) -> Announcement {
    Announcement(level: .notice, kind: .ownerChanged, text: "job \(job) \(change)", job: job)
  }

  /// Returns the warning that claims with reassigned tokens do not fit into what is kept for the next daemon.
  static func tooManyToKeep(_ count: Int, in cluster: String) -> String {
    "cluster \(cluster): \(count) claims with reassigned tokens are too many to keep for the next daemon: if it is restarted now, it waits until the lease of this node has ended"
  }

  /// Returns a notice for the log, with its level.
  func words(for notice: ClusterNotice) -> (Announcement.Level, String) {
    switch notice {
    case .joined(let count):
      (.notice, "node \(settings.node) is a member, of \(count) \(count == 1 ? "node" : "nodes")")
    case .nameTaken(let holder): (holder.isAlive ? .error : .warning, words(for: holder))
    case .leaseEnded:
      (.warning, "the lease of this node may have ended: its jobs are left to other nodes")
    case .goesOnAlone(let jobs):
      (
        .warning,
        "the store does not answer, and the lease of this node may have ended: it goes on by itself with \(listed(jobs)), as `store-down = \"owner-runs\"` says; another node may run the same entries"
      )
    case .expelled:
      (
        .error,
        "the store has given the name of this node to another daemon: two machines may have the same `node.name` in [cluster]"
      )
    case .storeFailed(let failure): (.warning, "the store cannot be used: \(failure.message)")
    case .storeSilent:
      (
        .warning,
        "the store has not answered in time; jobs with `run-on = \"one\"` wait while the lease cannot be renewed"
      )
    case .storeBack: (.notice, "the store can be used again")
    case .clockOff(let length):
      (
        .error,
        "the clock of this node is \(length.approximateText) \(length > .zero ? "ahead of" : "behind") that of the store, more than \(ClusterTiming.clockDifferenceMax): it runs no jobs of the cluster until the clock is set right"
      )
    case .clockRight: (.notice, "the clock of this node is right again")
    case .failedOver:
      (
        .warning,
        "another server has taken the place of the store: claims of the last while are published again, and none is made for entries due within the next lease"
      )
    case .split(let conflict): words(for: conflict)
    case .divergent(let job):
      (
        .warning,
        "job \(job) is not defined alike on all nodes: it runs by the definition that was activated last, and nowhere before; make the files alike, or run `timelinectl cluster activate \(job)` where the right one is"
      )
    case .orphaned(let names):
      (
        .warning,
        "\(names.count == 1 ? "no node runs job" : "no node runs these jobs:") \(listed(names)): the nodes that had \(names.count == 1 ? "it" : "them") are gone; start one of these, or define the same on another node"
      )
    case .agreed(let job): (.notice, "job \(job) is defined alike on all nodes")
    }
  }

  /// Returns the reason why this node waits outside of its cluster, because another daemon holds its name.
  func words(for holder: NameHolder) -> String {
    let since = WallInstant(secondsSinceEpoch: holder.since.nanosecondsSinceEpoch / 1_000_000_000)
    let who =
      "another daemon has the node name \(settings.node) (epoch \(holder.epoch.prefix(Self.epochDigitsShown)), seen since \(time(of: since)))"
    return holder.isAlive
      ? "\(who) and renews its lease: this one waits and runs no jobs of the cluster: stop this one if its state directory is a copy, otherwise give it another `node.name` in [cluster]"
      : "\(who): this one waits until that lease has ended: no action is needed if the daemon was killed or its machine restarted"
  }

  /// Digits of an epoch in a message: enough to distinguish the epochs of one node.
  private static let epochDigitsShown = 8

  /// Returns the names of jobs. If there are many, returns their number and the first names.
  private func listed(_ names: [String]) -> String {
    let shown = names.prefix(Self.namesShownMax).joined(separator: ", ")
    return names.count > Self.namesShownMax ? "\(names.count) jobs (\(shown), …)" : shown
  }

  /// Most names in a message: enough for a small site, and one line.
  private static let namesShownMax = 10

  private func words(for conflict: EntryConflict) -> (Announcement.Level, String) {
    let what =
      "entry \(time(of: conflict.entry.nominal)) of job \(conflict.entry.job) has an outcome or a claim of node \(conflict.node), too"
    return jobs[conflict.entry.job]?.job.policies.delivery == .atLeastOnce
      ? (.warning, "\(what): it may have run twice, as `delivery = \"at-least-once\"` allows")
      : (.error, "split: \(what): both may have run it")
  }

  private func time(of instant: WallInstant) -> String {
    let civil = jobs.settings.zone.civil(at: instant)
    return "\(civil.date) \(civil.time)"
  }
}
