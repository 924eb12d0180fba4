import Testing

@testable import TimelineConfiguration

/// The regular expressions of schemas.
@Suite struct SchemaPatternTests {
  @Test(
    arguments: [
      ("", ["", "a"], []), ("a", ["a", "bab"], ["", "b"]), ("^a$", ["a"], ["aa", "ba"]),
      ("^a|b$", ["ax", "xb"], ["xa", "bx"]),
      ("^(a|bc)*$", ["", "abca", "bcbc"], ["b", "ac"]), ("^a{2,3}$", ["aa", "aaa"], ["a", "aaaa"]),
      ("^a{2}b{1,}?$", ["aab", "aabb"], ["ab", "aa"]),
      ("^(?:a*)*$", ["", "aaa"], ["b"]), ("^[a-cx-]+$", ["abc", "-x"], ["d"]),
      ("^[^a-c]$", ["d", "ä"], ["a"]),
      ("^[\\d_]\\w\\s\\S$", ["1a b"], ["aa b", "1a  "]), ("^\\D\\W$", ["a-"], ["1-", "ab"]),
      ("^.$", ["é", "😀"], ["\n", "ab"]),
      ("^\\u0041\\x42\\.$", ["AB."], ["ABC"]), ("^https?://[^/]+", ["https://a/b"], ["ftp://a", "http:///"]),
      ("(^a|b)c", ["ac", "xbc"], ["xac"]),
      ("^[[]\\]$", ["[]"], ["]["]), ("^a?a?a?aaa$", ["aaa", "aaaaaa"], ["aa"]), ("x*y", ["y", "xxy"], ["x"]),
    ])
  func `an expression matches as in ECMA-262`(text: String, fit: [String], unfit: [String]) throws {
    let pattern = try SchemaPattern(text)
    for text in fit { #expect(pattern.matches(text), "\(text)") }
    for text in unfit { #expect(!pattern.matches(text), "\(text)") }
  }

  @Test(arguments: [
    "*a", "a**", "a{2", "a{3,2}", "a{1001}", "(", ")", "(a", "a)", "[", "[a", "[b-a]", "[\\d-z]", "[\\W]",
    "]", "}", "\\", "\\b", "\\1", "\\p{L}",
    "\\k<a>", "(?=a)", "(?!a)", "(?<a>b)", "\\u12", "\\xZZ", "^*", "(a{1000}){3}",
    "((((){1000}){1000}){1000}){1000}",
    String(repeating: "(", count: 40) + String(repeating: ")", count: 40),
    String(repeating: "|", count: 100_000),
  ])
  func `unsupported syntax is an error and no trap`(text: String) {
    #expect(throws: SchemaPatternError.self) { try SchemaPattern(text) }
  }

  @Test func `an expression that makes others backtrack without end takes one step at a time`() throws {
    let pattern = try SchemaPattern("^(a*)*(a|aa)+$")
    #expect(!pattern.matches(String(repeating: "a", count: 20_000) + "b"))
  }
}

extension SchemaPattern {
  /// Whether the expression matches somewhere in the text, however long that takes.
  fileprivate func matches(_ text: String) -> Bool {
    var steps = SchemaSteps(left: .max)
    return matches(text, &steps)
  }
}
