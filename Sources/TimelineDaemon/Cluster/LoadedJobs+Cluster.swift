import TimelineCluster
import TimelineConfiguration
import TimelineCore

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
}
