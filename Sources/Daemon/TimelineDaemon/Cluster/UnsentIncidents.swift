import TimelineCore
import TimelineStoreWire

/// Queue of incidents for the cluster's store, with only the latest state of each job.
struct UnsentIncidents {
  private var jobs: [String: StoredIncidents] = [:]

  var isEmpty: Bool { jobs.isEmpty }

  /// Returns the incidents of at most `limit` jobs, in the order of the jobs' names.
  func first(_ limit: Int) -> [StoredIncidents] {
    Array(jobs.values.sorted(on: \.job).prefix(limit))
  }

  /// Queues the present state of a job's incidents.
  mutating func note(_ incidents: StoredIncidents) { jobs[incidents.job] = incidents }

  /// Removes incidents that were sent. Jobs whose incidents have changed since stay in the queue.
  mutating func remove(_ sent: [StoredIncidents]) {
    for incidents in sent where jobs[incidents.job] == incidents { jobs[incidents.job] = nil }
  }
}
