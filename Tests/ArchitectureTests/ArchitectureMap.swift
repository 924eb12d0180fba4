import Testing

/// Facts for the architecture rules that are not in the manifest.
enum ArchitectureMap {
  /// Targets that map values to values. What they depend on must be pure as well.
  static let pure: Set<String> = [
    "CTOML", "TimelineCluster", "TimelineClockNames", "TimelineClocks", "TimelineConfiguration",
    "TimelineControl", "TimelineCore", "TimelineEngine", "TimelineImport", "TimelineJSON",
    "TimelineMonitoring", "TimelineRehearsal", "TimelineStoreEtcd", "TimelineStoreSQL", "TimelineStoreWire",
    "TimelineTerminal", "TimelineWire",
  ]

  /// The floors of `Sources`, from the bottom to the top of the house.
  static let floors = ["Base", "Engine", "Edges", "Plugins", "Cluster", "Daemon", "Tools"]

  /// Modules of the toolchain that the manifest does not list, and the targets below `Sources` that may import each.
  static let toolchain: [String: Set<String>] = [
    "Dispatch": ["TimelineTesting"],
    "FoundationEssentials": [
      "TimelineConfiguration", "TimelineControl", "timelinectl", "TimelineDaemon", "TimelineFoundation",
      "TimelineLoading", "TimelineStoreEtcd", "TimelineStoreSQL", "TimelineStoreWire", "TimelineWeb",
    ],
    "Glibc": [
      "timeline-host", "timeline-store", "timelinectl", "TimelineDaemon", "TimelineHosting",
      "TimelineSandbox", "TimelineSystem", "TimelineSystemd",
    ],
    "Synchronization": [
      "TimelineClient", "TimelineClocks", "TimelineConfiguration",
      "timelined-web", "TimelineHosting", "TimelineLoading", "TimelinePluginKit", "TimelineSystem",
      "TimelineSystemd", "TimelineTesting", "TimelineWeb",
    ],
    "_Concurrency": ["TimelineTesting"],
  ]

  /// Imports of a plugin from this project: its kit alone. Libraries that it links stay in its host and are its own affair.
  static let importsOfPlugins: Set<String> = ["TimelinePluginKit"]

  /// Exceptions to rules, with reasons. One that is no longer needed fails the test.
  static let exceptions: [Exception] = [
    Exception(
      to: .retiredWords, in: "Sources/Engine/TimelineConfiguration/Reading/KeySynonyms.swift",
      because: "it knows the old names of keys, to name the new ones"),
    Exception(
      to: .retiredWords, in: "Sources/Edges/TimelineLedger/Store/Migration.swift",
      because: "steps of the ledger's form are never changed, and older ones named a column so"),
    Exception(
      to: .fileLength, in: "Package.swift",
      because: "a package has one manifest, which is a table of its targets"),
    Exception(
      to: .time, in: "Sources/Edges/TimelineTesting/Internal/MainThread.swift",
      because: "only real time can tell a main thread that is blocked from one that is busy"),
    Exception(
      to: .sleepingTests, in: "Tests/TimelineClocksTests/DeterminismTests.swift",
      because: "tasks that yield are among those whose trace must not change"),
    Exception(
      to: .sleepingTests, in: "Tests/TimelineClocksTests/AutomaticClockTests.swift",
      because: "a clock that moves by itself must wait for tasks that yield"),
    Exception(
      to: .sleepingTests, in: "Tests/TimelineClocksTests/DeadlockTests.swift",
      because: "a test that waits in real time for a moment is no deadlock"),
    Exception(
      to: .sleepingTests, in: "Tests/TimelineClocksTests/RestTests.swift",
      because: "a task that yields for ever must not keep the clock from moving"),
    Exception(
      to: .sleepingTests, in: "Tests/TimelineClocksTests/QuietTests.swift",
      because: "an advance must wait for tasks that yield"),
    Exception(
      to: .sleepingTests, in: "Tests/TimelineClocksTests/ForeignTasksTests.swift",
      because: "an advance must wait for tasks that yield"),
    Exception(
      to: .sleepingTests, in: "Tests/Torture/evidence.c",
      because: "it plays the job that takes its time"),
    Exception(
      to: .sleepingTests, in: "Tests/Cluster/evidence.c",
      because: "it plays the job that takes its time"),
    Exception(
      to: .sleepingTests, in: "Tests/Benchmarks/peers/nanosleep.c",
      because: "how late a sleeper wakes is what it measures"),
    Exception(
      to: .sleepingTests, in: "Tests/Benchmarks/peers/pingpong.c",
      because: "how long two processes take that have rested is what it measures"),
  ]

  /// Place of the system calls: the one door to the clock.
  static let doorToTheClock: Set<String> = ["TimelineSystem", "CTimelineSystem"]
}

/// A file in which one rule does not hold.
struct Exception: Sendable, CustomTestStringConvertible {
  var rule: Rule
  var path: String
  var reason: String

  init(to rule: Rule, in path: String, because reason: String) {
    self.rule = rule
    self.path = path
    self.reason = reason
  }

  var testDescription: String { "\(rule.name), but in \(path): \(reason)" }
}
