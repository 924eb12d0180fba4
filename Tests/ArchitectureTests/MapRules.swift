extension Rule {
  /// The page for readers must agree with the manifest.
  static let map = Rule(name: "docs/architecture.md lists each target with its dependencies") { tree in
    let targets = try Manifest.targets(of: tree)
    return try tree.files.filter { $0.path == TargetTable.page }.flatMap { page -> [Violation] in
      let table = try TargetTable(page.lines, targets)
      let wrong = zip(page.lines, table.lines).enumerated().filter { $0.element.0 != $0.element.1 }.map {
        Violation(
          path: page.path, line: $0.offset + 1,
          message:
            "Package.swift has other dependencies: `TIMELINED_REGENERATE=1` with this test writes the row")
      }
      let missing = Set(targets.keys).subtracting(table.names).sorted()
      return wrong + missing.map { Violation(path: page.path, line: 0, message: "no row for \($0)") }
    }
  }
}

/// The tables of targets on the page about the architecture: what a target holds is written by hand, what it imports is the manifest's.
struct TargetTable {
  /// The page's path in a checkout.
  static let page = "docs/architecture.md"

  /// The lines of the page with the dependencies of the manifest.
  private(set) var lines: [String] = []
  /// The targets that have a row.
  private(set) var names: Set<String> = []

  init(_ lines: [String], _ targets: [String: Manifest.Target]) throws {
    let row = try Pattern(#"^(\| `([\w-]+)` \| [^|]+ \|) [^|]+ \|$"#)
    for line in lines {
      guard let groups = row.matches(in: line).first?.groups, let target = targets[groups[2]] else {
        self.lines.append(line)
        continue
      }
      let imports = target.dependencies.sorted().map { "`\($0)`" }.joined(separator: ", ")
      self.lines.append("\(groups[1]) \(imports.isEmpty ? "nothing" : imports) |")
      names.insert(target.name)
    }
  }
}
