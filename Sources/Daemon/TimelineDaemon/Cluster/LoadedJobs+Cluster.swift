import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine

extension LoadedJobs {
  /// The jobs that one node of the cluster is to run.
  var clusterJobs: [ClusterJob] {
    all.compactMap { job in
      guard job.placement.runOn == .one, let digest = job.clusterDigest, !isSuspended(job.name) else {
        return nil
      }
      return ClusterJob(
        name: job.name, rules: job.placement.rules, delivery: job.policies.delivery,
        storeDown: job.placement.storeDown,
        countedSchedule: job.schedule.hasMoreThanOneEntryPerSecond ? job.schedule : nil, digest: digest)
    }
  }

  /// Returns the definitions of the jobs that every node runs, and of those of the cluster that this node owns.
  func definitions(owning owned: Set<JobName>) -> [JobDefinition] {
    all.lazy.filter { $0.placement.runOn == .every || owned.contains($0.name) }.map(\.definition)
  }
}
