/// Rules of the engine's state and its layers.
enum EngineHouse {
  /// File of the engine's state.
  static let stateFile = "Sources/Engine/TimelineEngine/State/EngineState.swift"
  /// Layers of the engine from below, each as its directories; no file names a type that is declared in a layer above its own.
  static let layers = [
    ["Events", "Jobs", "Deadlines", "Policies", "Runs"], ["Planning"], ["Execution", "Status"], ["Workflows"],
    ["State"],
  ]

  /// The files of a layer.
  static func files(ofLayer layer: [String], in tree: SourceTree) -> [SourceFile] {
    tree.swiftSources.filter { file in
      layer.contains { file.path.hasPrefix("Sources/Engine/TimelineEngine/\($0)/") }
    }
  }
}

extension Rule {
  /// One file shows every change of the state.
  static let engineState = Rule(name: "EngineState is private, and changes itself in one file") { tree in
    let property = try Pattern(#"^  ((?:[\w()]+[ ]+)*)(?:let|var)[ ]+\w+([^\n]*)$"#)
    let opening = try Pattern(#"^(?:\w+[ ]+)*extension[ ]+EngineState\b[^{]*\{"#)
    let change = try Pattern(#"\bmutating\b"#)
    return tree.swiftSources.filter { $0.path.hasPrefix("Sources/Engine/TimelineEngine/") }.flatMap { file in
      if file.path == EngineHouse.stateFile {
        return property.matches(in: file.code).filter {
          !$0.groups[1].hasPrefix("private ") && isStored($0.groups[2])
        }.map {
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

  /// Whether the rest of a property's line belongs to a stored property: a computed one has a body and no value.
  static func isStored(_ rest: String) -> Bool {
    guard let brace = rest.firstIndex(of: "{") else { return true }
    let body = rest[brace...].dropFirst().drop { $0 == " " }
    return rest[..<brace].contains("=") || body.hasPrefix("didSet") || body.hasPrefix("willSet")
  }

  /// Calls go down, so that a layer is read without those above it.
  static let engineLayers = Rule(name: "A layer of the engine names none above it") { tree in
    let declaration = try Pattern(
      #"^(?:(?:package|public|indirect|final)[ ]+)*(?:struct|enum|class|actor|protocol)[ ]+(\w+)"#)
    return try EngineHouse.layers.indices.dropLast().flatMap { index in
      let above = EngineHouse.layers[(index + 1)...].flatMap { EngineHouse.files(ofLayer: $0, in: tree) }
      let types = above.flatMap { declaration.matches(in: $0.code).map { $0.groups[1] } }
      if types.isEmpty { return [Violation]() }
      let pattern = try Pattern(#"(?<![.\w])(?:\#(types.joined(separator: "|")))\b"#)
      return EngineHouse.files(ofLayer: EngineHouse.layers[index], in: tree).flatMap { file in
        pattern.violations(in: file) { "'\($0[0])' is declared in a layer above" }
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
        var f = { 6 }()
        var g = 7 { didSet { h() } }
        var i: Int { get { 8 } }
        private var j: Int {
          let k = 6
          return k
        }
        mutating func h() {}
      }
      """, lines: [3, 4, 5, 7, 8]),
    Planted(
      .engineState, at: "Sources/Engine/TimelineEngine/Workflows/A.swift",
      "extension EngineState {\n  func a() {}\n  mutating func b() {}\n}\nextension B {\n  mutating func c() {}\n}",
      lines: [3]),
    Planted(
      .engineLayers, at: "Sources/Engine/TimelineEngine/Planning/A.swift",
      "/// Execution.\nfunc a(_ b: inout Timetable) {}\nfunc c(_ d: Execution, _ e: inout Dispatch, _ f: .Execution) {}",
      lines: [3, 3]),
    Planted(
      .engineLayers, at: "Sources/Engine/TimelineEngine/Workflows/A.swift",
      "func a(_ b: inout Dispatch) {}\nlet c: EngineState", lines: [2]),
  ]
}
