import Testing

/// Files made to break a rule, and the lines that it must report.
struct Planted: Sendable, CustomTestStringConvertible {
  var rule: Rule
  var path: String
  var text: String
  /// The lines of the violations, in order; empty for what only looks like one.
  var lines: [Int]

  var files: [SourceFile] { [SourceFile(path: path, text: text)] + neighbors }
  var neighbors: [SourceFile] {
    switch rule.name {
    case Rule.placeholders.name: [SourceFile(path: "Sources/Base/TimelineCore/Zones/Zone.swift", text: "")]
    case Rule.floors.name:
      [
        SourceFile(path: "Sources/Engine/TimelineEngine/State/EngineState.swift", text: ""),
        SourceFile(path: "Sources/Daemon/TimelineDaemon/Loop/Daemon.swift", text: ""),
      ]
    case Rule.promises.name:
      [SourceFile(path: "Tests/TimelineCoreTests/ZoneTests.swift", text: "@Test func `it holds`() {}")]
    case Rule.directorySize.name:
      (1...20).map { SourceFile(path: "Sources/Base/TimelineCore/Zones/Zone\($0).swift", text: "") }
    case Rule.links.name:
      [
        SourceFile(path: "README.md", text: "# A `b`: c\n# A `b`: c"),
        SourceFile(path: "etc/a.toml", text: ""),
      ]
    case Rule.engineLayers.name:
      [
        SourceFile(
          path: "Sources/Engine/TimelineEngine/Execution/Execution.swift", text: "struct Execution {}"),
        SourceFile(
          path: "Sources/Engine/TimelineEngine/Workflows/Dispatch.swift", text: "struct Dispatch {}"),
        SourceFile(
          path: "Sources/Engine/TimelineEngine/State/EngineState.swift", text: "package struct EngineState {}"
        ),
      ]
    case Rule.daemonOwners.name:
      [
        SourceFile(
          path: "\(DaemonOwners.answers)Answers.swift",
          text: "final class Answers {\n  let writer: LedgerWriter\n}")
      ]
    case Rule.checklists.name:
      [
        SourceFile(path: "Tests/TimelineCoreTests/ZoneTests.swift", text: ""),
        SourceFile(path: "Tests/Integration/a.sh", text: ""),
      ]
    case Rule.verbs.name:
      [
        SourceFile(path: "Sources/Tools/timelinectl/Program/Timelinectl.swift", text: "[ListCommand.self]"),
        SourceFile(path: "Sources/Tools/timelinectl/timelinectl.1.in", text: ".It Ic list\n"),
        SourceFile(path: "docs/timelinectl.md", text: "| `list` | lists |\n"),
        SourceFile(path: "Tests/TimelineDaemonTests/ListTests.swift", text: "control(\"list\")"),
      ]
    case Rule.clientCalls.name:
      [
        SourceFile(
          path: "Sources/Tools/timelinectl/Daemon/ListCommand.swift", text: "try call(Control.List())")
      ]
    case Rule.events.name:
      [SourceFile(path: "Tests/TimelineEngineSimulation/EngineSimulation.swift", text: "handle(.wake)")]
    default: []
    }
  }
  var testDescription: String { "\(rule.name): \(text.prefix { !$0.isNewline })" }

  init(
    _ rule: Rule, at path: String = "Sources/Base/TimelineCore/Zones/Zone.swift", _ text: String,
    lines: [Int] = []
  ) {
    self.rule = rule
    self.path = path
    self.text = text
    self.lines = lines
  }

  static let all: [Planted] =
    imports + time + foreignServices + safety + tests + pages + tree + maps + engine + daemon + places

