import Testing

/// The map: which modules each target may import. The manifest declares the same, and nothing else.
enum ArchitectureMap {
  /// Modules of the toolchain; the manifest does not list them.
  static let toolchain: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "PackageDescription", "Swift",
    "Synchronization", "Testing", "XCTest", "_Concurrency",
  ]

  /// Modules that a target below `Sources` may import.
  static let imports: [String: Set<String>] = [
    // Pure: values in, values out.
    "TimelineCore": [],
    "TimelineClockNames": ["TimelineCore"],
    "TimelineClocks": ["Synchronization", "TimelineClockNames", "TimelineCore"],
    "TimelineEngine": ["TimelineClocks", "TimelineCore"],
    "TimelineRehearsal": ["TimelineCore", "TimelineEngine"],
    "TimelineTerminal": ["TimelineClocks", "TimelineCore", "TimelineEngine", "TimelineRehearsal"],
    "TimelineWire": ["TimelineCore"],
    "TimelineStoreWire": ["FoundationEssentials"],
    "TimelineCluster": ["TimelineCore", "TimelineEngine", "TimelineStoreWire"],
    "TimelineStoreSQL": ["FoundationEssentials", "TimelineStoreWire"],
    "TimelineStoreEtcd": ["FoundationEssentials", "TimelineStoreWire"],
    "TimelineJSON": [],
    "TimelineConfiguration": [
      "CTOML", "FoundationEssentials", "Synchronization", "TimelineCore", "TimelineEngine", "TimelineJSON",
    ],
    "TimelineImport": ["TimelineConfiguration", "TimelineCore", "TimelineJSON"],
    "TimelineControl": ["FoundationEssentials", "TimelineCore"],
    "TimelineMonitoring": ["TimelineControl", "TimelineCore"],

    // The edges.
    "CTOML": [],
    "CTimelineSystem": [],
    "CCurses": [],
    "CMessageDigest": [],
    "CSystemd": [],
    "CSQLite": [],
    "CLibical": [],
    "CPQ": [],
    "CStoreCurl": [],
    "CSeccomp": [],
    "CTimelinePlugin": [],
    "TimelineSystem": ["CTimelineSystem", "Glibc", "Synchronization", "TimelineClocks", "TimelineCore"],
    "TimelineSystemd": ["CSystemd", "Glibc", "Synchronization"],
    "TimelineLedger": ["CSQLite", "TimelineCore", "TimelineEngine"],
    "TimelineHostPool": [
      "TimelineCore", "TimelineEngine", "TimelineHosting", "TimelineJSON", "TimelineSystem", "TimelineWire",
    ],
    "TimelineHosting": [
      "CMessageDigest", "CTimelinePlugin", "Glibc", "Synchronization", "TimelineCore", "TimelineJSON",
      "TimelineSystem", "TimelineWire",
    ],
    "TimelinePluginKit": ["CTimelinePlugin", "Synchronization"],

    // The programs.
    "TimelineLoading": [
      "FoundationEssentials", "Synchronization", "TimelineConfiguration", "TimelineCore", "TimelineEngine",
      "TimelineHostPool", "TimelineImport", "TimelineSystem", "TimelineSystemd",
    ],
    "TimelineClient": [
      "Synchronization", "TimelineClocks", "TimelineConfiguration", "TimelineControl", "TimelineCore",
      "TimelineEngine",
      "TimelineLoading", "TimelineRehearsal", "TimelineSystem",
    ],
    "TimelineWeb": [
      "FoundationEssentials", "Synchronization", "TimelineClient", "TimelineClocks", "TimelineControl",
      "TimelineCore", "TimelineEngine", "TimelineJSON", "TimelineMonitoring", "TimelineRehearsal",
      "TimelineSystem",
    ],
    "timelined-web": [
      "ArgumentParser", "HTTPTypes", "HummingbirdCore", "Logging", "NIOCore", "NIOPosix", "Synchronization",
      "TimelineCore", "TimelineLoading", "TimelineSystem", "TimelineWeb",
    ],
    "TimelineTrial": [
      "TimelineConfiguration", "TimelineCore", "TimelineJSON", "TimelineSystem", "TimelineWire",
    ],
    "TimelineSandbox": ["CSeccomp", "Glibc", "TimelineCore", "TimelineSystem", "TimelineWire"],
    "timeline-host": ["Glibc", "TimelineHosting", "TimelineSandbox"],
    "timeline-calendar": ["CLibical"],
    "timeline-store": [
      "CPQ", "CStoreCurl", "Glibc", "TimelineCore", "TimelineStoreEtcd", "TimelineStoreSQL",
      "TimelineStoreWire",
      "TimelineSystem",
    ],
    "TimelineDaemon": [
      "FoundationEssentials", "Glibc", "TimelineClocks", "TimelineCluster", "TimelineConfiguration",
      "TimelineControl", "TimelineCore", "TimelineEngine", "TimelineLedger", "TimelineLoading",
      "TimelineHostPool", "TimelineStoreWire", "TimelineSystem", "TimelineSystemd",
    ],
    "timelined": ["ArgumentParser", "TimelineCore", "TimelineDaemon", "TimelineSystem", "timelinectl"],
    "timelinectl": [
      "ArgumentParser", "CCurses", "FoundationEssentials", "Glibc", "TimelineClient", "TimelineClocks",
      "TimelineConfiguration", "TimelineControl", "TimelineCore", "TimelineEngine", "TimelineImport",
      "TimelineJSON", "TimelineLoading", "TimelineHostPool", "TimelineMonitoring", "TimelineRehearsal",
      "TimelineStoreWire", "TimelineSystem", "TimelineSystemd", "TimelineTerminal", "TimelineTrial",
      "TimelineWire",
    ],

    // For other programs.
    "TimelineMachine": ["TimelineClocks", "TimelineCore", "TimelineSystem"],
    "TimelineFoundation": ["FoundationEssentials", "TimelineCore"],
    "timeline-examples": ["TimelineClocks", "TimelineCore", "TimelineMachine"],

    // For tests, ours and our users'.
    "CTimelineTesting": [],
    "TimelineTesting": [
      "CTimelineTesting", "Dispatch", "IssueReporting", "IssueReportingTestSupport", "Synchronization",
      "TimelineClocks", "TimelineCore", "_Concurrency",
    ],
    "TimelineTestSupport": ["Foundation", "Glibc", "TimelineCore"],
    "TimelineEngineTestSupport": ["TimelineCore", "TimelineEngine"],
    "TimelineClientTestSupport": [
      "Foundation", "Synchronization", "TimelineClient", "TimelineControl", "TimelineCore",
      "TimelineEngineTestSupport", "TimelineSystem",
    ],
    "TimelineEngineSimulation": [
      "TimelineCore", "TimelineEngine", "TimelineEngineTestSupport", "TimelineTestSupport",
    ],
    "timeline-bench": [
      "TimelineConfiguration", "TimelineCore", "TimelineEngine", "TimelineLedger", "TimelineRehearsal",
      "TimelineSystem",
    ],
  ]

  /// Imports of a plugin from this project: its kit alone. Libraries that it links stay in its host and are its own affair.
  static let importsOfPlugins: Set<String> = ["TimelinePluginKit"]

  /// Exceptions to rules, with reasons. One that is no longer needed fails the test.
  static let exceptions: [Exception] = [
    Exception(
      to: .retiredWords, in: "Sources/TimelineConfiguration/Reading/KeySynonyms.swift",
      because: "it knows the old names of keys, to name the new ones"),
    Exception(
      to: .retiredWords, in: "Sources/TimelineLedger/Store/Migration.swift",
      because: "steps of the ledger's form are never changed, and older ones named a column so"),
    Exception(
      to: .fileLength, in: "Package.swift",
      because: "a package has one manifest, which is a table of its targets"),
    Exception(
      to: .time, in: "Sources/TimelineTesting/Internal/MainThread.swift",
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
