import Testing

/// The rules can only be as right as the taking apart of code, comments and strings.
@Suite struct SourceTextTests {
  /// Source text, and what is left of it as code with runs of blanks shortened to one.
  static let rows: [(String, String)] = [
    (#"let a = 1 // b"#, "let a = 1 "),
    (#"let a = /* b /* c */ d */ 2"#, "let a = 2"),
    (#"let a = "b // c" + d"#, #"let a = " " + d"#),
    (#"let a = "b \" c" + d"#, #"let a = " " + d"#),
    (#"let a = "b \(c("d")) e" + f"#, #"let a = " (c(" ")) " + f"#),
    ("let a = #\"b \" \\(c) \\#(d)\"# + e", "let a = #\" (d)\"# + e"),
    ("let a = \"\"\"\n  b \"c\" // d\n  \"\"\" + e", "let a = \"\"\"\n \n \"\"\" + e"),
    ("let a = #/b\"c/# // d", "let a = #/ /# "),
    ("if (a == '\"' || a == '\\'') b(); // c", "if (a == ' ' || a == ' ') b(); "),
    ("// a's \"b\nlet c", " \nlet c"),
  ]

  @Test(arguments: rows)
  func `code is kept without comments and strings`(_ text: String, _ expected: String) {
    #expect(squeezed(SourceText.separate(text).code) == expected)
  }

  @Test func `comments keep their lines`() {
    let comments = SourceText.separate("let a = 1 // why\n/* b\n c */ let d").comments
    #expect(
      comments.split(separator: "\n").map { $0.drop { $0 == " " } }.map(String.init).map(squeezed) == [
        "// why", "/* b", "c */ ",
      ])
  }

  private func squeezed(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      if !(character == " " && result.last == " ") { result.append(character) }
    }
  }
}
