extension Rule {
  /// Each target imports only the modules that ``ArchitectureMap`` allows.
  static let imports = Rule(name: "A target imports only what the map of the house allows it") { tree in
    let pattern = try Pattern(
      #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"#
        + #"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"#)
    return tree.swiftSources.flatMap { file -> [Violation] in
      if file.isPlugin {
        return pattern.matches(in: file.code).compactMap { match in
          guard let module = match.groups.last, module.hasPrefix("Timeline"),
            !ArchitectureMap.importsOfPlugins.contains(module)
          else { return nil }
          return Violation(
            path: file.path, line: file.line(at: match.range.lowerBound),
            message: "a plugin may not import \(module): only the C header crosses the border")
        }
      }
      guard let allowed = ArchitectureMap.imports[file.target] else {
        return [
          Violation(
            path: file.path, line: 0, message: "target \(file.target) has no row in ArchitectureMap.imports")
        ]
      }
      return pattern.matches(in: file.code).compactMap { match in
        guard let module = match.groups.last, !allowed.contains(module) else { return nil }
        return Violation(
          path: file.path, line: file.line(at: match.range.lowerBound),
          message: "\(file.target) may not import \(module)")
      }
    }
  }

  /// The manifest's dependencies are the map's, target by target.
  static let manifest = Rule(name: "Package.swift declares the dependencies that the map allows") { tree in
    guard let manifest = tree.files.first(where: { $0.path == "Package.swift" }) else { return [] }
    return try Manifest(manifest).targets.flatMap { target -> [Violation] in
      guard !target.isTest else { return [] }
      func violation(_ message: String) -> Violation {
        Violation(path: manifest.path, line: target.line, message: message)
      }
      guard let row = ArchitectureMap.imports[target.name] else {
        return [violation("target \(target.name) has no row in ArchitectureMap.imports")]
      }
      let allowed = row.subtracting(ArchitectureMap.toolchain)
      return target.dependencies.subtracting(allowed).sorted()
        .map { violation("\(target.name) may not depend on \($0)") }
        + allowed.subtracting(target.dependencies).sorted()
        .map { violation("\(target.name) does not declare \($0), which ArchitectureMap.imports allows it") }
    }
  }

  /// C targets include system headers and their own.
  static let headers = Rule(name: "A C target includes system headers and its own, nobody else's") { tree in
    let pattern = try Pattern(#"^[ \t]*#[ \t]*include[ \t]+"([^"]+)""#)
    let own = Dictionary(grouping: tree.files.filter { $0.isC && $0.isSource }, by: \.target)
      .mapValues { Set($0.compactMap { $0.path.split(separator: "/").last.map(String.init) }) }
    return tree.files.filter { $0.isC && $0.isSource && !$0.isPlugin }.flatMap { file in
      file.lines.enumerated().compactMap { index, line -> Violation? in
        guard let header = pattern.matches(in: line).first?.groups.last,
          let name = header.split(separator: "/").last.map(String.init),
          own[file.target]?.contains(name) != true
        else { return nil }
        return Violation(
          path: file.path, line: index + 1, message: "\(file.target) may not include another target's \(name)"
        )
      }
    }
  }

  /// Full Foundation stays out of what we ship.
  static let foundation = Rule(name: "Full Foundation is imported by tests alone") { tree in
    let pattern = try Pattern(
      #"\bimport\s+(?:\w+\s+)?(Foundation(?:Networking|XML|Internationalization)?)\b"#)
    return tree.swiftSources.flatMap { file in
      pattern.violations(in: file) {
        "\($0[1]) brings 48 MB of ICU into a static binary: use FoundationEssentials"
      }
    }
  }
}

/// Facts of Package.swift that the rules need, read from its text: asking SwiftPM would wait for the build's lock.
struct Manifest {
  struct Target {
    var name: String
    var isTest: Bool
    var dependencies: Set<String>
    var line: Int
  }

  var targets: [Target]

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
