/// Rules of the engine's state and its layers.
enum EngineHouse {
  /// File of the engine's state.
  static let stateFile = "Sources/TimelineEngine/State/EngineState.swift"
  /// Layers of the engine from below: directories, and the types that make a layer, which no directory below it may name.
  static let layers: [(directories: [String], types: [String])] = [
    (["Events", "Jobs", "Deadlines", "Policies"], []),
    (["Planning"], ["Timetable"]),
    (["Execution", "Status"], ["Outcomes", "Execution"]),
    (["Workflows"], ["Dispatch", "ClockStep", "ModeSwitch", "Pausing", "Reload", "Shutdown", "Takeover"]),
    (["State"], ["EngineState"]),
  ]
}

extension Rule {
  /// One file shows every change of the state.
  static let engineState = Rule(name: "EngineState is private, and changes itself in one file") { tree in
    let property = try Pattern(#"^  ((?:[\w()]+[ ]+)*)(?:let|var)[ ]+\w+[^{\n]*$"#)
    let opening = try Pattern(#"^(?:\w+[ ]+)*extension[ ]+EngineState\b[^{]*\{"#)
    let change = try Pattern(#"\bmutating\b"#)
    return tree.swiftSources.filter { $0.path.hasPrefix("Sources/TimelineEngine/") }.flatMap { file in
      if file.path == EngineHouse.stateFile {
        return property.matches(in: file.code).filter { !$0.groups[1].hasPrefix("private ") }.map {
          Violation(
            path: file.path, line: file.line(at: $0.range.lowerBound),
            message: "a stored property that is not private")
        }
      }
      return opening.matches(in: file.code).flatMap { match -> [Violation] in
        let rest = file.code[match.range.upperBound...]
        let body = String(rest[..<(rest.firstRange(of: "\n}")?.lowerBound ?? rest.endIndex)])
        let start = file.line(at: match.range.upperBound)
        return change.matches(in: body).map {
          Violation(
            path: file.path, line: start + body[..<$0.range.lowerBound].count { $0 == "\n" },
            message: "EngineState changes in its own file: give this to a layer or a workflow")
        }
      }
    }
  }

  /// Calls go down, so that a layer is read without those above it.
  static let engineLayers = Rule(name: "A layer of the engine names none above it") { tree in
    try EngineHouse.layers.indices.dropLast().flatMap { index in
      let above = EngineHouse.layers[(index + 1)...].flatMap(\.types).joined(separator: "|")
      let pattern = try Pattern(#"\b(?:\#(above))\b"#)
      return EngineHouse.layers[index].directories.flatMap { directory in
        tree.swiftSources.filter { $0.path.hasPrefix("Sources/TimelineEngine/\(directory)/") }.flatMap {
          file in
          pattern.violations(in: file) { "'\($0[0])' is of a layer above \(directory)" }
        }
      }
    }
  }
}

extension Planted {
  static let engine: [Planted] = [
    Planted(
      .engineState, at: EngineHouse.stateFile,
      """
      package struct EngineState {
        private var a = 1
        private(set) var b = 2
        var c: [Int] = []
        package let d: Int
        var e: Int { 5 }
        private var f: Int {
          let g = 6
          return g
        }
        mutating func h() {}
      }
      """, lines: [3, 4, 5]),
    Planted(
      .engineState, at: "Sources/TimelineEngine/Workflows/A.swift",
      "extension EngineState {\n  func a() {}\n  mutating func b() {}\n}\nextension B {\n  mutating func c() {}\n}",
      lines: [3]),
    Planted(
      .engineLayers, at: "Sources/TimelineEngine/Planning/A.swift",
      "/// Execution.\nfunc a(_ b: inout Timetable) {}\nfunc c(_ d: Execution, _ e: inout Dispatch) {}",
      lines: [3, 3]),
    Planted(
      .engineLayers, at: "Sources/TimelineEngine/Workflows/A.swift",
      "func a(_ b: inout Dispatch) {}\nlet c: EngineState", lines: [2]),
  ]
}
