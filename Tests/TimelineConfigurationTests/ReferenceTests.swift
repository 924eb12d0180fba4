import Foundation
import Testing
import TimelineConfiguration
import TimelineCore

/// The reference and the sample keep up with the reader.
@Suite struct ReferenceTests {
  private var root: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  @Test func `the reference explains every key of every table`() throws {
    let reference = try String(contentsOf: root.appending(path: "docs/reference.md"), encoding: .utf8)
    for table in KeyTable.all where table.title != KeyTable.root.title {
      for key in table.keys { #expect(reference.contains("`\(key)`"), "\(key) of \(table.title)") }
    }
  }

  @Test(arguments: [
    ("with", [JobLimits.parametersMax]),
    ("environment", [JobLimits.variablesMax, JobLimits.environmentMax]),
    ("credentials", [JobLimits.credentialsMax, JobLimits.credentialNamesMax]),
  ])
  func `the reference names the bounds of what a job is given`(key: String, bounds: [Int]) throws {
    let reference = try String(contentsOf: root.appending(path: "docs/reference.md"), encoding: .utf8)
    let row = try #require(reference.split(separator: "\n").first { $0.hasPrefix("| `\(key)` | table") })
    for bound in bounds { #expect(row.contains(" \(bound)"), "\(bound) in: \(row)") }
  }

  @Test func `the sample has a job of every kind of TimelineView and no warning`() throws {
    let source = ConfigurationSource(
      path: "etc/timelined.toml",
      bytes: try [UInt8](Data(contentsOf: root.appending(path: "etc/timelined.toml"))))
    let configuration = try Configuration.read([source], in: .golden).get()
    #expect(configuration.warnings.isEmpty, "\(configuration.warnings.text())")
    let kinds = Set(configuration.jobs.filter(\.isEnabled).map(\.schedule.kindName))
    #expect(kinds == [.periodic, .animation, .explicit, .everyMinute])
    #expect(Set(configuration.jobs.map(\.plugin.text)).isSuperset(of: ["exec", "log", "sampler"]))
  }
}
