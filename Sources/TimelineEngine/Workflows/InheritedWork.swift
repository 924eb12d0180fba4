import TimelineCore

/// Work that an earlier daemon left and that is decided with the first event.
struct InheritedWork: Sendable {
  /// An entry that an earlier daemon had claimed and not started.
  struct Entry: Sendable {
    /// Index of its job.
    let job: Int
    /// The entry.
    let entry: DueEntry
    /// Whether it goes on in any case; the missed policy decides about each other one.
    let goesOn: Bool
    /// Whether it is known to have waited.
    let hasWaited: Bool
  }

  /// Records of runs and entries that cannot be run any more.
  private(set) var interrupted: [EntryRecord] = []
  /// Entries to be decided, in the order of their instants and of their jobs.
  private(set) var entries: [Entry] = []
  /// Entries to be taken out of records of several entries.
  private var cuts: [RangeCut] = []
  /// Incidents that have ended because nobody counts them any more.
  private var droppedIncidents: [IncidentNote] = []

  /// Whether nothing is left to be decided.
  var isEmpty: Bool {
    cuts.isEmpty && interrupted.isEmpty && entries.isEmpty && droppedIncidents.isEmpty
  }

  /// Takes in the record of a run or an entry that cannot be run any more.
  mutating func append(_ record: EntryRecord) { interrupted.append(record) }

  /// Takes in an entry to be decided.
  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Takes in entries that are to be taken out of records of several entries.
  mutating func append(_ cut: RangeCut) { cuts.append(cut) }

  /// Takes in an incident of a job that counts its failures in another way now.
  mutating func drop(_ note: IncidentNote) {
    droppedIncidents.append(
      IncidentNote(job: note.job, kind: note.kind, policy: note.policy, incident: nil))
  }

  /// Orders the entries by their instants, and of equal ones by their jobs.
  mutating func sort() { entries.sort { ($0.entry.nominal, $0.job) < ($1.entry.nominal, $1.job) } }

  /// Returns the entries, of which none is left then.
  mutating func takeEntries() -> [Entry] {
    defer { entries = [] }
    return entries
  }

  /// Appends the effect that takes entries out of records, and returns what is to be decided; nothing is left then.
  mutating func takeAll(_ effects: inout some EffectSink) -> (interrupted: [EntryRecord], entries: [Entry]) {
    if !cuts.isEmpty { effects.append(.cutRanges(cuts)) }
    if !droppedIncidents.isEmpty { effects.append(.noteIncidents(droppedIncidents)) }
    defer { self = InheritedWork() }
    return (interrupted, entries)
  }
}
