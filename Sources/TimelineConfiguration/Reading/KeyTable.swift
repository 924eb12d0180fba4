import TimelineCore

/// The keys that one table of a configuration may have: what the readers ask for, the reference explains and the
/// hints offer.
package struct KeyTable: Sendable {
  /// The name of the table in messages.
  package let title: String
  /// The table's keys in the order in which the reference explains them.
  package let keys: [String]

  /// The marks of all keys: a word without one of them is no key, and needs no search.
  private let marks: UInt64

  private init(title: String, keys: [String]) {
    self.title = title
    self.keys = keys
    marks = keys.reduce(0) { $0 | Self.mark(of: $1) }
  }

  /// Whether the table may have `key`.
  func contains(_ key: String) -> Bool { marks & Self.mark(of: key) != 0 && keys.contains(key) }

  /// One bit of 64 that says something about a word, by its length and its beginning.
  static func mark(of key: String) -> UInt64 {
    let bytes = key.utf8
    guard let first = bytes.first else { return 1 }
    return 1 << ((UInt64(truncatingIfNeeded: bytes.count) &* 21 &+ UInt64(first)) & 63)
  }

  /// The main file's tables; a file of `jobs.d` may have no settings.
  package static let root = KeyTable(
    title: "a configuration",
    keys: [
      "daemon", "control", "ledger", "cluster", "include", "holidays", "group", "defaults", "job",
      "expect-schedule",
    ])
  /// `[daemon]`.
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
  /// `[control]`.
  package static let control = KeyTable(title: "`[control]`", keys: ["socket", "group", "users"])
  /// `[ledger]`.
  package static let ledger = KeyTable(
    title: "`[ledger]`", keys: ["retention", "entries-per-job", "damaged"])
  /// `[cluster]`.
  package static let cluster = KeyTable(title: "`[cluster]`", keys: ["name", "store", "node", "lease"])
  /// `store` in `[cluster]`.
  package static let clusterStore = KeyTable(title: "`store`", keys: ["postgresql", "etcd"])
  /// `store.postgresql`.
  package static let postgresql = KeyTable(title: "`postgresql`", keys: ["credential"])
  /// `store.etcd`.
  package static let etcd = KeyTable(title: "`etcd`", keys: ["endpoints", "credential"])
  /// `node` in `[cluster]`.
  package static let clusterNode = KeyTable(title: "`node`", keys: ["name", "labels"])
  /// `[include]`.
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
  /// `[defaults]`: the keys of a job, except those that tell jobs apart.
  package static let defaults = KeyTable(
    title: "`[defaults]`",
    keys: job.keys.filter {
      !["schedule", "with", "run-on", "where", "store-down", "enabled", "description"].contains($0)
    })
  /// The kinds of schedules, of which a `schedule` has one.
  static let scheduleKinds = ScheduleRule.Kind.allCases.map(\.rawValue)
  /// `schedule`.
  package static let schedule = KeyTable(
    title: "`schedule`",
    keys: scheduleKinds + [
      "dst", "delay", "only", "except", "starts", "ends", "limit", "jitter", "offset", "accuracy",
    ])
  /// `schedule.periodic`.
  package static let periodic = KeyTable(title: "`periodic`", keys: ["from", "by"])
  /// `schedule.animation`.
  package static let animation = KeyTable(title: "`animation`", keys: ["minimum-interval", "paused"])
  /// `schedule.dst`.
  package static let daylightSaving = KeyTable(title: "`dst`", keys: ["gap", "fold"])
  /// `missed`.
  package static let missed = KeyTable(title: "`missed`", keys: ["policy", "window"])
  /// `retry`.
  package static let retry = KeyTable(title: "`retry`", keys: ["attempts", "backoff", "jitter"])
  /// `retry.backoff`.
  package static let backoff = KeyTable(title: "`backoff`", keys: ["from", "to"])
  /// `on-failure`, `on-missed` and `on-late`.
  package static let reaction = KeyTable(
    title: "a reaction to incidents", keys: ["job", "after", "within", "remind"])
  /// `limits`.
  package static let limits = KeyTable(
    title: "`limits`", keys: ["memory", "cpu-time", "open-files", "processes", "nice", "io"])
  /// `run-limits`.
  package static let runLimits = KeyTable(
    title: "`run-limits`", keys: ["memory", "cpu", "tasks", "unsupported"])
  /// `sandbox`.
  package static let sandbox = KeyTable(
    title: "`sandbox`", keys: ["system-calls", "writable", "unsupported"])

  /// `[[expect-schedule]]`.
  package static let expectation = KeyTable(
    title: "`[[expect-schedule]]`",
    keys: ["job", "max-gap", "min-gap", "per-day", "never-overlaps", "over"])

  /// Every table.
  package static let all = [
    root, daemon, lowFrequency, pressure, control, ledger, cluster, clusterStore, postgresql, etcd,
    clusterNode, include, holidays, group, defaults, job, schedule, periodic,
    animation, daylightSaving,
    missed, retry,
    backoff, reaction, limits, runLimits, sandbox, expectation,
  ]

  /// All keys in a sentence, for who wrote one of which nobody can tell what was meant.
  var listing: String { "the keys of \(title) are \(keys.map { "`\($0)`" }.joined(separator: ", "))" }

  /// Returns advice for `key`, which is no key of this table, if its meaning can be found: a misspelling, a word of
  /// another scheduler, a key of another table, or at last the key that is nearest in spelling.
  func meaning(of key: String) -> String? {
    let word = key.lowercased()
    if word != key, keys.contains(word) { return "did you mean `\(word)`?" }
    let meaning = KeySynonyms.meaning(of: key)
    // Another's word in another's capitals is no slip: `LimitAS` is not `limits`.
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
    // Words that elsewhere most likely mean another thing: `memory` means `limits`, `name` the header of a job, `after` another job. What belongs to the
    // defaults belongs to a job.
    let common = [
      Self.pressure.title, Self.cluster.title, Self.clusterNode.title, Self.defaults.title,
      Self.reaction.title,
    ]
    let tables = Self.all.filter { $0.title != title && !common.contains($0.title) }
    let titles = tables.filter { $0.keys.contains(key) }.map(\.title)
    return titles.isEmpty ? nil : titles.joined(separator: " or ")
  }
}
