/// What the format has a place for and this version does not do yet: one table, which later versions shorten.
///
/// Everything in it is read and checked like the rest and then refused with one honest sentence, because a
/// schedule that is silently not kept is worse than none. To make a feature available, take its row away.
enum NotAvailable {
  /// Rows by table and key, or by key and value; each says what there is instead.
  static let instead: [String: String] = [
    "schedule.jitter": "leave it out, or give each job a `from` of its own",
    "schedule.accuracy": "leave it out; every entry is woken for at its instant",
  ]

  /// The keys of the table called `table` that are known and refused.
  static func keys(of table: String) -> [String] {
    instead.keys.compactMap { row in
      let parts = row.split(separator: ".", maxSplits: 1)
      return parts.first == Substring(table) ? parts.last.map(String.init) : nil
    }.sorted()
  }
}

extension FileReading {
  /// Refuses the feature of that row at `place`; returns whether there is such a row.
  @discardableResult
  func refuse(_ row: String, called name: String, at place: SourcePlace) -> Bool {
    guard let instead = NotAvailable.instead[row] else { return false }
    log.error("\(name) is not available in this version", at: place, help: [instead])
    return true
  }
}
