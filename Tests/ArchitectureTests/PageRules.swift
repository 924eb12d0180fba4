extension Rule {
  /// A comment that only repeats a name is noise. So within the package the name of a property may stand for itself, and an
  /// initializer that only assigns needs no words. A public symbol is read by developers who see nothing else of it.
  static let documentation = Rule(name: "Every public and package symbol has a doc comment") { tree in
    let pattern = try Pattern(
      #"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(public|package|open)\s+(?!import\b|extension\b)"#
        + #"(?:(?:private|fileprivate|internal)\(set\)\s+|[a-z]\w*(?:\([a-z]+\))?\s+)*?"#
        + #"(func|var|let|struct|class|enum|actor|protocol|init|subscript|typealias|macro)\b"#)
    let assignment = try Pattern(#"^[\w.]+ = .+$|^\([\w., ]+\) = \(.+\) ?$"#)
    return tree.swiftSources.filter { !$0.isPlugin }.flatMap { file in
      pattern.matches(in: file.code).compactMap { match -> Violation? in
        switch (match.groups[1], match.groups[2]) {
        case ("package", "var"), ("package", "let"): return nil
        case ("package", "init"):
          let body = body(after: match.range.upperBound, in: file.code) ?? ""
          let lines = body.split(separator: "\n").map { String($0).trimmed }.filter { !$0.isEmpty }
          if lines.allSatisfy(assignment.occurs) { return nil }
        default: break
        }
        let line = file.line(at: match.range.upperBound)
        var above = line - 2
        while above >= 0 {
          let text = file.lines[above].drop { $0.isWhitespace }
          guard text.hasPrefix("@") || text.hasPrefix("#if") || text.hasPrefix("// swift-format") else {
            break
          }
          above -= 1
        }
        let text = above >= 0 ? file.lines[above].drop { $0.isWhitespace } : ""
        guard !text.hasPrefix("///"), !text.hasSuffix("*/") else { return nil }
        return Violation(
          path: file.path, line: line, message: "no doc comment above '\(file.lines[line - 1].trimmed)'")
      }
    }
  }

  /// Readers skim doc comments: the first words are a noun phrase or a verb in the third person.
  static let firstWords = Rule(name: "A doc comment names the thing first") { tree in
    let names = "What|Whose|Whom|Who|Whoever|Whatever|Which|That|How|Why"
    let conditions = "If|As|Because|Since|Once|Until|While|When|Whenever|Where|Wherever"
    let clause = try Pattern(#"^///\s*(\#(names)|\#(conditions))(?![\w-])"#)
    // A later paragraph may begin with a condition.
    let laterClause = try Pattern(#"^///\s*(\#(names))(?![\w-])"#)
    return tree.swiftFiles.flatMap { file in
      let lines = file.commentLines.map(\.trimmed)
      return lines.indices.compactMap { index -> Violation? in
        let before = index == 0 ? "" : lines[index - 1]
        let isFirst = !before.hasPrefix("///")
        guard isFirst || before.dropFirst(3).allSatisfy(\.isWhitespace),
          let match = (isFirst ? clause : laterClause).matches(in: lines[index]).first
        else { return nil }
        return Violation(
          path: file.path, line: index + 1,
          message: "begins with '\(match.groups[1])': begin with a noun or a verb in the third person")
      }
    }
  }

  /// One file, one idea. A C header has the length of a manual page, and a table of tests that of its rows.
  static let fileLength = Rule(name: "A file holds one idea: 300 lines, or 500 of tests and headers") {
    tree in
    tree.files.filter { $0.isSwift || $0.isC }.compactMap { file in
      let limit = file.isTest || file.isC ? 500 : 300
      guard file.lines.count > limit else { return nil }
      return Violation(path: file.path, line: 0, message: "\(file.lines.count) lines: part it by its ideas")
    }
  }

  /// A function fits a screen.
  static let functionLength = Rule(name: "A function fits a screen: 60 lines") { tree in
    let pattern = try Pattern(#"\b(?:func\s+(`[^`]+`|\S+?)\s*[<(]|(init)[?!]?\s*[<(]|(deinit)\s*\{)"#)
    return tree.swiftFiles.flatMap { file in
      pattern.matches(in: file.code).compactMap { match -> Violation? in
        guard let lines = bodyLength(after: match.range.lowerBound, in: file.code), lines > 60 else {
          return nil
        }
        let name = match.groups.dropFirst().joined()
        return Violation(
          path: file.path, line: file.line(at: match.range.lowerBound),
          message: "\(name) has \(lines) lines: give its parts names")
      }
    }
  }

  /// The number of lines of the first braces at parenthesis depth 0; `nil` for a declaration without a body.
  private static func bodyLength(after index: String.Index, in code: String) -> Int? {
    body(after: index, in: code).map { $0.count { $0 == "\n" } + 1 }
  }

  /// The text between the first braces at parenthesis depth 0; `nil` for a declaration without a body.
  private static func body(after index: String.Index, in code: String) -> Substring? {
    var round = 0
    var curly = 0
    var start = index
    for place in code[index...].indices {
      switch code[place] {
      case "(", "[": round += 1
      case ")", "]": round -= 1
      case "{" where round == 0 || curly > 0:
        curly += 1
        if curly == 1 { start = code.index(after: place) }
      case "}" where round == 0 || curly > 0:
        curly -= 1
        if curly == 0 { return code[start..<place] }
        if curly < 0 { return nil }
      default: break
      }
    }
    return nil
  }

  /// Comments state reasons; open work belongs in the tracker, and the past in the history.
  static let remarks = Rule(name: "No comment is a note to self") { tree in
    let pattern = try Pattern(#"\b(?:TODO|FIXME|XXX|HACK)\b"#)
    return tree.files.filter { $0.isSwift || $0.isC }.flatMap { file in
      file.commentLines.enumerated().compactMap { index, line in
        guard pattern.occurs(in: line) else { return nil }
        return Violation(path: file.path, line: index + 1, message: "a note to self: do it, or leave it out")
      }
    }
  }

  /// The tree is the same on every machine.
  static let machinePaths = Rule(name: "No path of a developer's machine is written down") { tree in
    let pattern = try Pattern(#"(?<![\w.$)}/-])/(?:home|root|Users|work)/\w"#)
    return tree.files.flatMap { file in
      file.lines.enumerated().compactMap { index, line in
        guard pattern.occurs(in: line) else { return nil }
        return Violation(path: file.path, line: index + 1, message: "a path of somebody's machine")
      }
    }
  }

  /// A target with code needs no placeholder.
  static let placeholders = Rule(name: "Placeholder.swift stands alone") { tree in
    let targets = Dictionary(grouping: tree.swiftFiles, by: { "\($0.isTest) \($0.target)" })
    return tree.swiftFiles.filter { file in
      file.path.hasSuffix("/Placeholder.swift") && (targets["\(file.isTest) \(file.target)"]?.count ?? 0) > 1
    }.map { Violation(path: $0.path, line: 0, message: "the target has real files: delete this one") }
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace })
  }
}

extension Rule {
  /// Words that this project no longer uses in any text for users.
  static let retiredWords = Rule(name: "No message, help text or page has a retired word") { tree in
    let pattern = try Pattern(
      #"(?i)\b(?:folders?|in flight|by hand|last words|mend(?:s|ed)?|made up for|dispositions?)\b"#)
    return tree.files.filter { $0.isPage || $0.isSwift && $0.isSource }.flatMap { file in
      file.lines.enumerated().flatMap { index, line -> [Violation] in
        let text = file.isPage ? line : line.trimmed.hasPrefix("//") ? "" : line
        return pattern.matches(in: text).map { match in
          Violation(
            path: file.path, line: index + 1,
            message: "'\(match.groups[0])': docs/glossary.md has the word for it")
        }
      }
    }
  }
}
