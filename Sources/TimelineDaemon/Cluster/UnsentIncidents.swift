import TimelineStoreWire

/// Queue of incidents for the cluster's store: of each job only the latest state.
struct UnsentIncidents {
  private var jobs: [String: StoredIncidents] = [:]

  /// Whether there are none.
  var isEmpty: Bool { jobs.isEmpty }

  /// Returns those of at most so many jobs, in order of their names.
  func first(_ limit: Int) -> [StoredIncidents] {
    Array(jobs.values.sorted { $0.job < $1.job }.prefix(limit))
  }

  /// Takes in how the incidents of a job stand now.
  mutating func note(_ incidents: StoredIncidents) { jobs[incidents.job] = incidents }

  /// Takes in that the store was told. What has changed since is still to be sent.
  mutating func remove(_ sent: [StoredIncidents]) {
    for incidents in sent where jobs[incidents.job] == incidents { jobs[incidents.job] = nil }
  }
}
