import Foundation
import Testing
import TimelineConfiguration

/// Suggestions of diagnostics are right: each is put in its place, or into a job, and read again.
@Suite struct SuggestionTests {
  /// Forms of help that give what is to stand in the place of what is marked.
  static var replacements: [Regex<(Substring, Substring)>] {
    [
      /did you mean `([^`]+)`\?/, /did you mean ("[^"]*"|\{.+\})\?/,
      /write it (?:without quotes|in quotes|without brackets|in brackets): (.+)/,
      /a string stands in quotes: (.+)/, /for (?:seconds|bytes|that share) write ("[^"]+")(?:, in quotes)?/,
      /the nearest is (.+)/, /it looks like (\{.+\})/, /it is (?:a (?:cron|calendar) rule: )?(\{.+\})/,
    ]
  }
  /// Forms of help that give a whole schedule.
  static var schedules: [Regex<(Substring, Substring)>] {
    [
      /(?:.*(?:looks like|is|use periodic:|such as|has one:) )(\{ (?:periodic|cron|calendar) = .+\})/,
      /such as `schedule = (.+)`/,
    ]
  }

  @Test(arguments: GoldenCase.all(in: "Wrong"))
  func `a suggested replacement is valid in its place`(_ golden: GoldenCase) throws {
    let sources = try golden.sources()
    for diagnostic in try golden.diagnostics() where diagnostic.place.line > 0 {
      for help in diagnostic.help {
        guard let text = Self.suggestion(in: help, of: Self.replacements),
          let changed = Self.replacing(diagnostic.place, by: text, in: sources)
        else { continue }
        let after = try Self.diagnostics(of: golden, changed)
        // A golden file lacks what a right name may stand for, and can have the key that is meant beside the wrong one.
        let lacks = ["there is no job", "there is no group", "there is no time zone", "is given twice"]
        let faults = after.filter { fault in
          fault.severity == .error && fault.place.description == diagnostic.place.description
            && !lacks.contains { fault.message.contains($0) }
        }
        #expect(faults.isEmpty, "\(diagnostic.place.description): \(help): \(faults.map(\.message))")
      }
    }
  }

  @Test func `a suggested schedule is valid`() throws {
    var count = 0
    for golden in GoldenCase.all(in: "Wrong") {
      for help in try golden.diagnostics().flatMap(\.help) {
        guard let text = Self.suggestion(in: help, of: Self.schedules) else { continue }
        count += 1
        let job = ConfigurationSource(
          path: "a.toml", bytes: Array("[job.a]\nplugin = \"exec\"\nschedule = \(text)\n".utf8))
        #expect(throws: Never.self, "\(help)") { _ = try Configuration.read([job], in: .golden).get() }
      }
    }
    #expect(count >= 20)
  }

  private static func suggestion(in help: String, of forms: [Regex<(Substring, Substring)>]) -> String? {
    forms.lazy.compactMap { try? $0.wholeMatch(in: help)?.output.1 }.first.map(String.init)
  }

  /// The files with another text in a place; `nil` if that is not text.
  private static func replacing(
    _ place: SourcePlace, by text: String, in sources: [ConfigurationSource]
  ) -> [ConfigurationSource]? {
    guard let index = sources.firstIndex(where: { $0.path == place.path }) else { return nil }
    var lines = String(decoding: sources[index].bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map { Array($0.unicodeScalars) }
    let begin = place.column - 1
    guard lines.indices.contains(place.line - 1), begin + place.length <= lines[place.line - 1].count else {
      return nil
    }
    var (end, text) = (begin + place.length, text)
    let rest = String(String.UnicodeScalarView(lines[place.line - 1][end...]))
    // A table for a marked key is its value.
    if text.hasPrefix("{"), rest.hasPrefix(" = {"),
      let close = `Suggestions by kind`.closing(rest, rest.index(rest.startIndex, offsetBy: 3))
    {
      text = String(String.UnicodeScalarView(lines[place.line - 1][begin..<end])) + " = " + text
      end += rest.unicodeScalars.distance(from: rest.startIndex, to: close) + 1
    }
    lines[place.line - 1].replaceSubrange(begin..<end, with: Array(text.unicodeScalars))
    var sources = sources
    let whole = lines.map { String(String.UnicodeScalarView($0)) }.joined(separator: "\n")
    sources[index] = ConfigurationSource(path: place.path, bytes: Array(whole.utf8))
    return sources
  }

  private static func diagnostics(of golden: GoldenCase, _ sources: [ConfigurationSource]) throws
    -> [Diagnostic]
  {
    switch Configuration.read(sources, in: .golden) {
    case .failure(let refusal): return refusal.diagnostics
    case .success(let configuration):
      guard let schema = try? String(contentsOf: golden.url(".schema.json"), encoding: .utf8) else {
        return []
      }
      return configuration.check(parametersOf: configuration.jobs.map(\.name), against: schema)
    }
  }
}
