import TimelineCore

/// Values from the `[defaults]` of a file, which the jobs of the file inherit.
struct FileDefaults {
  /// Keys whose tables are merged, key by key, with the job's tables.
  private static let mergedKeys: Set<String> = ["environment", "credentials"]
  /// Keys that name a job. A job does not inherit a reaction to itself.
  private static let reactionKeys = Set(MentionReader.reactionKeys)

  /// All entries, including entries with unknown keys.
  let table: TOMLTable
  private let path: String
  /// Lines of the file with a part of the defaults.
  private let lines: Set<Int>

  /// Makes the defaults of a file from the value of `defaults`; `nil` if the value is not a table.
  init?(_ value: TOMLValue) {
    guard case .table(let table) = value.content else { return nil }
    self.table = table
    path = value.document.source.path
    lines = Self.lines(of: value)
  }

  /// Whether the place is within the defaults.
  func covers(_ place: SourcePlace) -> Bool { place.path == path && lines.contains(place.line) }

  /// Returns the entries that a job inherits: entries with keys that the job does not have, and tables to merge with
  /// the job's own.
  func entries(for job: TOMLEntry) -> [TOMLEntry] {
    guard case .table(let own) = job.value.content else { return [] }
    let name = job.key
    return table.filter { entry in
      let key = entry.key
      guard KeyTable.defaults.contains(key) else { return false }
      if Self.reactionKeys.contains(key), Self.isName(name, entry.value) { return false }
      return Self.mergedKeys.contains(key) || !own.contains { $0.key == key }
    }
  }

  /// Whether a reaction names the job `name`.
  private static func isName(_ name: String, _ reaction: TOMLValue) -> Bool {
    switch reaction.content {
    case .string(name): true
    case .table(let entries): entries.contains { $0.key == "job" && isName(name, $0.value) }
    default: false
    }
  }

  private static func lines(of value: TOMLValue) -> Set<Int> {
    var lines = Set(value.begin.line...max(value.begin.line, value.end.line))
    lines.insert(value.document.stretch(ofKeyAt: value.index).begin.line)
    switch value.content {
    case .table(let entries): for entry in entries { lines.formUnion(Self.lines(of: entry.value)) }
    case .array(let values): for value in values { lines.formUnion(Self.lines(of: value)) }
    default: break
    }
    return lines
  }
}
