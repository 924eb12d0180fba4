extension Rule {
  /// Checklists count the places that a new value has, and something finds each one that is forgotten.
  static let checklists = Rule(
    name: "Each row of a checklist names who finds it when it is forgotten, and each heading counts the files"
  ) { tree in
    let heading = try Pattern(#"^### .+ \((\d+) files? of sources, (\d+) of tests, (\d+) pages?\)$"#)
    let path = try Pattern("`(Sources|Tests|docs)/[^`]+`")
    let finder = try Pattern("compiler|`([^`]+)`")
    let tests = Set(tree.files.filter(\.isTest).map { $0.path.split(separator: "/").last.map(String.init) })
    return tree.files.filter { $0.path == "CONTRIBUTING.md" }.flatMap { page -> [Violation] in
      var violations: [Violation] = []
      var list: (line: Int, counts: [String], places: [String: Int])?
      func closeList() {
        guard let list else { return }
        let counts = ["Sources", "Tests", "docs"].map { "\(list.places[$0, default: 0])" }
        guard counts != list.counts else { return }
        violations.append(
          Violation(path: page.path, line: list.line, message: "the rows name \(counts) files"))
      }
      for (index, line) in page.lines.enumerated() {
        if line.hasPrefix("#") {
          closeList()
          list = heading.matches(in: line).first.map { (index + 1, Array($0.groups.dropFirst()), [:]) }
        }
        guard list != nil, line.hasPrefix("| `") else { continue }
        let cells = line.split(separator: "|").map(String.init)
        for place in path.matches(in: cells[0]) { list?.places[place.groups[1], default: 0] += 1 }
        let finders = finder.matches(in: cells.count > 2 ? cells[2] : "").map { $0.groups[1] }
        let isFound = finders.allSatisfy { $0.isEmpty || tests.contains($0) || tests.contains($0 + ".swift") }
        guard finders.isEmpty || !isFound else { continue }
        violations.append(
          Violation(path: page.path, line: index + 1, message: "write `compiler` or tests that exist"))
      }
      closeList()
      return violations
    }
  }

  /// A verb that is not listed cannot be called, and one that no page has is not found.
  static let verbs = Rule(
    name: "Each verb of timelinectl is listed, in both pages, and one with the daemon is tested with a daemon"
  ) { tree in
    let declaration = try Pattern(#"^struct (\w+Command): (?:ParsableCommand|DaemonVerb|RunVerb)\b"#)
    let commandName = try Pattern(#"\bcommandName: "([\w-]+)""#)
    let commands = tree.swiftSources.filter { $0.path.hasPrefix("Sources/Tools/timelinectl/") }
    func text(of path: String) -> [String] { tree.files.first { $0.path == path }?.lines ?? [] }
    let list = text(of: "Sources/Tools/timelinectl/Program/Timelinectl.swift")
    let manual = text(of: "Sources/Tools/timelinectl/timelinectl.1.in")
    let page = text(of: "docs/timelinectl.md")
    // What is recorded of a verb is asked elsewhere, and is not all that it does.
    let tests = tree.swiftTests.filter {
      $0.target == "TimelineDaemonTests" && !$0.path.hasSuffix("/OperatorTests.swift")
    }
    return commands.flatMap { file -> [Violation] in
      guard let type = declaration.matches(in: file.code).first,
        let name = file.lines.lazy.compactMap({ commandName.matches(in: $0).first?.groups[1] }).first
      else { return [] }
      var missing: [String] = []
      if !list.contains(where: { $0.contains("\(type.groups[1]).self") }) { missing.append("list of verbs") }
      if !manual.contains(where: { "\($0) ".hasPrefix(".It Ic \(name) ") }) { missing.append("manual page") }
      if !page.contains(where: { $0.hasPrefix("| `\(name)`") || $0.hasPrefix("| `\(name) ") }) {
        missing.append("docs/timelinectl.md")
      }
      let isTested = tests.contains { $0.lines.contains { $0.contains("\"\(name)\"") } }
      if file.path.hasPrefix("Sources/Tools/timelinectl/Daemon/"), !isTested {
        missing.append("TimelineDaemonTests")
      }
      return missing.map {
        Violation(
          path: file.path, line: file.line(at: type.range.lowerBound), message: "\(name) is not in: \($0)")
      }
    }
  }

  /// A call of the daemon that no verb makes is not there for an operator.
  static let clientCalls = Rule(name: "timelinectl makes each call of the control interface") { tree in
    let declaration = try Pattern(#"^  package struct (\w+): \w+Call\b"#)
    let commands = tree.swiftSources.filter { $0.path.hasPrefix("Sources/Tools/timelinectl/") }
    let calls = tree.swiftSources.filter { $0.path.hasPrefix("Sources/Daemon/TimelineControl/Calls/") }
    return try calls.flatMap { file in
      try declaration.matches(in: file.code).compactMap { match -> Violation? in
        let call = try Pattern(#"\bControl\.\#(match.groups[1])\("#)
        guard !commands.contains(where: { call.occurs(in: $0.code) }) else { return nil }
        return Violation(
          path: file.path, line: file.line(at: match.range.lowerBound),
          message: "no verb calls \(match.groups[1])")
      }
    }
  }

  /// An event that no life has breaks no invariant.
  static let events = Rule(name: "Each event of the engine occurs in the seeded lives") { tree in
    let eventCase = try Pattern(#"^  case (\w+)"#)
    let lives = tree.swiftTests.filter {
      $0.path.hasPrefix("Tests/TimelineEngineSimulation/EngineSimulation")
    }
    return try tree.files.filter { $0.path == "Sources/Engine/TimelineEngine/Events/EngineEvent.swift" }
      .flatMap {
        file in
        // Other types of the file are what events carry.
        let first = file.codeLines.firstIndex { $0.contains("enum EngineEvent") } ?? file.codeLines.endIndex
        let last = file.codeLines[first...].firstIndex(of: "}") ?? file.codeLines.endIndex
        return try (first..<last).compactMap { index -> Violation? in
          guard let name = eventCase.matches(in: file.codeLines[index]).first?.groups[1] else { return nil }
          let use = try Pattern(#"\.\#(name)\b"#)
          guard !lives.contains(where: { use.occurs(in: $0.code) }) else { return nil }
          return Violation(path: file.path, line: index + 1, message: "no life has the event \(name)")
        }
      }
  }
}

extension Planted {
  static let places: [Planted] = [
    Planted(
      .checklists, at: "CONTRIBUTING.md",
      """
      ### A word (2 files of sources, 1 of tests, 1 page)

      | file | change | found by |
      |---|---|---|
      | `Sources/A.swift` | a case | compiler |
      | `Sources/B.swift`, `docs/a.md` | a row | `ZoneTests`, `a.sh` |
      | `Tests/A.swift` | a row | |
      | `Tests/B.swift` | a row | `NoneTests` |
      ## Other
      | `Tests/A.swift` | a row | |
      """, lines: [7, 8, 1]),
    Planted(
      .verbs, at: "Sources/Tools/timelinectl/Daemon/AskCommand.swift",
      "struct AskCommand: DaemonVerb {\n  let configuration = CommandConfiguration(commandName: \"ask\")\n}",
      lines: [1, 1, 1, 1]),
    Planted(
      .verbs, at: "Sources/Tools/timelinectl/Daemon/ListCommand.swift",
      "struct ListCommand: ParsableCommand {\n  let configuration = CommandConfiguration(commandName: \"list\")\n}"
    ),
    Planted(
      .clientCalls, at: "Sources/Daemon/TimelineControl/Calls/Jobs/List.swift",
      "extension Control {\n  package struct List: ReadingCall {}\n  package struct Ask: ReadingCall {}\n}",
      lines: [3]),
    Planted(
      .events, at: "Sources/Engine/TimelineEngine/Events/EngineEvent.swift",
      "struct A {\n}\nenum EngineEvent {\n  case wake\n  case sleep(Int)\n}\nenum Verdict {\n  case good\n}",
      lines: [5]),
  ]
}
