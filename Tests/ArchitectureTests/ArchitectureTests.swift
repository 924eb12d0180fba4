import Testing

/// The rules of the house, held against the checkout that is being tested.
@Suite struct ArchitectureTests {
  @Test(arguments: Rule.all)
  func `the tree keeps the rule`(_ rule: Rule) throws {
    let tree = try SourceTree()
    try #require(tree.swiftSources.count > 10, "the checkout was not found beside this test")
    let violations = try rule.check(tree)
    #expect(violations.isEmpty, "\(violations.map(\.description).joined(separator: "\n"))")
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
}
