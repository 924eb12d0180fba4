import TimelineCore

/// The entries of all jobs by name, including jobs with errors.
struct EntryTable {
  /// The names, in the order of the files.
  private(set) var names: [String] = []
  private var sites: [String: JobSourceLocation] = [:]

  /// Adds the entry of a job, unless there is one with its name. In that case returns the place of the existing entry.
  mutating func insert(_ site: JobSourceLocation, named name: String) -> JobSourceLocation? {
    if let former = sites[name] { return former }
    names.append(name)
    sites[name] = site
    return nil
  }

  /// The place of the entry with that name.
  subscript(name: String) -> JobSourceLocation? { sites[name] }

  /// Whether there is no entry.
  var isEmpty: Bool { names.isEmpty }
}
