import TimelineCluster
import TimelineCore
import TimelineEngine
import TimelineStoreWire

// Incidents of the cluster's jobs, with which the next owner goes on.
extension Daemon {
  /// Has the store told of incidents that have changed, of jobs that this node owns. What ends here with the ownership goes on at the next owner.
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
