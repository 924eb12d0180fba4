extension Rule {
  /// Directory names are the index of the tree: a reader should not search a list of eighty files.
  static let directorySize = Rule(name: "A directory holds at most 20 Swift files, or 25 of tests") { tree in
    let directories = Dictionary(grouping: tree.swiftFiles) { file in
      file.path.split(separator: "/").dropLast().joined(separator: "/")
    }
    return directories.filter { path, files in files.count > (path.hasPrefix("Tests/") ? 25 : 20) }.keys
      .sorted().map { path in
        Violation(
          path: path, line: 0,
          message: "\(directories[path]?.count ?? 0) files: part them by their ideas")
      }
  }

  /// One name, one type.
  static let namesakes = Rule(name: "No two types of Sources share a name") { tree in
    let pattern = try Pattern(
      #"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|private|fileprivate|final|indirect)\s+)*"#
        + #"(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)"#)
    var first: [String: String] = [:]
    // Each plugin is a separate program.
    return tree.swiftSources.filter { !$0.isPlugin }.flatMap { file in
      pattern.matches(in: file.code).compactMap { match -> Violation? in
        let name = match.groups[1]
        guard let other = first[name] else {
          first[name] = file.path
          return nil
        }
        return Violation(
          path: file.path, line: file.line(at: match.range.upperBound),
          message: "\(other) has a type \(name) too: give one of them another name")
      }
    }
  }
}

extension Planted {
  static let tree: [Planted] = [
    Planted(.retiredWords, at: "docs/a.md", "a folder\nfolderless", lines: [1]),
    Planted(
      .retiredWords, "/// A folder.\nlet a = \"Runs in flight\"\n// mend it\nlet inFlight = 1", lines: [2]),
    Planted(.directorySize, "let a = 1", lines: [0]),
    Planted(.directorySize, at: "Sources/Base/TimelineCore/Text/A.swift", "let a = 1"),
    Planted(.namesakes, "struct A {\n  struct B {}\n}\npackage final class B {}"),
    Planted(.namesakes, "struct A {}\n@MainActor public enum B {}\nprivate struct A {}", lines: [3]),
  ]
}