  static let imports: [Planted] = [
    Planted(.imports, "import Glibc\npublic import struct TimelineClocks.Clock", lines: [1, 2]),
    Planted(.imports, "@preconcurrency import TimelineSystem", lines: [1]),
    Planted(.imports, "// import Glibc\nlet a = \"import Glibc\"\nlet important = 1"),
    Planted(
      .imports, at: "Sources/Base/TimelineClocks/A.swift",
      "public import TimelineCore\nimport Synchronization"),
    Planted(.imports, at: "Sources/Base/Unheard/A.swift", "let a = 1", lines: [0]),
    Planted(
      .imports, at: "Sources/Engine/TimelineEngine/A.swift", "import TimelineClocks\nimport Synchronization",
      lines: [2]),
    Planted(
      .imports, at: "Sources/Plugins/bundled/exec/A.swift",
      "import CCurl\nimport TimelinePluginKit\nimport TimelineCore",
      lines: [3]),
    Planted(.floors, "import TimelineEngine\nimport Synchronization", lines: [1]),
    Planted(.floors, at: "Sources/Attic/A/A.swift", "let a = 1", lines: [0]),
    Planted(.floors, at: "Sources/Tools/timelinectl/A.swift", "import TimelineDaemon\nimport TimelineEngine"),
    Planted(
      .floors, at: "Sources/Edges/TimelineLedger/A.swift", "import TimelineEngine\nimport TimelineDaemon",
      lines: [2]),
    Planted(
      .pure, at: "Package.swift",
      """
      let package = Package(targets: [
        .target(name: "TimelineCore", dependencies: ["TimelineSystem"]),
        .target(name: "TimelineClocks", dependencies: ["TimelineCore"]),
        .target(name: "TimelineImport", dependencies: [
          "TimelineCore", "TimelineDaemon",
          .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ]),
        .target(name: "TimelineSystem", dependencies: ["CTimelineSystem"]),
        .testTarget(name: "AnyTests", dependencies: ["TimelineCore", "TimelineDaemon"]),
      ])
      """, lines: [2, 4, 4]),
    Planted(
      .headers, at: "Sources/Base/CTOML/toml.cpp", "#include <new>\n#include \"timelined_plugin.h\"",
      lines: [2]),
    Planted(.headers, at: "Sources/Base/CTOML/toml.cpp", "#include \"toml.cpp\""),
    Planted(.foundation, "import Foundation\nimport class Foundation.JSONDecoder", lines: [1, 2]),
    Planted(.foundation, "import FoundationEssentials"),
    Planted(.foundation, at: "Tests/TimelineCoreTests/A.swift", "import Foundation"),
  ]

  static let time: [Planted] = [
    Planted(
      .time, "let a = Date()\nlet b = Date.now\nf(from: .now)\nlet c = ContinuousClock().now",
      lines: [1, 2, 3, 4]),
    Planted(.time, "try await Task.sleep(for: d)\nusleep(3)\nsleep(1)\ntime(nil)", lines: [1, 2, 3, 4]),
    Planted(.time, "clock_gettime(CLOCK_REALTIME, &t)\nlocaltime_r(&t, &u)", lines: [1, 2]),
    Planted(.time, "let a = \"at \\(Date())\"", lines: [1]),
    Planted(.time, at: "Sources/Base/CTOML/toml.cpp", "return time(NULL);", lines: [1]),
    Planted(
      .time,
      "clock.now\nself.clock.now\n// Date()\n\"Date()\"\nclock.sleep(until: a)\nUpDate(a)\nsystem().now\nvar now: Int"
    ),
    Planted(.time, at: "Sources/Edges/TimelineSystem/A.swift", "clock_gettime(CLOCK_REALTIME, &t)"),
    Planted(.time, at: "Sources/Plugins/bundled/log/log.c", "clock_gettime(CLOCK_REALTIME, &t);"),
    Planted(
      .sleepingTests, at: "Tests/TimelineCoreTests/A.swift",
      "await Task.yield()\ntry await Task.sleep(for: d)\nThread.sleep(1)\nusleep(10)", lines: [1, 2, 3, 4]),
    Planted(
      .sleepingTests, at: "Tests/TimelineCoreTests/A.swift", "try await clock.sleep(until: a)\nsleepers.count"
    ),
  ]

