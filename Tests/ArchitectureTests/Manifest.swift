import Foundation

/// Facts of Package.swift that the rules need, read from its text: asking SwiftPM would wait for the build's lock.
struct Manifest {
  struct Target {
    var name: String
    var isTest: Bool
    var dependencies: Set<String>
    var line: Int
  }

  /// In the order of the manifest.
  var targets: [Target]

  /// Returns the targets without tests by name, from the tree's manifest. A tree of planted files has the checkout's.
  static func targets(of tree: SourceTree) throws -> [String: Target] {
    let path = "Package.swift"
    let file =
      try tree.files.first { $0.path == path }
      ?? SourceFile(
        path: path, text: String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8))
    let targets = try Manifest(file).targets.filter { !$0.isTest }
    return Dictionary(targets.map { ($0.name, $0) }) { first, _ in first }
  }

  init(_ file: SourceFile) throws {
    let text = file.lines.joined(separator: "\n")
    let opening = try Pattern(#"\.(target|executableTarget|testTarget|systemLibrary)\s*\("#)
    let name = try Pattern(#"\bname:\s*"([^"]+)""#)
    let list = try Pattern(#"\bdependencies:\s*\["#)
    let product = try Pattern(#"\.(?:product|target)\s*\(\s*name:\s*"([^"]+)"[^)]*\)"#)
    let string = try Pattern(#""([^"]+)""#)
    targets = opening.matches(in: text).compactMap { match in
      let body = Manifest.balanced(text[match.range.upperBound...])
      guard let first = name.matches(in: body).first?.groups.last else { return nil }
      var dependencies: Set<String> = []
      if let start = list.matches(in: body).first?.range.upperBound {
        var items = Manifest.balanced(body[start...])
        for match in product.matches(in: items).reversed() {
          if let name = match.groups.last { dependencies.insert(name) }
          items.removeSubrange(match.range)
        }
        dependencies.formUnion(string.matches(in: items).compactMap(\.groups.last))
      }
      return Target(
        name: first, isTest: match.groups[1] == "testTarget", dependencies: dependencies,
        line: text[..<match.range.lowerBound].count { $0 == "\n" } + 1)
    }
  }

  /// The text up to the bracket that closes the one before its beginning.
  private static func balanced(_ text: Substring) -> String {
    var depth = 0
    let end = text.firstIndex { character in
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth -= 1 }
      return depth < 0
    }
    return String(text[..<(end ?? text.endIndex)])
  }
}
