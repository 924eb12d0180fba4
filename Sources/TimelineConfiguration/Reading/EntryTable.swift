import TimelineCore

/// The entries of all jobs by their names, the wrong ones included: where each stands is found when somebody asks.
struct EntryTable {
  /// The names, in the order of the files.
  private(set) var names: [String] = []
  private var sites: [JobSite] = []
  private var hashes: [Int] = []
  private var places = PlaceTable()

  /// Adds the entry of a job, unless there is one of its name, which is given then.
  mutating func insert(_ site: JobSite, named name: String) -> JobSite? {
    let hash = name.hashValue
    if let former = place(of: name, hash: hash) { return sites[former] }
    names.append(name)
    sites.append(site)
    hashes.append(hash)
    places.insert(names.count - 1) { hashes[$0] }
    return nil
  }

  /// The place of the entry of that name.
  subscript(name: String) -> JobSite? { place(of: name, hash: name.hashValue).map { sites[$0] } }

  private func place(of name: String, hash: Int) -> Int? { places.place(hash: hash) { names[$0] == name } }

  /// Whether there is none.
  var isEmpty: Bool { names.isEmpty }
}
