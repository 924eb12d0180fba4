import Foundation
import Testing
import TimelineConfiguration
import TimelineCore

/// Pages, the schema, the golden file of everything and the judge of torture name the values that there are.
@Suite struct VocabularyTests {
  /// Names in a part of a file.
  struct Listing: Sendable, CustomTestStringConvertible {
    /// The file.
    var path: String
    /// Beginning of the part's first line.
    var start: String
    /// Number of the part's lines; `nil` for all up to the end of a table.
    var lineCount: Int?
    /// The pattern whose group is a name.
    var pattern: String
    /// Names that there must be.
    var names: [String]

    init(_ path: String, _ start: String, lines: Int? = nil, _ pattern: String, _ names: [String]) {
      (self.path, self.start, self.lineCount, self.pattern) = (path, start, lines, pattern)
      self.names = names
    }

    var testDescription: String { "\(path), \(start), \(pattern)" }

    /// The names that the file has.
    func found() throws -> [String] {
      let pattern = try Regex(pattern, as: (Substring, Substring).self)
      let text = try String(contentsOf: VocabularyTests.root.appending(path: path), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      var names: [String] = []
      for line in lines.drop(while: { !$0.hasPrefix(start) }).prefix(lineCount ?? .max) {
        if line == "}" || line.isEmpty && !names.isEmpty { break }
        names += line.matches(of: pattern).map { String($0.output.1) }
      }
      return names
    }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let outcomes = Outcome.allCases.map(\.rawValue)
  private static let ran = Outcome.allCases.filter(\.ran).map(\.rawValue)
  private static let failures = Outcome.names(of: .failure)
  private static let misses = Outcome.names(of: .miss)
  private static let overlaps = OverlapPolicy.allCases.map(\.rawValue)
  private static let schedules = ScheduleRule.KindName.allCases.map(\.rawValue)
  private static let schema = "Sources/Engine/TimelineConfiguration/Schema/timelined.schema.json"
  /// A name in a sentence that ends with an enumeration.
  private static let quoted = "(?:, |ends |or )`([\\w-]+)`"
  private static let unquoted = #"(?:, |ends |or )([\w-]+)"#

  /// A row of a table in Python, with the trait.
  private static func row(_ trait: String = "") -> String { "^    \"([\\w-]+)\": .*" + trait }

  static let listings = [
    Listing("docs/policies.md", "## Outcomes", #"^\| `([\w-]+)`"#, outcomes),
    Listing("docs/policies.md", "## Outcomes", #"^\| `([\w-]+)` \| (?:yes|maybe)"#, ran),
    Listing("docs/policies.md", "## Overlap", #"^\| `"([\w-]+)"`"#, overlaps),
    Listing("docs/policies.md", "| `on-failure`", lines: 1, quoted, failures),
    Listing("docs/policies.md", "| `on-missed`", lines: 1, quoted, misses),
    Listing("docs/reference.md", "| `on-failure`", lines: 1, quoted, failures),
    Listing("docs/reference.md", "| `on-missed`", lines: 1, quoted, misses),
    Listing("docs/reference.md", "## `schedule`", #"^\| `([\w-]+)`"#, schedules),
    Listing("docs/schedules.md", "## Kinds", #"^\| `[{ "]*([\w-]+)"#, schedules + ["on-demand"]),
    Listing(
      "docs/library.md", "| name | traps or throws |", #"`\.(\w+)"#,
      ScheduleRule.KindName.allCases.filter { $0 != .composed }.map { "\($0)" }),
    Listing(schema, "        \"on-failure\"", lines: 2, unquoted, failures),
    Listing(schema, "        \"on-missed\"", lines: 2, unquoted, misses),
    Listing("Tests/Torture/facts.py", "OUTCOMES = {", row(), outcomes),
    Listing("Tests/Torture/facts.py", "OUTCOMES = {", row("\"ran\""), ran),
    Listing("Tests/Torture/facts.py", "OUTCOMES = {", row("\"failure\""), failures),
    Listing("Tests/Torture/facts.py", "OVERLAPS = {", row(), overlaps),
    Listing("Tests/Torture/schedules.py", "SCHEDULES = {", row(), schedules),
  ]

  @Test(arguments: listings) func `a list has each value, and no other`(_ listing: Listing) throws {
    let (found, names) = (try Set(listing.found()), Set(listing.names))
    #expect(names.subtracting(found).isEmpty, "these are missing")
    #expect(found.subtracting(names).isEmpty, "there are no such values")
  }

  @Test func `the golden file of everything has each kind of schedule`() throws {
    let file = try #require(GoldenCase.all(in: "Right").first { $0.name == "everything" })
    let configuration = try Configuration.read(file.sources(), in: .golden).get()
    #expect(Set(configuration.jobs.map(\.schedule.kindName)) == Set(ScheduleRule.KindName.allCases))
  }
}
