import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineStoreWire

// Incidents of the cluster's jobs, which the next owner continues.
extension Daemon {
  /// Queues changed incidents for the store. Jobs that this node no longer owns are left out: their next owners continue these
  /// incidents.
  func noteForStore(_ notes: [IncidentNote]) {
    guard let cluster else { return }
    for job in Set(notes.map(\.job)).intersection(cluster.running) {
      guard let incidents = engine.incidents(of: job) else { continue }
      unsentIncidents.note(
        StoredIncidents(
          job: job.text, term: cluster.term(of: job),
          incidents: incidents.compactMap { StoredIncident($0, node: cluster.nodeName, epoch: cluster.epoch) }
        ))
      noteRecords()
    }
  }
}