  static let safety: [Planted] = [
    Planted(
      .uncheckedSendable, "final class A: @unchecked Sendable {}\n\nnonisolated(unsafe) let b = 1",
      lines: [1, 3]),
    Planted(.uncheckedSendable, "// Proof: only the loop touches it.\nfinal class A: @unchecked Sendable {}"),
    Planted(
      .uncheckedSendable,
      "/// An A.\n///\n/// Sendable because it is never changed.\nstruct A: @unchecked Sendable {}"),
    Planted(.force, "let a = try! f()\nlet b = c as! D\nlet e = try? f()\nlet g = a!", lines: [1, 2]),
    Planted(.globals, "var a = 1\nenum B {\n  static var c = 2\n}\npackage var d: Int", lines: [1, 3, 5]),
    Planted(
      .globals,
      "var a: Int { 1 }\nenum B {\n  static var c: Int { 2 }\n  @TaskLocal static var d = 3\n  static let e = 4\n  var f = 5\n}"
    ),
    Planted(.detached, "Task.detached { }\nDispatchQueue.global().async { }", lines: [1, 2]),
    Planted(.detached, "await withTaskGroup { group in group.addTask { } }"),
  ]

  static let tests: [Planted] = [
    Planted(
      .fixedSeeds, at: "Tests/TimelineCoreTests/A.swift",
      "let a = Int.random(in: 1..<2)\nlet b = Int.random(in: 1..<2, using: &dice)\nlet c = [1].shuffled()",
      lines: [1, 3]),
    Planted(.fixedSeeds, "let a = Int.random(in: 1..<2)"),
    Planted(
      .forgottenTests, at: "Tests/TimelineCoreTests/A.swift",
      "import Testing\n@Test func testA() { }\nfunc testB() { }\nfunc `a sentence`() {\n}\nfunc helper() { }",
      lines: [3, 4]),
    Planted(
      .forgottenTests, at: "Tests/TimelineCoreTests/A.swift",
      "import Testing\n@Test(arguments: [1, 2].map { $0 })\nfunc `a sentence`(_ a: Int) { }\nfunc `default`() { }"
    ),
    Planted(.forgottenTests, at: "Tests/TimelineCoreTests/A.swift", "func testB() { }"),
    Planted(.forgottenTests, at: "Tests/TimelineCoreTests/A.swift", "import XCTest", lines: [1]),
    Planted(
      .patience, at: "Tests/TimelineCoreTests/A.swift",
      "loop.run(atMost: .seconds(10)) { true }\ntry ByteStream.connect(to: path, atMost: .minutes(1))",
      lines: [1, 2]),
    Planted(
      .patience, at: "Tests/TimelineCoreTests/A.swift",
      "loop.run(atMost: Patience.usual) { true }\nloop.run(atMost: .milliseconds(20)) { false }\n"
        + "SystemTime.wait(until: instant, atMost: .seconds(60))"),
    Planted(
      .patience, at: "Tests/Integration/a.sh", "check \"it ends\" within 5 ended\n  sleep 2", lines: [1, 2]),
    Planted(
      .patience, at: "Tests/Integration/a.sh", "check \"it ends\" within 60 ended\nsleep 0.1\nexec sleep 60"),
    Planted(.patience, at: "Tests/Web/a.py", "subprocess.run(words, timeout=30)", lines: [1]),
    Planted(.patience, at: "Tests/Web/a.py", "subprocess.run(words, timeout=LIMIT_SECONDS)"),
  ]

