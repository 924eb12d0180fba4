/// Import declarations; the last group is the module.
private let importPattern =
  #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?"#
  + #"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"#

extension Rule {
  /// Each target imports only its dependencies in the manifest, and modules of the toolchain that ``ArchitectureMap`` allows.
  static let imports = Rule(name: "A target imports only its dependencies in Package.swift") { tree in
    let targets = try Manifest.targets(of: tree)
    let pattern = try Pattern(importPattern)
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
      guard let target = targets[file.target] else {
        return [Violation(path: file.path, line: 0, message: "Package.swift has no target \(file.target)")]
      }
      return pattern.matches(in: file.code).compactMap { match in
        guard let module = match.groups.last, !target.dependencies.contains(module),
          ArchitectureMap.toolchain[module]?.contains(target.name) != true
        else { return nil }
        return Violation(
          path: file.path, line: file.line(at: match.range.lowerBound),
          message: "\(file.target) may not import \(module)")
      }
    }
  }

  /// A file may use what is on its own floor and below it.
  static let floors = Rule(name: "A target imports targets of its own floor or a lower one") { tree in
    let pattern = try Pattern(importPattern)
    let heights = Dictionary(
      ArchitectureMap.floors.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let floors = Dictionary(
      tree.files.filter { !$0.isPlugin }.compactMap { file in file.floor.map { (file.target, $0) } },
      uniquingKeysWith: { first, _ in first })
    return tree.swiftSources.filter { !$0.isPlugin }.flatMap { file -> [Violation] in
      guard let floor = file.floor, let height = heights[floor] else {
        return [Violation(path: file.path, line: 0, message: "no floor of Sources: see docs/architecture.md")]
      }
      return pattern.matches(in: file.code).compactMap { match in
        guard let module = match.groups.last, let other = floors[module], heights[other] ?? 0 > height
        else { return nil }
        return Violation(
          path: file.path, line: file.line(at: match.range.lowerBound),
          message: "\(floor) may not import \(module), which is in \(other): a floor imports lower ones")
      }
    }
  }

  /// A pure target cannot reach the machine, not even by another target.
  static let pure = Rule(name: "A pure target depends on pure targets alone") { tree in
    guard let file = tree.files.first(where: { $0.path == "Package.swift" }) else { return [] }
    return try Manifest(file).targets.filter { ArchitectureMap.pure.contains($0.name) }.flatMap { target in
      target.dependencies.subtracting(ArchitectureMap.pure).sorted().map {
        Violation(
          path: file.path, line: target.line,
          message: "\(target.name) is pure and may not depend on \($0): pass values, or move the code")
      }
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
