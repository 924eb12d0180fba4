extension Rule {
  /// A fixed limit is too short on some machine, and cannot be extended there.
  static let patience = Rule(name: "Tests wait as long as Patience or its like in scripts says") { tree in
    let patterns = [
      (
        ".swift",
        #"(?<!SystemTime)\.(?:run|connect|wait|flush|takeTurns)\(.*\batMost: \.(?:seconds|minutes)\("#
      ),
      (".sh", #"\bwithin [0-9] |^\s*sleep [1-9]"#), (".py", #"(?<!-)\btimeout=[0-9]"#),
    ]
    return try patterns.flatMap { ending, text in
      let pattern = try Pattern(text)
      return tree.files.filter { isPatient($0.path) && $0.path.hasSuffix(ending) }.flatMap { file in
        (file.isSwift ? file.codeLines : file.lines).enumerated().filter { pattern.occurs(in: $1) }.map {
          index, _ in
          Violation(
            path: file.path, line: index + 1, message: "a fixed wait: take one that $TIMELINED_SLOW scales")
        }
      }
    }
  }

  /// Whether the rule applies to waits of that file; simulations and checks of real runs have limits of their own.
  private static func isPatient(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    guard parts.count > 2, parts[0] == "Tests" else { return false }
    return path.hasSuffix(".swift") || ["Integration", "Store", "Web"].contains(parts[1])
  }

  /// A failure must come again when the test runs again. New seeds are for `make seeds`.
  static let fixedSeeds = Rule(name: "Tests have fixed seeds") { tree in
    let pattern = try Pattern(
      #"\.random\(in:(?!.*\busing:)|\bSystemRandomNumberGenerator\b|\.(?:randomElement|shuffled)\(\)"#)
    return tree.swiftTests.filter { !$0.path.hasSuffix("/SeedRun.swift") }.flatMap { file in
      pattern.violations(in: file) { _ in "a random number without a seed: take SeededGenerator" }
    }
  }

  /// Swift Testing runs only marked functions, and does not report others.
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