  static let pages: [Planted] = [
    Planted(
      .promises, at: "docs/promises.md",
      "| a | `ZoneTests/it holds`, `Tests/TimelineCoreTests/ZoneTests.swift` |\n| b | `ZoneTests/it breaks` |\n| c | `Tests/gone.sh` |",
      lines: [2, 3]),
    Planted(
      .links, at: "docs/a.md",
      """
      # Here
      [a](../README.md#a-b-c), [b](#here), [c](../etc), [d](https://swift.org), [`e`](../README.md#a-b-c-1)
      [a](README.md), [b](../README.md#a-b)
      [c](#there)
      ```
      [d](gone.md)
      ```
      `[e](gone.md)` [f](../gone)
      """, lines: [3, 3, 4, 8]),
    Planted(
      .documentation,
      "public struct A {\n  package var b = 1\n  @inlinable\n  public static func c() {}\n  public private(set) var d = 1\n}",
      lines: [1, 4, 5]),
    Planted(
      .documentation,
      "/// A.\npackage struct A {\n  package init(b: Int) {\n    self.b = b\n    (c, d) = (b, 1)\n  }\n  package init() {\n    f()\n  }\n  package init(e: Int) { (self.e, f) = (e, 1) }\n}",
      lines: [7]),
    Planted(
      .documentation,
      "public import B\n/// An A.\n@frozen\npublic struct A {\n  var b = 1\n  /// C.\n  @inlinable\n  package func c() {}\n}"
    ),
    Planted(
      .firstWords,
      "/// What it is.\nlet a = 1\n\n/// Whoever asks.\n///\n/// More.\nlet b = 2\nstruct C {\n  ///How's that.\n  var d = 3\n}",
      lines: [1, 4, 9]),
    Planted(.firstWords, at: "Sources/Engine/TimelineEngine/A.swift", "/// Where\n/// it is.", lines: [1]),
    Planted(
      .firstWords,
      "/// The thing,\n/// What is the second line.\n///\n/// When it is not.\nlet a = 1  // How it is.\n// What it is.\nlet b = 2"
    ),
    Planted(
      .firstWords,
      "/// Whether it is.\nlet a = 1\n/// As-is text.\nlet b = \"\"\"\n  /// What it is.\n  \"\"\"\n/// Asks.\nfunc c() {}"
    ),
    Planted(
      .firstWords, at: "Tests/TimelineCoreTests/A.swift",
      "/// What it is.\nlet a = 1\n/// A.\n///\n/// Whoever asks.", lines: [1, 5]),
    Planted(.fileLength, String(repeating: "let a = 1\n", count: 301), lines: [0]),
    Planted(.fileLength, String(repeating: "let a = 1\n", count: 300)),
    Planted(.fileLength, at: "Tests/TimelineCoreTests/A.swift", String(repeating: "let a = 1\n", count: 500)),
    Planted(
      .functionLength,
      "let a = 1\nfunc b(_ c: Int = { 3 }()) {" + String(repeating: "\n  c()", count: 60) + "\n}", lines: [2]),
    Planted(.functionLength, "func b() {" + String(repeating: "\n  c()", count: 58) + "\n}\ninit() { a() }"),
    Planted(
      .functionLength,
      "protocol A {\n  func b()\n}\nstruct C {" + String(repeating: "\n  let d = 1", count: 80) + "\n}"),
    Planted(.remarks, "let a = 1  // TODO: b\nlet toDo = \"TODO\"", lines: [1]),
    Planted(
      .wording,
      "/// Takes in an event.\nlet a = \"told\"\n// Nobody is told.\n\n@Test func `a peer says so`() {}",
      lines: [1, 3, 3, 5]),
    Planted(.wording, "/// The user `nobody`, if known.\nfunc tell() {}\nlet told = 1  // Read by ``told``."),
    Planted(
      .machinePaths, at: "Makefile", "A = /" + "home/ada/swift\nB = $(C)/" + "home/x\nC = lib/" + "work/x",
      lines: [1]),
    Planted(.placeholders, at: "Sources/Base/TimelineCore/Placeholder.swift", "", lines: [0]),
    Planted(.placeholders, at: "Sources/Engine/TimelineEngine/Placeholder.swift", ""),
  ]

  static let maps: [Planted] = {
    let targets = (try? Manifest.targets(of: SourceTree([]))) ?? [:]
    func row(_ name: String, _ imports: Set<String>) -> String {
      let names = imports.sorted().map { "`\($0)`" }
      return "| `\(name)` | something | \(names.isEmpty ? "nothing" : names.joined(separator: ", ")) |"
    }
    let right = targets.values.sorted { $0.name < $1.name }.map { row($0.name, $0.dependencies) }
    let wrong = right.map { $0.hasPrefix("| `TimelineWire` |") ? row("TimelineWire", ["Glibc"]) : $0 }
      .filter { !$0.hasPrefix("| `timelined` |") }
    let line = wrong.firstIndex { $0.hasPrefix("| `TimelineWire` |") }.map { $0 + 1 } ?? -1
    return [
      Planted(
        .installedPages, at: "Sources/Tools/timelinectl/A.swift",
        "/// docs/none.md\nlet a = \"see docs/b.md\"\nlet b = \"see share/doc/timelined/none.md\"",
        lines: [2, 3]),
      Planted(.map, at: "docs/architecture.md", right.joined(separator: "\n")),
      Planted(.map, at: "docs/architecture.md", wrong.joined(separator: "\n"), lines: [line, 0]),
    ]
  }()
}
