import Testing
import TimelineCore

/// The syntax of environment files, by the rules of systemd.exec(5).
@Suite struct EnvironmentFileTests {
  /// Texts, the variables in them, and the first line that is ignored.
  static let cases: [(text: String, variables: [String: String], ignored: Int?)] = [
    ("", [:], nil),
    ("A=1\nB=2", ["A": "1", "B": "2"], nil),
    ("A=1\r\nB=\n", ["A": "1", "B": ""], nil),
    ("# A=1\n; B=2\n  # C=3\n\t\nD=4", ["D": "4"], nil),
    ("A=# no comment", ["A": "# no comment"], nil),
    ("# goes not on \\\nA=1", ["A": "1"], nil),
    ("  A = 1 2  \nB\t=\t3", ["A": "1 2", "B": "3"], nil),
    ("A=one\\\n two\nB=\\ x\\ ", ["A": "one two", "B": " x "], nil),
    ("A='one two' 'three'\nB=\"four\" five", ["A": "one twothree", "B": "fourfive"], nil),
    ("A='a\\n$x\"'\nB='two\nlines'", ["A": "a\\n$x\"", "B": "two\nlines"], nil),
    ("A=\"a\\n\\$x\\\"\\\\\\`\"\nB=\"con\\\ntinued\"", ["A": "a\\n$x\"\\`", "B": "continued"], nil),
    ("A=it's \"so\"", ["A": "it's \"so\""], nil),
    ("A=back\\slash\\\\", ["A": "backslash\\"], nil),
    ("A=$B ${C}", ["A": "$B ${C}"], nil),
    ("A=1\nA=2\n", ["A": "2"], nil),
    ("A==x=y", ["A": "=x=y"], nil),
    ("A='open\nB=2", ["A": "open\nB=2"], nil),
    ("A=1\nif true; then\nB=2\nfi\n", ["A": "1", "B": "2"], 2),
    ("\nexport A=1\nB=2", ["B": "2"], 2),
    ("1A=x\nA-B=y\n=z\nC=1", ["C": "1"], 1),
    ("TIMELINE_JOB=x\nA=1\nCREDENTIALS_DIRECTORY=/", ["A": "1"], 1),
    ("LAST", [:], 1),
    ("A=\u{E9} \u{1F600}", ["A": "\u{E9} \u{1F600}"], nil),
  ]

  @Test(arguments: cases.indices) func `a text has these variables`(index: Int) throws {
    let (text, variables, ignored) = Self.cases[index]
    let read = try #require(EnvironmentFileText(Array(text.utf8)))
    #expect(read.variables == variables && read.firstIgnoredLine == ignored, "\(text)")
  }

  @Test(arguments: [[0x41, 0x3D, 0], [0x41, 0x3D, 0xFF], [0x41, 0x3D, 0xC3]] as [[UInt8]])
  func `bytes that no environment can hold are refused`(bytes: [UInt8]) {
    #expect(EnvironmentFileText(bytes) == nil)
  }

  @Test func `a leading dash marks a file that may be missing`() {
    #expect(ExpectedPath("-/a") == ExpectedPath(path: "/a", mayBeMissing: true))
    #expect(ExpectedPath("/a-b") == ExpectedPath(path: "/a-b"))
    for text in ["/a", "-/a"] { #expect(ExpectedPath(text).text == text) }
  }
}
