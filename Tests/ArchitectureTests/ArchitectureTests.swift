import Foundation
import Testing

/// The architecture rules, checked against the checkout that is being tested.
@Suite struct ArchitectureTests {
  /// Read once: taking a whole checkout apart costs seconds.
  private static let checkout = Result { try SourceTree() }

  @Test(arguments: Rule.all)
  func `the tree keeps the rule`(_ rule: Rule) throws {
    let tree = try Self.checkout.get()
    try #require(tree.swiftSources.count > 10, "the checkout was not found beside this test")
    let excepted = Set(ArchitectureMap.exceptions.filter { $0.rule.name == rule.name }.map(\.path))
    let violations = try rule.check(tree).filter { !excepted.contains($0.path) }
    #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
  }

  @Test(arguments: ArchitectureMap.exceptions)
  func `an exception is still needed`(_ exception: Exception) throws {
    let paths = try exception.rule.check(Self.checkout.get()).map(\.path)
    #expect(paths.contains(exception.path))
  }

  @Test func `every rule is tested on a planted violation`() {
    let planted = Set(Planted.all.map(\.rule.name))
    let untested = Rule.all.map(\.name).filter { !planted.contains($0) }
    #expect(untested.isEmpty)
  }

  @Test(arguments: Planted.all)
  func `a rule finds what breaks it and nothing else`(_ planted: Planted) throws {
    let found = try planted.rule.check(SourceTree(planted.files)).map(\.line)
    #expect(found == planted.lines, "in \(planted.files.map(\.path))")
  }

  /// `TIMELINED_REGENERATE=1` writes the page again.
  @Test func `the page about the targets has the dependencies of the manifest`() throws {
    let tree = try Self.checkout.get()
    let page = try #require(tree.files.first { $0.path == TargetTable.page })
    let lines = try TargetTable(page.lines, Manifest.targets(of: tree)).lines
    if ProcessInfo.processInfo.environment["TIMELINED_REGENERATE"] == "1" {
      let text = lines.joined(separator: "\n") + "\n"
      try text.write(to: SourceTree.root.appending(path: page.path), atomically: true, encoding: .utf8)
    } else {
      #expect(lines == page.lines)
    }
  }
}
