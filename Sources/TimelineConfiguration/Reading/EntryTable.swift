import TimelineCore

/// The entries of all jobs by their names, the wrong ones included: where each stands is known without a copy of its name.
struct EntryTable {
  private var entries: [TOMLEntry] = []
  private var places = PlaceTable()

  /// Adds an entry, unless there is one of its name, which is given then.
  mutating func insert(_ entry: TOMLEntry, named name: String) -> TOMLEntry? {
    if let former = self[name] { return former }
    entries.append(entry)
    places.insert(entries.count - 1) { entries[$0].key.hashValue }
    return nil
  }

  /// The entry of that name.
  subscript(name: String) -> TOMLEntry? {
    places.place(hash: name.hashValue) { entries[$0].key == name }.map { entries[$0] }
  }

  /// The names, in the order of the files.
  var names: [String] { entries.map(\.key) }
  /// Whether there is none.
  var isEmpty: Bool { entries.isEmpty }
}
