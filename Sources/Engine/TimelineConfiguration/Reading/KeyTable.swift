/// The valid keys of one table of a configuration. Used by the readers, the reference and the hints.
package struct KeyTable: Sendable {
  /// The table's name in messages.
  package let title: String
  /// In the order of the reference.
  package let keys: [String]
  /// Rows for the schema and the reference; empty for a table that both describe by hand.
  package let rows: [KeyRow]

  /// The marks of all keys. A word with another mark is no key, and needs no search.
  private let marks: UInt64

  /// Makes a table with a row for each key.
  init(title: String, rows: [KeyRow]) { self.init(title: title, keys: rows.map(\.key), rows: rows) }

  private init(title: String, keys: [String], rows: [KeyRow] = []) {
    (self.title, self.keys, self.rows) = (title, keys, rows)
    marks = keys.reduce(0) { $0 | Self.mark(of: $1) }
  }

  /// Whether the table may have `key`.
  func contains(_ key: String) -> Bool { marks & Self.mark(of: key) != 0 && keys.contains(key) }

  /// Returns one of 64 bits for a word, according to its length and its first byte.
  static func mark(of key: String) -> UInt64 {
    let bytes = key.utf8
    guard let first = bytes.first else { return 1 }
    return 1 << ((UInt64(truncatingIfNeeded: bytes.count) &* 21 &+ UInt64(first)) & 63)
  }

  /// The top-level tables of the main file. A file of `jobs.d` may have no settings.
  package static let root = KeyTable(
    title: "a configuration",
    keys: [
      "daemon", "control", "ledger", "cluster", "include", "holidays", "group", "defaults", "job",
      "expect-schedule",
    ])
  package static let daemon = KeyTable(
    title: "`[daemon]`",
    keys: [
      "time-zone", "plugin-directories", "state-directory", "log-level", "plugin-hosts-max", "drain-timeout",
      "mode", "low-frequency",
    ])
  /// `low-frequency` in `[daemon]`.
  package static let lowFrequency = KeyTable(
    title: "`low-frequency`", keys: ["on-battery", "pressure", "cadence"])
  /// `low-frequency.pressure`.
  package static let pressure = KeyTable(
    title: "`pressure`", keys: ["cpu", "memory", "io", "for", "release"])
  package static let control = KeyTable(title: "`[control]`", keys: ["socket", "group", "users"])
  package static let ledger = KeyTable(
    title: "`[ledger]`", keys: ["retention", "entries-per-job", "damaged"])
  package static let cluster = KeyTable(title: "`[cluster]`", keys: ["name", "store", "node", "lease"])
  /// `store` in `[cluster]`.
  package static let clusterStore = KeyTable(title: "`store`", keys: ["postgresql", "etcd"])
  /// `store.postgresql`.
  package static let postgresql = KeyTable(title: "`postgresql`", keys: ["credential"])
  /// `store.etcd`.
  package static let etcd = KeyTable(title: "`etcd`", keys: ["endpoints", "credential"])
  /// `node` in `[cluster]`.
  package static let clusterNode = KeyTable(title: "`node`", keys: ["name", "labels"])
  package static let include = KeyTable(title: "`[include]`", keys: ["crontabs"])
  /// `[holidays.NAME]`.
  package static let holidays = KeyTable(title: "`holidays`", keys: ["dates", "file"])
  /// `[group.NAME]`.
  package static let group = KeyTable(title: "a group", keys: ["limit"])
  /// `[job.NAME]`.
  package static let job = KeyTable(
    title: "a job",
    keys: [
      "plugin", "sha256", "schedule", "time-zone", "with", "timeout", "grace", "expected-duration", "missed",
      "overlap",
      "concurrency", "waiting-max", "waiting-timeout", "groups", "retry", "delivery",
      "priority", "on-failure", "on-missed", "on-late", "on-start", "on-recovery", "on-success",
      "on-output",
      "user", "group", "limits", "run-limits", "no-new-privileges", "sandbox", "umask", "working-directory",
      "environment",
      "environment-file", "credentials",
      "leftovers",
      "isolation", "precision", "run-on", "where", "store-down", "enabled", "description",
    ])
  /// `[defaults]`: the keys of a job, without those that are specific to one job.
  package static let defaults = KeyTable(
    title: "`[defaults]`",
    keys: job.keys.filter {
      !["schedule", "with", "run-on", "where", "store-down", "enabled", "description"].contains($0)
    })
  package static let missed = KeyTable(title: "`missed`", keys: ["policy", "window"])
  package static let retry = KeyTable(title: "`retry`", keys: ["attempts", "backoff", "jitter"])
  /// `retry.backoff`.
  package static let backoff = KeyTable(title: "`backoff`", keys: ["from", "to"])
  /// `on-failure`, `on-missed` and `on-late`.
  package static let reaction = KeyTable(
    title: "a reaction to incidents", keys: ["job", "after", "within", "remind"])
  package static let limits = KeyTable(
    title: "`limits`", keys: ["memory", "cpu-time", "open-files", "processes", "nice", "io"])
  package static let runLimits = KeyTable(
    title: "`run-limits`", keys: ["memory", "cpu", "tasks", "unsupported"])
  package static let sandbox = KeyTable(
    title: "`sandbox`", keys: ["system-calls", "writable", "unsupported"])

  package static let expectation = KeyTable(
    title: "`[[expect-schedule]]`",
    keys: ["job", "max-gap", "min-gap", "per-day", "never-overlaps", "over"])

  package static let all = [
    root, daemon, lowFrequency, pressure, control, ledger, cluster, clusterStore, postgresql, etcd,
    clusterNode, include, holidays, group, defaults, job, schedule, periodic,
    animation, civil, pick, daylightSaving,
    missed, retry,
    backoff, reaction, limits, runLimits, sandbox, expectation,
  ]

  /// The list of valid keys, for an unknown key without a near match.
  var listing: String { "the keys of \(title) are \(keys.map { "`\($0)`" }.joined(separator: ", "))" }

  /// Returns advice for `key`, which is no key of this table; `nil` if its meaning is unclear. The key may be
  /// misspelt, a word of another scheduler, or a key of another table. The last resort is the key with the nearest
  /// spelling.
  func meaning(of key: String) -> String? {
    let word = key.lowercased()
    if word != key, keys.contains(word) { return "did you mean `\(word)`?" }
    let meaning = KeySynonyms.meaning(of: key)
    // A word of another program in its own spelling is not a typo: `LimitAS` does not mean `limits`.
    if meaning == nil || key == word, let near = Spelling.nearest(to: key, among: keys, atMost: 1) {
      return "did you mean `\(near)`?"
    }
    if case .key(let meant) = meaning, keys.contains(meant) { return "did you mean `\(meant)`?" }
    if meaning == .parameter, keys.contains("with") {
      return "parameters of a plugin stand in `with`: with = { \(word) = ... }"
    }
    if case .sentence(let sentence) = meaning, key != word { return sentence }
    if let homes = homes(of: word) { return "`\(word)` belongs to \(homes)" }
    switch meaning {
    case .key(let meant):
      if let homes = homes(of: meant) { return "did you mean `\(meant)`? It belongs to \(homes)" }
    case .sentence(let sentence): return sentence
    case .parameter:
      if let homes = homes(of: "with") { return "did you mean `with`? It belongs to \(homes)" }
    case nil: break
    }
    return Spelling.nearest(to: key, among: keys).map { "did you mean `\($0)`?" }
  }

  private func homes(of key: String) -> String? {
    // Tables that are not suggested, because their words probably mean something else. `memory` means `limits`,
    // `name` means the header of a job, and `after` means another job. A key of the defaults is also a key of a job.
    let common = [
      Self.pressure.title, Self.cluster.title, Self.clusterNode.title, Self.defaults.title,
      Self.reaction.title,
    ]
    // A word that other schedulers use for something else does not mean a recurrence.
    let isWord = KeySynonyms.meaning(of: key) != nil
    let tables = Self.all.filter {
      $0.title != title && !common.contains($0.title) && !(isWord && $0.title == Self.civil.title)
    }
    let titles = tables.filter { $0.keys.contains(key) }.map(\.title)
    return titles.isEmpty ? nil : titles.joined(separator: " or ")
  }
}
