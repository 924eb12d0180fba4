extension Rule {
  /// Swift Testing runs what is marked, and says nothing of the rest.
  static let forgottenTests = Rule(name: "A function that looks like a test is marked @Test") { tree in
    let name = try Pattern(#"\bfunc\s+(test[A-Z0-9_]\w*|`[^`\n]*\s[^`\n]*`)"#)
    let testing = try Pattern(#"^\s*(?:@testable\s+)?import\s+Testing\b"#)
    let xctest = try Pattern(#"\bimport\s+XCTest\b"#)
    return tree.swiftTests.flatMap { file -> [Violation] in
      let older = xctest.violations(in: file) { _ in "XCTest: these suites are Swift Testing's" }
      guard testing.occurs(in: file.code) else { return older }
      return older
        + name.matches(in: file.code).compactMap { match in
          guard !modifiers(before: match.range.lowerBound, in: file.code).contains("@Test") else {
            return nil
          }
          return Violation(
            path: file.path, line: file.line(at: match.range.lowerBound),
            message: "func \(match.groups[1]) has no @Test and would never run")
        }
    }
  }

  /// Text between the previous declaration and `index`: attributes and modifiers.
  private static func modifiers(before index: String.Index, in code: String) -> String {
    var depth = 0
    let start = code[..<index].lastIndex { character in
      if ")]".contains(character) { depth += 1 }
      if "([".contains(character) { depth -= 1 }
      return depth == 0 && "{}".contains(character)
    }
    return String(code[(start ?? code.startIndex)..<index])
  }
}
