import Testing

@testable import TimelineSystem

/// Steps on the way to a plugin that are trusted; the whole rule as a table.
@Suite struct TrustRuleTests {
  private static let (root, own, other): (UInt32, UInt32, UInt32) = (0, 1_000, 65_534)

  struct Row: Sendable, CustomTestStringConvertible {
    let owner: UInt32
    let mode: UInt32
    let step: TrustRule.Step
    let fault: TrustRule.Fault?
    var isOwnersGroup = false
    var testDescription: String { "\(step) of \(owner), 0\(String(mode, radix: 8))" }
  }

  @Test(arguments: [
    Row(owner: root, mode: 0o755, step: .directory, fault: nil),
    Row(owner: own, mode: 0o755, step: .directory, fault: nil),
    Row(owner: other, mode: 0o755, step: .directory, fault: .foreignOwner(other)),
    Row(owner: other, mode: 0o1755, step: .directory, fault: .foreignOwner(other)),
    Row(owner: other, mode: 0o1777, step: .holder, fault: .foreignOwner(other)),
    Row(owner: other, mode: 0o400, step: .file, fault: .foreignOwner(other)),
    Row(owner: other, mode: 0o777, step: .link, fault: .foreignOwner(other)),
    Row(owner: root, mode: 0o777, step: .link, fault: nil),
    Row(owner: root, mode: 0o1777, step: .directory, fault: nil),
    Row(owner: root, mode: 0o1777, step: .holder, fault: .writable(mode: 0o1777)),
    Row(owner: root, mode: 0o777, step: .directory, fault: .writable(mode: 0o777)),
    Row(owner: own, mode: 0o666, step: .file, fault: .writable(mode: 0o666)),
    Row(owner: own, mode: 0o664, step: .file, fault: .writable(mode: 0o664)),
    Row(owner: own, mode: 0o664, step: .file, fault: nil, isOwnersGroup: true),
    Row(owner: own, mode: 0o775, step: .holder, fault: nil, isOwnersGroup: true),
    Row(owner: own, mode: 0o1775, step: .holder, fault: .writable(mode: 0o1775)),
    Row(owner: own, mode: 0o666, step: .file, fault: .writable(mode: 0o666), isOwnersGroup: true),
  ])
  func `each step belongs to its user or root, and no other user may write to it`(row: Row) {
    let rule = TrustRule(user: Self.own)
    #expect(rule.fault(owner: row.owner, mode: row.mode, as: row.step) { row.isOwnersGroup } == row.fault)
  }

  @Test(
    arguments: [
      (.exclusive, 0o1770, false), (.exclusive, 0o1777, false), (.group, 0o1770, true),
      (.group, 0o1777, false),
      (.group, 0o770, false), (.everybody, 0o1777, true), (.everybody, 0o777, false),
    ] as [(TrustRule.StickyHolders, UInt32, Bool)])
  func `a sticky directory may hold a file beside those of the writers that the rule has`(
    _ writers: TrustRule.StickyHolders, mode: UInt32, isTrusted: Bool
  ) {
    var rule = TrustRule(user: Self.own)
    rule.stickyHolders = writers
    let fault = rule.fault(owner: Self.root, mode: mode, as: .holder) { false }
    #expect((fault == nil) == isTrusted)
    #expect(rule.fault(owner: Self.own, mode: 0o1666, as: .file) { false } != nil, "a file is no directory")
  }

  @Test func `a rule that trusts no private group does not look up its members`() {
    var rule = TrustRule(user: Self.own)
    rule.trustsPrivateGroups = false
    let fault = rule.fault(owner: Self.own, mode: 0o775, as: .holder) {
      Issue.record("the name service was asked")
      return true
    }
    #expect(fault == .writable(mode: 0o775))
  }

  @Test func `a file of a user is not trusted for root`() {
    let fault = TrustRule(user: 0).fault(owner: Self.own, mode: 0o755, as: .file) { false }
    #expect(fault == .foreignOwner(Self.own))
  }
}
