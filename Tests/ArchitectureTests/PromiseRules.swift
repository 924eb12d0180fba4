extension Rule {
  /// A test that is renamed or removed takes a promise's proof with it.
  static let promises = Rule(
    name: "Every test, script and file that docs/promises.md and CONTRIBUTING.md name exists"
  ) { tree in
    let reference = try Pattern(#"`(\w+Tests)/([^`]+)`"#)
    let script = try Pattern(#"`((?:Sources|Tests)/[\w./+-]+)`"#)
    let paths = Set(tree.files.map(\.path))
    func exists(_ path: String) -> Bool {
      paths.contains(path) || paths.contains { $0.hasPrefix(path + "/") }
    }
    let suites = Dictionary(grouping: tree.swiftTests) { file in
      file.path.split(separator: "/").last.map { String($0.dropLast(".swift".count)) } ?? ""
    }
    return tree.files.filter { ["docs/promises.md", "CONTRIBUTING.md"].contains($0.path) }.flatMap { page in
      page.lines.enumerated().flatMap { index, line -> [Violation] in
        let tests = reference.matches(in: line).map { (suite: $0.groups[1], test: $0.groups[2]) }
        let missingTests = tests.filter { suite, test in
          !(suites[suite] ?? []).contains { file in
            file.code.contains("func `\(test)`(") || file.code.contains("func \(test)(")
          }
        }
        let missingPaths = script.matches(in: line).map { $0.groups[1] }.filter { !exists($0) }
        return (missingTests.map { "no test \($0.suite)/\($0.test)" } + missingPaths.map { "no file \($0)" })
          .map { Violation(path: page.path, line: index + 1, message: $0) }
      }
    }
  }
}
