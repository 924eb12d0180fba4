import Testing

@testable import TimelineConfiguration

/// Schemas whose parts keep all limits, and whose check would take minutes.
@Suite struct `The work of a check of parameters` {
  private static let long = "'" + String(repeating: "a", count: 2_000) + "'"

  /// A value of the parameter `v`, and a schema for it.
  private static let costly: [(name: String, value: String, schema: String)] = [
    ("many patterns", long, all(100) { #"{"pattern": "(a|b|a?){100}c\#($0)"}"# }),
    (
      "one pattern, many texts", "[" + Array(repeating: long, count: 22).joined(separator: ",") + "]",
      #"{"items": {"pattern": "^(a|b|a?){150}c"}}"#
    ),
    (
      "patterns of keys", "{" + (0..<1_000).map { "k\($0) = 1" }.joined(separator: ",") + "}",
      #"{"patternProperties": {"\#(String(repeating: "a?", count: 100))z": {}, "(.?){500}y": {}}}"#
    ),
    (
      "names of keys", "{" + (0..<1_000).map { "k\($0) = 1" }.joined(separator: ",") + "}",
      #"{"propertyNames": \#(all(300) { #"{"pattern": "^k[^x]{0,\#(9 + $0 % 9)}$"}"# })}"#
    ),
    (
      "large choices", "[" + Array(repeating: "1", count: 2_000).joined(separator: ",") + "]",
      all(1_500) { #"{"enum": [[\#($0)], 1, 2]}"# }
    ),
    (
      "elements that are to be unique", "[" + (0..<5_000).map(String.init).joined(separator: ",") + "]",
      all(1_500) { _ in #"{"uniqueItems": true}"# }
    ),
    (
      "a class of many ranges", long,
      all(20) { _ in #"{"pattern": "[\#((0..<500).map { "\\\\u0\(500 + $0)" }.joined())]{3}"}"# }
    ),
  ]

  private static func all(_ count: Int, _ part: (Int) -> String) -> String {
    #"{"allOf": [\#((0..<count).map(part).joined(separator: ","))]}"#
  }

  private static func findings(_ jobs: [String], _ schema: String) throws -> [ParameterFinding?] {
    let text = jobs.enumerated().map {
      "[job.j\($0.offset)]\nplugin = \"exec\"\nschedule = \"on-demand\"\nwith = { v = \($0.element) }\n"
    }.joined()
    let source = ConfigurationSource(path: "a.toml", bytes: Array(text.utf8))
    let configuration = try Configuration.read([source], in: .golden).get()
    let found = configuration.check(
      parametersOfJobsAt: Array(jobs.indices), against: #"{"properties": {"v": \#(schema)}}"#)
    return jobs.indices.map { found[$0] }
  }

  @Test(arguments: costly.indices)
  func `is bounded as a whole, and costs the job that takes more`(index: Int) throws {
    let row = Self.costly[index]
    let found = try Self.findings(["7", row.value, "8"], row.schema)
    guard case .unchecked(let reason)? = found[1] else {
      Issue.record("\(row.name): \(String(describing: found[1]).prefix(300))")
      return
    }
    #expect(reason.contains("the schema of the plugin \"exec\" takes more than"))
    for other in [found[0], found[2]] {
      if case .unchecked(let reason)? = other { Issue.record("\(row.name): \(reason)") }
    }
  }

  @Test func `is bounded for all jobs of a plugin together`() throws {
    let schema = Self.all(10) { #"{"pattern": "(a|b|a?){50}c\#($0)"}"# }
    let jobs = (0..<40).map { "'" + String(repeating: "a", count: 400 + $0) + "'" }
    let found = try Self.findings(jobs, schema)
    let unchecked = found.count { if case .unchecked? = $0 { true } else { false } }
    #expect(unchecked > 0 && unchecked < jobs.count, "\(unchecked)")
    guard case .wrong? = found[0] else {
      Issue.record("the first is checked: \(String(describing: found[0]))")
      return
    }
  }

  @Test func `leaves room for long parameters`() throws {
    let long = "'" + String(repeating: "a", count: 30_000) + "'"
    #expect(try Self.findings([long], #"{"pattern": "^[^x]*$"}"#).map { $0 == nil } == [true])
  }

  @Test func `a schema whose expressions are too large together is refused`() throws {
    let schema = Self.all(100) { #"{"pattern": "a{1000}\#($0)"}"# }
    guard case .unchecked(let reason)? = try Self.findings(["'a'"], schema)[0]
    else {
      Issue.record("it is used")
      return
    }
    #expect(reason.contains("the regular expressions are too large"), "\(reason)")
  }

  @Test func `a message has a part of a long text of the schema`() throws {
    let text = String(repeating: "word ", count: 5_000)
    guard
      case .wrong(let found)? = try Self.findings(["1"], #"{"type": "string", "description": "\#(text)"}"#)[0]
    else {
      Issue.record("it fits")
      return
    }
    #expect(found.count == 1 && found[0].help.allSatisfy { $0.utf8.count < 500 }, "\(found)")
  }
}
