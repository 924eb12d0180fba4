import TimelineCore
import TimelineEngine

/// Checks that each incident goes on until it is noted as over, also when its job changes its owner.
struct IncidentWatch {
  /// Incidents of jobs, as a cluster's store keeps them.
  private var notes: [JobName: [IncidentNote]] = [:]

  /// Returns the incidents of a job, for its next owner.
  func notes(of job: JobName) -> [IncidentNote] { notes[job] ?? [] }

  /// Replaces the incidents by those with which another daemon starts.
  mutating func restarted(with notes: [IncidentNote]) { self.notes = Dictionary(grouping: notes, by: \.job) }

  /// Records changes, and returns their violations.
  mutating func see(_ changes: [IncidentNote]) -> [String] {
    changes.compactMap { note in
      let former = notes(of: note.job).first { $0.kind == note.kind }
      notes[note.job, default: []].removeAll { $0.kind == note.kind }
      guard let incident = note.incident else { return nil }
      notes[note.job, default: []].append(note)
      // With a window, a later failure becomes the first one when the earlier ones leave the window.
      guard let before = former?.incident, former?.policy == note.policy, note.policy.within == nil else {
        return nil
      }
      let goesOn =
        incident.since == before.since && incident.count >= before.count
        && (before.toldAt == nil || incident.toldAt != nil)
      return goesOn ? nil : "\(note.job) begins an incident anew: \(incident.count) after \(before.count)"
    }
  }
}
