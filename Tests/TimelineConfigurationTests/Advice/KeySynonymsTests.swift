import Testing

@testable import TimelineConfiguration

/// Words of other schedulers lead to the keys of this project.
@Suite struct KeySynonymsTests {
  @Test(arguments: KeySynonyms.keys.map(\.key))
  func `the meaning of each word is an existing key`(key: String) {
    #expect(KeyTable.all.contains { $0.keys.contains(key) }, "\(key)")
  }

  @Test func `no word means two things`() {
    let lists = KeySynonyms.keys.map(\.words) + KeySynonyms.sentences.map(\.words)
    let words = (lists + [KeySynonyms.parameters])
      .flatMap { $0.split(separator: " ").map { $0.lowercased().filter { $0 != "-" && $0 != "_" } } }
    let twice = Dictionary(grouping: words) { $0 }.filter { $1.count > 1 }.keys.sorted()
    #expect(twice.isEmpty)
  }

  @Test(arguments: [
    "RandomizedDelaySec", "randomizeddelaysec", "randomized-delay-sec", "RANDOMIZED_DELAY_SEC",
  ])
  func `capitals, hyphens and underscores do not count`(word: String) {
    #expect(KeySynonyms.meaning(of: word) == .key("jitter"))
  }

  /// A word, the table in which it was written, and the advice.
  static let rows: [(word: String, table: KeyTable, said: String)] = [
    ("jbo", .root, "did you mean `job`?"),
    ("task", .root, "did you mean `job`?"),
    ("Timeout", .job, "did you mean `timeout`?"),
    ("cron", .job, "`cron` belongs to `schedule`"),
    ("every", .job, "did you mean `by`? It belongs to `periodic`"),
    ("every", .periodic, "did you mean `by`?"), ("on", .schedule, "`on` belongs to `civil`"),
    ("week-starts", .job, "`week-starts` belongs to `civil` or `pick`"),
    ("command", .job, "parameters of a plugin stand in `with`: with = { command = ... }"),
    ("command", .schedule, "did you mean `with`? It belongs to a job"),
    ("parameters", .job, "did you mean `with`?"), ("args", .job, "did you mean `with`?"),
    ("Params", .job, "did you mean `with`?"), ("restartPolicy", .job, "did you mean `retry`?"),
    ("start", .schedule, "did you mean `starts`?"),
    ("start", .periodic, "did you mean `from`?"),
    ("window", .schedule, "did you mean `only`?"),
    ("window", .job, "`window` belongs to `missed`"),
    ("LimitAS", .job, "did you mean `memory`? It belongs to `limits` or `run-limits`"),
    ("limitas", .job, "did you mean `limits`?"),
    (
      "SupplementaryGroups", .job,
      "a job runs with the groups of its `user`, and `group` in place of the main one; `groups` are those whose limits its runs count "
        + "against"
    ),
    ("Group", .job, "did you mean `group`?"), ("EnvironmentFile", .job, "did you mean `environment-file`?"),
    ("Group", .root, "did you mean `group`?"),
    ("Group", .control, "did you mean `group`?"),
    ("timezone", .schedule, "did you mean `time-zone`? It belongs to `[daemon]` or a job"),
    (
      "times", .schedule,
      "a time of the day is schedule = { calendar = \"02:00\" } or { cron = \"0 2 * * *\" }; single instants are "
        + "schedule = { explicit = [2027-01-01T08:00:00Z] }"
    ),
    (
      "at", .schedule,
      "a time of the day is schedule = { calendar = \"02:00\" } or { cron = \"0 2 * * *\" }; single instants are "
        + "schedule = { explicit = [2027-01-01T08:00:00Z] }"
    ),
    (
      "backoffLimit", .job,
      "a failed run is repeated by `retry`, whose `attempts` count the first one too: 3 repetitions are "
        + "retry = { attempts = 4, backoff = { from = \"10s\", to = \"6m\" } }"
    ),
    ("sched", .job, "did you mean `schedule`?"),
    (
      "scope", .group,
      "a group counts the runs of its own node: for one at a time over all machines, recipes.md has two ways under \"One dump at a time\""
    ),
  ]

  @Test(arguments: rows)
  func `the nearest meaning is suggested`(word: String, table: KeyTable, said: String) {
    #expect(table.meaning(of: word) == said)
  }

  @Test(arguments: ["frobnicate", "", "x", String(repeating: "every", count: 1_000)])
  func `any other word has no advice`(word: String) {
    #expect(KeyTable.job.meaning(of: word) == nil)
  }
}
