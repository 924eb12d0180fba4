import TimelineCore

/// The entries of all jobs by name, including jobs with errors.
struct EntryTable {
  /// In the order of the files.
  private(set) var names: [String] = []
  private var sites: [String: JobSourceLocation] = [:]

  /// Adds a job's entry, unless the name exists. Returns the place of the existing entry, or `nil`.
  mutating func insert(_ site: JobSourceLocation, named name: String) -> JobSourceLocation? {
    if let former = sites[name] { return former }
    names.append(name)
    sites[name] = site
    return nil
  }

  /// The place of the entry with the name.
  subscript(name: String) -> JobSourceLocation? { sites[name] }

  var isEmpty: Bool { names.isEmpty }
}
