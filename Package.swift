// swift-tools-version: 6.2
// docs/architecture.md has the targets with their imports, which ArchitectureTests writes from this file.

import Foundation
import PackageDescription

/// Settings of our C: what a release copies and prints is checked against the size of its destination.
let hardenedC: [CSetting] = [
  .define("_GNU_SOURCE"), .define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release)),
]

/// The files of the web page, which its server contains.
let pageFiles = [
  "board.js", "chart.js", "elements.js", "entrance.js", "icon.svg", "index.html", "keys.js", "main.js",
  "playhead.js", "rehearsal.html", "rehearsal.js", "row.js", "server.js", "story.js", "style.css", "table.js",
  "view.js", "views.css", "whatif.html", "whatif.js", "words.js",
]

/// The targets of each floor of `Sources`, from the bottom to the top: a target imports targets of its own floor and of lower ones.
let floors: [(name: String, targets: [Target])] = [
  (
    "Base",
    [
      .target(name: "TimelineCore"),
      .target(name: "TimelineClockNames", dependencies: ["TimelineCore"]),
      .target(name: "TimelineClocks", dependencies: ["TimelineClockNames", "TimelineCore"]),
      .target(name: "TimelineJSON"),
      .target(name: "CTOML", cxxSettings: [.define("TOML_EXCEPTIONS", to: "0")]),
      .target(name: "CTimelinePlugin"),
      .target(name: "TimelinePluginKit", dependencies: ["CTimelinePlugin"]),
      .target(name: "TimelineFoundation", dependencies: ["TimelineCore"]),
    ]
  ),
  (
    "Engine",
    [
      .target(name: "TimelineEngine", dependencies: ["TimelineCore", "TimelineClocks"]),
      .target(name: "TimelineRehearsal", dependencies: ["TimelineCore", "TimelineEngine"]),
      .target(
        name: "TimelineConfiguration",
        dependencies: ["CTOML", "TimelineCore", "TimelineEngine", "TimelineJSON"],
        resources: [.embedInCode("Schema/timelined.schema.json")]),
      .target(
        name: "TimelineImport", dependencies: ["TimelineConfiguration", "TimelineCore", "TimelineJSON"]),
    ]
  ),
  (
    "Edges",
    [
      .target(name: "CTimelineSystem", cSettings: hardenedC),
      .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
      .target(name: "TimelineSystem", dependencies: ["CTimelineSystem", "TimelineCore", "TimelineClocks"]),
      .target(name: "TimelineSystemd", dependencies: ["CSystemd"]),
      .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
      .target(name: "TimelineLedger", dependencies: ["CSQLite", "TimelineCore", "TimelineEngine"]),
      // Linked statically: only two verbs use it, and shared it would add two libraries to each start of both programs.
      .target(
        name: "CCurses", cSettings: hardenedC + [.define("NCURSES_WIDECHAR", to: "1")],
        linkerSettings: [.linkedLibrary(":libncursesw.a"), .linkedLibrary(":libtinfo.a")]),
      .target(name: "CMessageDigest", cSettings: hardenedC, linkerSettings: [.linkedLibrary(":libmd.a")]),
      .target(name: "CSeccomp", cSettings: hardenedC, linkerSettings: [.linkedLibrary("seccomp")]),
      // It alone links libical, which brings ICU.
      .systemLibrary(name: "CLibical", pkgConfig: "libical", providers: [.apt(["libical-dev"])]),
      .executableTarget(
        name: "timeline-calendar", dependencies: ["CLibical"], cSettings: hardenedC,
        // It is in C: without the object that registers Swift types the whole Swift runtime, 6 MB, stays out.
        linkerSettings: [.unsafeFlags(["-nostartfiles"], .when(platforms: [.linux]))]),
      // It alone links libpq, which brings OpenSSL, Kerberos and LDAP, and libcurl.
      .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
      .target(name: "CStoreCurl", cSettings: hardenedC, linkerSettings: [.linkedLibrary("curl")]),
      .target(name: "TimelineMachine", dependencies: ["TimelineClocks", "TimelineCore", "TimelineSystem"]),
      .target(name: "CTimelineTesting"),
      .target(
        name: "TimelineTesting",
        dependencies: [
          "CTimelineTesting", "TimelineClocks", "TimelineCore",
          .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
          // Without it IssueReporting does not find Swift Testing on Linux, and a failure would be a mere warning.
          .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
        ]),
    ]
  ),
  (
    "Plugins",
    [
      .target(name: "TimelineWire", dependencies: ["TimelineCore"]),
      .target(
        name: "TimelineHostPool",
        dependencies: [
          "TimelineCore", "TimelineEngine", "TimelineHosting", "TimelineJSON", "TimelineSystem",
          "TimelineWire",
        ]),
      .target(
        name: "TimelineHosting",
        dependencies: [
          "CMessageDigest", "CTimelinePlugin", "TimelineCore", "TimelineJSON", "TimelineSystem",
          "TimelineWire",
        ]),
      .target(
        name: "TimelineSandbox", dependencies: ["CSeccomp", "TimelineCore", "TimelineSystem", "TimelineWire"]),
      .executableTarget(name: "timeline-host", dependencies: ["TimelineHosting", "TimelineSandbox"]),
    ]
  ),
  (
    "Cluster",
    [
      .target(name: "TimelineStoreWire", dependencies: ["TimelineCore"]),
      .target(
        name: "TimelineCluster", dependencies: ["TimelineCore", "TimelineEngine", "TimelineStoreWire"]),
      .target(name: "TimelineStoreSQL", dependencies: ["TimelineCore", "TimelineStoreWire"]),
      .target(name: "TimelineStoreEtcd", dependencies: ["TimelineCore", "TimelineStoreWire"]),
      .executableTarget(
        name: "timeline-store",
        dependencies: [
          "CPQ", "CStoreCurl", "TimelineCore", "TimelineStoreEtcd", "TimelineStoreSQL", "TimelineStoreWire",
          "TimelineSystem",
        ]),
    ]
  ),
  (
    "Daemon",
    [
      .target(name: "TimelineControl", dependencies: ["TimelineCore"]),
      .target(
        name: "TimelineLoading",
        dependencies: [
          "TimelineConfiguration", "TimelineCore", "TimelineEngine", "TimelineHostPool", "TimelineImport",
          "TimelineSystem", "TimelineSystemd",
        ]),
      .target(
        name: "TimelineDaemon",
        dependencies: [
          "TimelineClocks", "TimelineCluster", "TimelineConfiguration", "TimelineControl", "TimelineCore",
          "TimelineEngine", "TimelineLedger", "TimelineLoading", "TimelineHostPool", "TimelineStoreWire",
          "TimelineSystem", "TimelineSystemd",
        ]),
    ]
  ),
  (
    "Tools",
    [
      .target(
        name: "TimelineTerminal",
        dependencies: ["TimelineClocks", "TimelineCore", "TimelineEngine", "TimelineRehearsal"]),
      .target(name: "TimelineMonitoring", dependencies: ["TimelineControl", "TimelineCore"]),
      .target(
        name: "TimelineClient",
        dependencies: [
          "TimelineClocks", "TimelineConfiguration", "TimelineControl", "TimelineCore", "TimelineEngine",
          "TimelineLoading", "TimelineRehearsal", "TimelineSystem",
        ]),
      // The web page without its server: who may ask for what, and what is shown.
      .target(
        name: "TimelineWeb",
        dependencies: [
          "TimelineClient", "TimelineClocks", "TimelineControl", "TimelineCore", "TimelineEngine",
          "TimelineJSON", "TimelineMonitoring", "TimelineRehearsal", "TimelineSystem",
        ],
        resources: pageFiles.map { .embedInCode("Page/\($0)") }),
      // A plugin without a daemon, for its author.
      .target(
        name: "TimelineTrial",
        dependencies: [
          "TimelineConfiguration", "TimelineCore", "TimelineJSON", "TimelineSystem", "TimelineWire",
        ]),
      .executableTarget(
        name: "timelined",
        dependencies: [
          "TimelineCore", "TimelineDaemon", "TimelineSystem", "timelinectl",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        exclude: ["timelined.8.in"]),
      .target(
        name: "timelinectl",
        dependencies: [
          "CCurses", "TimelineClient", "TimelineClocks", "TimelineConfiguration", "TimelineControl",
          "TimelineCore", "TimelineEngine", "TimelineImport", "TimelineJSON", "TimelineLoading",
          "TimelineHostPool", "TimelineMonitoring", "TimelineRehearsal", "TimelineStoreWire",
          "TimelineSystem", "TimelineSystemd", "TimelineTerminal", "TimelineTrial", "TimelineWire",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ],
        exclude: ["timelinectl.1.in"]),
      .executableTarget(
        name: "timeline-examples", dependencies: ["TimelineClocks", "TimelineCore", "TimelineMachine"]),
    ]
  ),
]

/// Returns the targets of a floor, each with its directory.
func targets(of floor: (name: String, targets: [Target])) -> [Target] {
  for target in floor.targets { target.path = "Sources/\(floor.name)/\(target.name)" }
  return floor.targets
}

let package = Package(
  name: "timelined",
  products: [
    .library(name: "TimelineCore", targets: ["TimelineCore"]),
    .library(name: "TimelineClocks", targets: ["TimelineClocks"]),
    .library(name: "TimelineMachine", targets: ["TimelineMachine"]),
    .library(name: "TimelineFoundation", targets: ["TimelineFoundation"]),
    .library(name: "TimelineTesting", targets: ["TimelineTesting"]),
    .library(name: "TimelinePluginKit", targets: ["TimelinePluginKit"]),
    .executable(name: "timelined", targets: ["timelined"]),
    // The same executable by another name, see Program.swift. A release has one file and a link.
    .executable(name: "timelinectl", targets: ["timelined"]),
    .executable(name: "timeline-host", targets: ["timeline-host"]),
    .executable(name: "timeline-calendar", targets: ["timeline-calendar"]),
    .executable(name: "timeline-store", targets: ["timeline-store"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
  ],
  targets: floors.flatMap(targets(of:)) + [
    // Helpers of tests, the measured program, and the tests.
    .target(
      name: "TimelineTestSupport", dependencies: ["TimelineCore"], path: "Tests/TimelineTestSupport"),
    .target(
      name: "TimelineEngineTestSupport", dependencies: ["TimelineCore", "TimelineEngine"],
      path: "Tests/TimelineEngineTestSupport"),
    .target(
      name: "TimelineClientTestSupport",
      dependencies: [
        "TimelineClient", "TimelineControl", "TimelineCore", "TimelineEngineTestSupport", "TimelineSystem",
      ],
      path: "Tests/TimelineClientTestSupport"),
    .target(
      name: "TimelineEngineSimulation",
      dependencies: ["TimelineCore", "TimelineEngine", "TimelineEngineTestSupport", "TimelineTestSupport"],
      path: "Tests/TimelineEngineSimulation"),
    .executableTarget(
      name: "timeline-bench",
      dependencies: [
        "TimelineConfiguration", "TimelineCore", "TimelineEngine", "TimelineLedger", "TimelineRehearsal",
        "TimelineSystem",
      ],
      path: "Tests/Benchmarks/timeline-bench"),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(
      name: "TimelineStoreTests",
      dependencies: ["TimelineCore", "TimelineStoreEtcd", "TimelineStoreSQL", "TimelineStoreWire"]),
    .testTarget(name: "TimelineCoreTests", dependencies: ["TimelineCore", "TimelineTestSupport"]),
    .testTarget(
      name: "TimelineClocksTests",
      dependencies: [
        "TimelineClocks", "TimelineCore", "TimelineSystem", "TimelineTestSupport", "TimelineTesting",
        .product(name: "IssueReporting", package: "xctest-dynamic-overlay"),
      ]),
    .testTarget(
      name: "TimelineLibraryTests",
      dependencies: [
        "TimelineClocks", "TimelineCore", "TimelineFoundation", "TimelineMachine", "TimelineTestSupport",
        "TimelineTesting", "timeline-examples",
      ]),
    .testTarget(
      name: "TimelineEngineTests",
      dependencies: [
        "TimelineClocks", "TimelineCore", "TimelineEngine", "TimelineEngineSimulation",
        "TimelineEngineTestSupport", "TimelineRehearsal", "TimelineTestSupport", "TimelineTesting",
      ],
      exclude: ["Lives"]),  // written lives; the tests read them where they are
    .testTarget(
      name: "TimelineClusterTests",
      dependencies: [
        "TimelineCluster", "TimelineCore", "TimelineEngine", "TimelineEngineTestSupport", "TimelineStoreWire",
        "TimelineTestSupport",
      ],
      exclude: ["Lives"]),  // written lives; the tests read them where they are
    .testTarget(
      name: "TimelineRehearsalTests",
      dependencies: [
        "TimelineCore", "TimelineEngine", "TimelineEngineTestSupport", "TimelineRehearsal", "TimelineSystem",
        "TimelineTestSupport",
      ]),
    .testTarget(
      name: "TimelineTerminalTests",
      dependencies: [
        "TimelineClient", "TimelineClientTestSupport", "TimelineClocks", "TimelineControl", "TimelineCore",
        "TimelineEngine", "TimelineEngineTestSupport", "TimelineRehearsal", "TimelineSystem",
        "TimelineTerminal",
      ],
      exclude: ["Pictures"]),  // golden files; the tests read them where they are
    .testTarget(
      name: "TimelineClientTests",
      dependencies: [
        "TimelineClient", "TimelineClientTestSupport", "TimelineControl", "TimelineCore", "TimelineEngine",
        "TimelineEngineTestSupport", "TimelineRehearsal", "TimelineSystem",
      ]),
    .testTarget(
      name: "TimelineWebTests",
      dependencies: [
        "TimelineClient", "TimelineClientTestSupport", "TimelineControl", "TimelineCore",
        "TimelineEngineTestSupport", "TimelineJSON", "TimelineSystem", "TimelineWeb",
      ]),
    .testTarget(
      name: "TimelineConfigurationTests",
      dependencies: [
        "CTOML", "TimelineConfiguration", "TimelineCore", "TimelineEngine", "TimelineJSON", "TimelineSystem",
        "TimelineTestSupport",
      ],
      // Golden files; the tests read them where they are, so that they can also write them anew.
      exclude: ["Right", "Wrong"]),
    .testTarget(
      name: "TimelineImportTests",
      dependencies: [
        "TimelineConfiguration", "TimelineCore", "TimelineImport", "TimelineSystem", "TimelineTestSupport",
      ],
      exclude: ["Calendars", "Crontabs", "Timers"]),  // golden files; the tests read them where they are
    .testTarget(
      name: "TimelineLedgerTests",
      dependencies: ["TimelineCore", "TimelineEngine", "TimelineLedger", "TimelineTestSupport"]),
    .testTarget(
      name: "TimelineControlTests",
      dependencies: ["TimelineControl", "TimelineCore", "TimelineSystem", "TimelineTestSupport"]),
    .testTarget(
      name: "TimelineMonitoringTests",
      dependencies: ["TimelineControl", "TimelineCore", "TimelineMonitoring"]),
    .testTarget(
      name: "TimelineHostingTests",
      dependencies: [
        "CTimelinePlugin", "TimelineCore", "TimelineHosting", "TimelineJSON", "TimelinePluginKit",
        "TimelineSandbox", "TimelineSystem", "TimelineTestSupport", "TimelineWire",
      ]),
    .testTarget(
      name: "TimelineHostPoolTests",
      dependencies: [
        "TimelineConfiguration", "TimelineCore", "TimelineEngine", "TimelineHostPool", "TimelineJSON",
        "TimelineSystem", "TimelineTestSupport", "TimelineWire",
      ]),
    .testTarget(
      name: "TimelineSystemTests",
      dependencies: [
        "TimelineClocks", "TimelineCore", "TimelineSystem", "TimelineSystemd", "TimelineTestSupport",
      ]),
    .testTarget(
      name: "TimelineDaemonTests",
      dependencies: [
        "TimelineClocks", "TimelineCluster", "TimelineConfiguration", "TimelineControl", "TimelineCore",
        "TimelineDaemon", "TimelineEngine", "TimelineLedger", "TimelineLoading", "TimelineHostPool",
        "TimelineRehearsal", "TimelineStoreWire", "TimelineSystem", "TimelineSystemd", "TimelineTestSupport",
        "TimelineTrial",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17,
  cxxLanguageStandard: .cxx20
)

// The server of the web page needs hummingbird, for whose build of some minutes the daemon does not wait: `make web` sets the variable.
if Context.environment["TIMELINED_WEB"] != nil {
  package.dependencies += [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-log.git", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
  ]
  package.products.append(.executable(name: "timelined-web", targets: ["timelined-web"]))
  package.targets.append(
    .executableTarget(
      name: "timelined-web",
      dependencies: [
        "TimelineCore", "TimelineLoading", "TimelineSystem", "TimelineWeb",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Sources/Tools/timelined-web", exclude: ["timelined-web.8.in"]))
}

// Warnings stop our own builds and no one else's: a newer compiler must not break a user.
let strict = ProcessInfo.processInfo.environment["TIMELINED_STRICT"] == "1"

/// Targets that are compiled for speed: what is called for each entry, and libraries for others, which may have no such flags. The programs
/// are smaller by a megabyte because the rest is compiled for size, and by 0.6 MB because each of its functions has a section of its own: the
/// linker leaves out those that nothing calls, and keeps equal ones once. The benchmark is among them because it counts the instructions of others.
///
/// The compiler keeps the object of a file whose code in LLVM's language is the same, whatever the flags: it must not, or a build directory from
/// before keeps its objects without sections.
let fast: Set = [
  "TimelineClockNames", "TimelineClocks", "TimelineCore", "TimelineEngine", "TimelineFoundation",
  "TimelineLedger", "TimelineMachine", "TimelinePluginKit", "TimelineRehearsal", "TimelineSystem",
  "TimelineTesting", "timeline-bench",
]

/// Whether this is the build of `make tests`: a debug build with all its checks that compiles each module as a whole, interface and code in one
/// job, and optimizes the targets that simulated lives of the engine spend their time in. `swift test` by itself builds as ever, for a debugger
/// and for small changes.
let checked = Context.environment["TIMELINED_CHECKED"] == "1"
let simulated: Set = [
  "TimelineCore", "TimelineEngine", "TimelineEngineSimulation", "TimelineEngineTestSupport",
  "TimelineTestSupport",
]

for target in package.targets where ![.system, .plugin, .binary].contains(target.type) {
  var settings = target.swiftSettings ?? []
  settings += [
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .enableUpcomingFeature("InferIsolatedConformances"),  // SE-0470
    .strictMemorySafety(),  // SE-0458
  ]
  if strict { settings.append(.treatAllWarnings(as: .error)) }
  if !fast.contains(target.name) {
    let small = ["-function-sections", "-disable-incremental-llvm-codegen"].flatMap { ["-Xfrontend", $0] }
    settings.append(.unsafeFlags(["-Osize"] + small, .when(configuration: .release)))
  }
  if checked {
    let optimization = simulated.contains(target.name) ? ["-O", "-assert-config", "Debug"] : []
    let whole = ["-wmo", "-num-threads", "2", "-no-emit-module-separately-wmo"]
    settings.append(.unsafeFlags(whole + optimization, .when(configuration: .debug)))
  }
  target.swiftSettings = settings
}

// A program exports nothing: a plugin that links a module of ours must find its own copy of it and not the host's, and the names of
// all functions are a megabyte. Functions with the same code are kept once. All symbols are bound at the start, so that the tables of their
// addresses are read-only from then on.
for target in package.targets where target.type == .executable {
  var options = ["--no-export-dynamic", "-z", "now", "--icf=safe"]
  // Nothing unwinds the stacks of these two while they run: neither Swift nor C nor the C++ of the TOML parser throws exceptions. The index for
  // that has 0.3 to 0.5 MB; a debugger reads the table itself. A plugin host keeps it, as the C++ of others may throw.
  if ["timelined", "timeline-store"].contains(target.name) { options.append("--no-eh-frame-hdr") }
  let flags = options.flatMap { ["-Xlinker", $0] }
  target.linkerSettings =
    (target.linkerSettings ?? []) + [.unsafeFlags(flags, .when(platforms: [.linux]))]
}
