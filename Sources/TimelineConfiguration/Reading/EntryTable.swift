import TimelineCore

/// The entries of all jobs by their names, the wrong ones included.
struct EntryTable {
  /// The names, in the order of the files.
  private(set) var names: [String] = []
  private var sites: [String: JobSourceLocation] = [:]

  /// Adds the entry of a job, unless there is one of its name; returns the place of that one.
  mutating func insert(_ site: JobSourceLocation, named name: String) -> JobSourceLocation? {
    if let former = sites[name] { return former }
    names.append(name)
    sites[name] = site
    return nil
  }

  /// The place of the entry of that name.
  subscript(name: String) -> JobSourceLocation? { sites[name] }

  /// Whether there is none.
  var isEmpty: Bool { names.isEmpty }
}
