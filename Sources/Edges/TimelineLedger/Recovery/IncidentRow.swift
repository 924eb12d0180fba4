import TimelineCore
import TimelineEngine

/// Row of a job's incident, with the policy by which its failures were counted and the record of the last failure.
enum IncidentRow {
  /// Query for all incidents.
  static let all = """
    SELECT job, kind, policy, count, since, told_at, recent, nominal, cause, outcome, reason, run, started_at, ended_at,
      attempts, entry_count, first_nominal FROM incident ORDER BY job, kind
    """

  /// Stores an incident in place of the former incident of its job and kind. If the incident has ended, deletes the former
  /// incident.
  static func write(_ note: IncidentNote, to database: Database) throws(LedgerError) {
    guard let incident = note.incident else {
      return try database.run(
        "DELETE FROM incident WHERE job = ?1 AND kind = ?2", [note.job.value, .text(note.kind.rawValue)])
    }
    let recent = incident.recent.map { String($0.nanosecondsSinceEpoch) }.joined(separator: " ")
    try database.run(
      """
      INSERT OR REPLACE INTO incident
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """,
      [
        note.job.value, .text(note.kind.rawValue), .text(text(of: note.policy)),
        .integer(Int64(incident.count)), .instant(incident.since), .instant(incident.toldAt), .text(recent),
      ] + UpstreamRow.values(of: incident.last))
  }

  /// Returns all incidents. Skips rows with invalid values.
  static func read(from database: Database) throws(LedgerError) -> [IncidentNote] {
    var notes: [IncidentNote] = []
    try database.run(all) { row in
      guard let job = JobName(row.text(0)), let kind = IncidentKind(rawValue: row.text(1)),
        let policy = policy(row.text(2)), let last = UpstreamRow.record(of: job, in: row, from: 7)
      else { return }
      let incident = Incident(
        count: Int(row.integer(3)), since: WallInstant(nanosecondsSinceEpoch: row.integer(4)),
        toldAt: row.optionalInteger(5).map(WallInstant.init(nanosecondsSinceEpoch:)),
        recent: row.text(6).split(separator: " ").compactMap {
          Int64($0).map(WallInstant.init(nanosecondsSinceEpoch:))
        }, last: last)
      notes.append(IncidentNote(job: job, kind: kind, policy: policy, incident: incident))
    }
    return notes
  }

  /// A policy in three words: durations in nanoseconds, `-` for none.
  private static func text(of policy: IncidentPolicy) -> String {
    let lengths = [policy.within, policy.remind].map { $0.map { String($0.nanoseconds) } ?? "-" }
    return "\(policy.after) \(lengths.joined(separator: " "))"
  }

  private static func policy(_ text: String) -> IncidentPolicy? {
    let words = text.split(separator: " ")
    guard words.count == 3, let after = Int(words[0]) else { return nil }
    let lengths = words.dropFirst().map { Int64($0).map(ElapsedTime.nanoseconds) }
    return IncidentPolicy(after: after, within: lengths[0], remind: lengths[1])
  }
}
