import TimelineCore

/// Groups declared by tables `[group.NAME]`.
struct GroupTable {
  /// Limits of the groups without errors.
  private(set) var limits: [GroupName: Int] = [:]
  /// Places of all groups' names. Groups with errors are included, so that a reference to such a group is not a
  /// second error.
  private(set) var places: [String: SourcePlace] = [:]

  /// Reads one group.
  mutating func read(_ entry: TOMLEntry, _ reading: FileReading) {
    let place = entry.place
    if let first = places[entry.key] {
      return reading.log.error(
        "there are two groups `\(entry.key)`", at: place, label: "expected another name",
        help: ["rename one, or leave it out"],
        notes: [Diagnostic.Note(message: "the first is here", place: first)])
    }
    places[entry.key] = place
    let name = GroupName(entry.key)
    if name == nil {
      reading.log.error(
        "\"\(entry.key)\" cannot name a group", at: place,
        label: "expected 1 to \(JobName.lengthMax) letters, digits, `-`, `_` or `.`, a letter or digit first")
    }
    guard case .table(let entries) = entry.value.content else {
      return reading.log.error(
        "`group.\(entry.key)` is \(entry.value.kind)", at: entry.value.place,
        label: "expected a table", help: ["such as [group.\(entry.key)] with `limit = 2` in it"])
    }
    let fields = Fields(entries, of: .group, path: "group.\(entry.key).", in: reading)
    guard let item = fields["limit"] else {
      return reading.log.error(
        "the group `\(entry.key)` has no `limit`", at: place, label: "expected `limit` in it",
        help: ["such as `limit = 2`: as many runs of all its jobs together"])
    }
    if let limit = reading.integer(item, in: 1...ConfigurationLimits.groupLimitMax), let name {
      limits[name] = limit
    }
  }
}
