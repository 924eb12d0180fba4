import TimelineCore

/// Work that an earlier daemon left. It is decided with the first event.
struct InheritedWork: Sendable {
  /// An entry that an earlier daemon had claimed but not started.
  struct Entry: Sendable {
    /// Index of the job.
    let job: Int
    let entry: DueEntry
    /// Whether the entry goes on in any case. Otherwise the missed policy decides about it.
    let goesOn: Bool
    /// Whether the entry is known to have waited.
    let hasWaited: Bool
  }

  /// Records of runs and entries that can no longer be run.
  private(set) var interrupted: [EntryRecord] = []
  /// Entries to be decided, ordered by their instants, then by their jobs.
  private(set) var entries: [Entry] = []
  /// Entries to be removed from records of several entries.
  private var cuts: [RangeCut] = []
  /// Incidents that have ended, because no job still counts them by their policy.
  private var droppedIncidents: [IncidentNote] = []

  /// Whether nothing is left to be decided.
  var isEmpty: Bool {
    cuts.isEmpty && interrupted.isEmpty && entries.isEmpty && droppedIncidents.isEmpty
  }

  /// Adds the record of a run or an entry that can no longer be run.
  mutating func append(_ record: EntryRecord) { interrupted.append(record) }

  /// Adds an entry to be decided.
  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Adds entries to be removed from records of several entries.
  mutating func append(_ cut: RangeCut) { cuts.append(cut) }

  /// Ends an incident that no job still counts by its policy.
  mutating func drop(_ note: IncidentNote) {
    droppedIncidents.append(
      IncidentNote(job: note.job, kind: note.kind, policy: note.policy, incident: nil))
  }

  /// Orders the entries by their instants, then by their jobs.
  mutating func sort() { entries.sort { ($0.entry.nominal, $0.job) < ($1.entry.nominal, $1.job) } }

  /// Removes and returns all entries.
  mutating func takeEntries() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  /// Appends the effects that remove entries from records and end incidents. Removes and returns the work to be decided.
  mutating func takeAll(_ effects: inout some EffectSink) -> (interrupted: [EntryRecord], entries: [Entry]) {
    if !cuts.isEmpty { effects.append(.cutRanges(cuts)) }
    if !droppedIncidents.isEmpty { effects.append(.noteIncidents(droppedIncidents)) }
    defer { self = InheritedWork() }
    return (interrupted, entries)
  }
}
