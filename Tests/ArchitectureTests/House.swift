/// The map: which modules each target may import. The manifest declares the same, and nothing else.
enum House {
  /// Modules of the toolchain; the manifest does not list them.
  static let toolchain: Set<String> = [
    "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "PackageDescription", "Swift",
    "Synchronization", "Testing", "XCTest",
  ]

  /// What a target below `Sources` may import.
  static let imports: [String: Set<String>] = [
    // Pure: values in, values out.
    "TimelineCore": [],
    "TimelineClocks": ["Synchronization", "TimelineCore"],
    "TimelineEngine": ["TimelineClocks", "TimelineCore"],
    "TimelineWire": ["TimelineCore"],
    "TimelineConfiguration": ["CTOML", "FoundationEssentials", "TimelineCore", "TimelineEngine"],
    "TimelineControl": ["FoundationEssentials", "TimelineCore"],

    // The edges.
    "CTOML": [],
    "CTimelineSystem": [],
    "CSystemd": [],
    "CSQLite": [],
    "CTimelinePlugin": [],
    "TimelineSystem": ["CTimelineSystem", "Glibc", "Synchronization", "TimelineClocks", "TimelineCore"],
    "TimelineSystemd": ["CSystemd", "Glibc", "Synchronization"],
    "TimelineLedger": ["CSQLite", "TimelineCore", "TimelineEngine"],
    "TimelinePlugins": ["TimelineCore", "TimelineEngine", "TimelineSystem", "TimelineWire"],
    "TimelineHosting": [
      "CTimelinePlugin", "FoundationEssentials", "Glibc", "Synchronization", "TimelineCore", "TimelineSystem",
      "TimelineWire",
    ],
    "TimelinePluginKit": ["CTimelinePlugin", "Synchronization"],

    // The programs.
    "TimelineLoading": [
      "FoundationEssentials", "TimelineConfiguration", "TimelineCore", "TimelineEngine", "TimelinePlugins",
      "TimelineSystem",
    ],
    "timeline-host": ["Glibc", "TimelineHosting"],
    "TimelineDaemon": [
      "FoundationEssentials", "Glibc", "TimelineClocks", "TimelineConfiguration", "TimelineControl",
      "TimelineCore", "TimelineEngine", "TimelineLedger", "TimelineLoading", "TimelinePlugins",
      "TimelineSystem", "TimelineSystemd",
    ],
    "timelined": ["ArgumentParser", "FoundationEssentials", "Glibc", "TimelineDaemon"],
    "timelinectl": [
      "ArgumentParser", "FoundationEssentials", "Glibc", "TimelineClocks", "TimelineConfiguration",
      "TimelineControl", "TimelineCore", "TimelineEngine", "TimelineSystem",
    ],

    // For tests, ours and our users'.
    "TimelineTesting": ["IssueReporting", "Synchronization", "TimelineClocks", "TimelineCore"],

    // What a plugin links stays in its host; of the house it sees its kit alone.
    "Plugins": ["FoundationEssentials", "Glibc", "Synchronization", "TimelinePluginKit"],
  ]

  /// Where system calls live: the one door to the clock.
  static let doorToTheClock: Set<String> = ["TimelineSystem", "CTimelineSystem"]
}
