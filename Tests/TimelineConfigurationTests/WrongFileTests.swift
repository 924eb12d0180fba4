import Foundation
import Testing
import TimelineConfiguration

/// Every wrong file is refused, or warned about, in exactly the words beside it.
@Suite struct WrongFileTests {
  @Test func `there are at least forty wrong files`() {
    #expect(GoldenCase.all(in: "Wrong").count >= 40)
  }

  @Test(arguments: GoldenCase.all(in: "Wrong"))
  func `a wrong file has the diagnostics beside it`(_ golden: GoldenCase) throws {
    let text = try golden.diagnostics().text()
    if GoldenCase.isRegenerating {
      try Data(text.utf8).write(to: golden.url(".txt"))
    }
    #expect(try text == golden.expectedText())
    #expect(!text.isEmpty)
  }

  /// Columns count scalars, and the caret of a text without tabs or wide letters stands under the first of them.
  @Test(arguments: GoldenCase.all(in: "Wrong"))
  func `every place lies in its file and shows its line`(_ golden: GoldenCase) throws {
    let sources = try golden.sources() + GoldenCase.namedFiles
    for diagnostic in try golden.diagnostics() where diagnostic.place.line > 0 {
      let place = diagnostic.place
      let source = try #require(sources.first { $0.path == place.path })
      var lines = String(decoding: source.bytes, as: UTF8.self).unicodeScalars
        .split(separator: "\n", omittingEmptySubsequences: false).map { Array($0) }
      if lines[0].first == "\u{FEFF}" { lines[0].removeFirst() }
      let line = try #require(lines.indices.contains(place.line - 1) ? lines[place.line - 1] : nil)
      #expect((1...line.count + 1).contains(place.column), "\(diagnostic.message)")
      var shown = String.UnicodeScalarView()
      shown.append(
        contentsOf: line.dropFirst(place.lineTextOffset).prefix(place.lineText.unicodeScalars.count))
      #expect(place.lineText == String(shown) || String(shown).hasSuffix("\r"))
    }
  }

  @Test(arguments: GoldenCase.all(in: "Wrong"))
  func `the JSON of a diagnostic has the same contents`(_ golden: GoldenCase) throws {
    let diagnostics = try golden.diagnostics()
    let lines = diagnostics.jsonLines.split(separator: "\n")
    #expect(lines.count == diagnostics.count)
    for (line, diagnostic) in zip(lines, diagnostics) {
      let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["severity"] as? String == diagnostic.severity.rawValue)
      #expect(object["message"] as? String == diagnostic.message)
      #expect(object["file"] as? String == diagnostic.place.path)
      #expect(object["line"] as? Int == (diagnostic.place.line > 0 ? diagnostic.place.line : nil))
      #expect(object["help"] as? [String] ?? [] == diagnostic.help)
    }
  }

  @Test func `color adds escapes and changes no word`() throws {
    for golden in GoldenCase.all(in: "Wrong") {
      let diagnostics = try golden.diagnostics()
      let colored = diagnostics.text(color: true)
      #expect(colored.contains("\u{1B}[1;3"))
      #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == diagnostics.text())
    }
  }
}
