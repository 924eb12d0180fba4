extension Rule {
  /// Claims that the compiler cannot check need a written proof.
  static let uncheckedSendable = Rule(
    name: "@unchecked Sendable and nonisolated(unsafe) have their proof beside them"
  ) { tree in
    let pattern = try Pattern(#"@unchecked\s+Sendable|nonisolated\(unsafe\)"#)
    return tree.swiftFiles.flatMap { file in
      pattern.violations(in: file) { "'\($0[0])' without a comment that says why it is safe" }
        .filter { !file.hasComment(besideLine: $0.line) }
    }
  }

  /// Failures of the environment are thrown; they never trap.
  static let force = Rule(name: "Nothing is forced: no try!, no as!") { tree in
    let pattern = try Pattern(#"\b(?:try|as)!"#)
    return tree.swiftFiles.flatMap { file in
      pattern.violations(in: file) { "'\($0[0])': throw, or handle the failure" }
    }
  }

  /// State has an owner.
  static let globals = Rule(name: "There is no global mutable state") { tree in
    let pattern = try Pattern(
      #"^(?:(?:public|package|internal|fileprivate|private|nonisolated\(unsafe\))\s+)*var\s+\w+[^{\n]*$"#
        + #"|\bstatic\s+var\s+\w+\s*(?::[^={\n]+)?=(?!=)"#)
    return tree.swiftSources.filter { !$0.path.hasSuffix("/main.swift") && !$0.isPlugin }.flatMap { file in
      pattern.violations(in: file) { _ in "global mutable state: give it an owner and pass it" }
        .filter { violation in !file.codeLines[violation.line - 1].contains("@TaskLocal") }
    }
  }

  /// Every task has an owner that waits for it.
  static let detached = Rule(name: "No task is detached") { tree in
    let pattern = try Pattern(#"\bTask\s*(?:<[^>]*>)?\.detached\b|\bDispatchQueue\.global\b"#)
    return tree.swiftSources.filter { !$0.isPlugin }.flatMap { file in
      pattern.violations(in: file) { "'\($0[0])': use a task group that awaits it" }
    }
  }
}
