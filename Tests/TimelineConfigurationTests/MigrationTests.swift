import Foundation
import Testing

@testable import TimelineConfiguration

/// Statements of the migration guide are true.
@Suite struct MigrationTests {
  private let page: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    page = try String(contentsOf: root.appending(path: "docs/migration.md"), encoding: .utf8)
  }

  @Test func `every configuration in the guide is right and without a warning`() throws {
    let files = page.components(separatedBy: "```toml\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(files.count == 3)
    for file in files {
      let source = ConfigurationSource(path: "page.toml", bytes: Array(file.utf8))
      let configuration = try Configuration.read([source], in: .golden).get()
      #expect(configuration.warnings.isEmpty, "\(configuration.warnings.text())")
    }
  }

  @Test func `every word of another scheduler in the table leads to the key beside it`() throws {
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains("=`") }
    #expect(rows.count >= 15)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      for word in cells[1].components(separatedBy: ", ") {
        let name = word.filter { $0 != "`" && $0 != "=" }
        let said = try #require(KeyTable.job.meaning(of: name), "\(name)")
        #expect(said.contains(cells[0]), "\(name): \(said)")
      }
    }
  }
}
