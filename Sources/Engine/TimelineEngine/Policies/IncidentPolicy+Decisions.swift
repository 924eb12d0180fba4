package import TimelineCore

/// Decisions about one incident: each updates the incident and returns the report that is due.
extension IncidentPolicy {
  /// Counts a record of failures. Returns `.opened` if the incident opens with this record, otherwise `nil`.
  package func fail(_ incident: inout Incident?, _ record: EntryRecord) -> IncidentReport.Phase? {
    let now = record.endedAt
    var state = incident ?? Incident(since: now, last: record)
    state.last = record
    if within != nil {
      dropOld(&state, at: now)
      let added = repeatElement(now, count: min(record.entryCount, after))
      state.recent = (state.recent + added).suffix(after)
    }
    // After old failures have been dropped, this failure may be the first.
    if state.count == 0 { state.since = now }
    state.count += record.entryCount
    let opens = state.toldAt == nil && state.count >= after
    if opens { state.toldAt = now }
    incident = state
    return opens ? .opened : nil
  }

  /// Records a success. Returns the incident if it was reported and has ended.
  package func succeed(_ incident: inout Incident?, at now: WallInstant) -> Incident? {
    guard var state = incident else { return nil }
    if within != nil {
      dropOld(&state, at: now)
      let lasts = state.toldAt == nil ? state.count > 0 : state.recent.count >= after
      incident = lasts ? state : nil
      if lasts { return nil }
    }
    incident = nil
    return state.toldAt == nil ? nil : state
  }

  /// Returns the state of an incident at `now`; `nil` if no failure is left. Before the incident opens, failures that have
  /// left the window do not count.
  package func standing(of incident: Incident, at now: WallInstant) -> Incident? {
    var state = incident
    if within != nil { dropOld(&state, at: now) }
    return state.count > 0 ? state : nil
  }

  /// Returns the instant of the next reminder of an incident; `nil` for none.
  package func reminder(of incident: Incident?) -> WallInstant? {
    guard let remind, let toldAt = incident?.toldAt else { return nil }
    return toldAt + remind
  }

  /// Returns `.reminder` if a reminder is due at `now`, otherwise `nil`. The next reminder is due one interval after `now`.
  /// Reminders that fell due while no daemon ran count as one.
  package func remind(_ incident: inout Incident?, at now: WallInstant) -> IncidentReport.Phase? {
    guard let due = reminder(of: incident), due <= now else { return nil }
    incident?.toldAt = now
    return .reminder
  }

  /// Drops failures that lie before the window. They do not count before the incident opens. The count of an open incident has
  /// all failures.
  private func dropOld(_ state: inout Incident, at now: WallInstant) {
    guard let within else { return }
    state.recent.removeAll { now - $0 > within }
    guard state.toldAt == nil else { return }
    state.count = state.recent.count
    state.since = state.recent.first ?? now
  }
}
