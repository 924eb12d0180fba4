import Foundation
import Testing
import TimelineTestSupport

/// Written lives. Most of them once showed a fault.
@Suite struct `Written lives of a cluster` {
  /// A planted fault, the file of a life that shows it, and a part of the violation's text.
  private struct Shown: Sendable, CustomTestStringConvertible {
    let file: String
    var fault: ClusterWorld.Fault?
    var storeFault: SimulatedStore.Fault?
    let words: String
    /// Whether the life is kept, because too few seeds show the fault.
    var isByHand = false
    var testDescription: String { file }
    var path: String { "\(sourceRoot)/Tests/TimelineClusterTests/Lives/\(file).life" }
  }

  private static let shown = [
    Shown(file: "claims-not-told", storeFault: .claimsAreNotTold, words: "has no outcome"),
    Shown(file: "undecided-is-denied", fault: .undecidedIsDenied, words: "has no outcome"),
    Shown(
      file: "reassigned-tokens-not-kept", fault: .reassignedTokensAreNotKept,
      words: "has a token that is not higher", isByHand: true),
    Shown(file: "outcomes-not-told", storeFault: .outcomesAreNotTold, words: "which acquired it"),
    Shown(
      file: "handed-over-before-waiting-events", fault: .handOverWaits,
      words: "was started and never completed", isByHand: true),
    Shown(
      file: "decided-entry-begun-without-a-claim", fault: .outcomesDoNotCount, words: "which acquired it",
      isByHand: true),
    Shown(
      file: "refused-run-of-a-former-owner", fault: .failuresAreNotWithheld,
      words: "was started and never completed", isByHand: true),
    Shown(
      file: "refused-run-of-an-owner-to-be", fault: .withheldStayDecided,
      words: "was started and never completed", isByHand: true),
    Shown(file: "no-lease-check", fault: .noLeaseCheck, words: "is outside its lease"),
  ]

  @Test(arguments: shown) private func `a life written for a planted fault shows it`(_ shown: Shown) throws {
    let life = try WrittenLife(path: shown.path)
    let (lived, _) = ClusterWorld.replayed(life, fault: shown.fault, storeFault: shown.storeFault)
    #expect(lived.violations.contains { $0.contains(shown.words) })
  }

  @Test(.enabled(if: SeedChoice.isRegenerating), arguments: shown.filter { !$0.isByHand })
  private func `lives of planted faults are written anew`(_ shown: Shown) throws {
    let failing = (0..<300 as Range<UInt64>).lazy.map {
      ClusterWorld.recorded(seed: $0, fault: shown.fault, storeFault: shown.storeFault)
    }
    let first = try #require(failing.first { $0.violations.first?.contains(shown.words) ?? false })
    var shrinker = Shrinker {
      ClusterWorld.replayed($0, fault: shown.fault, storeFault: shown.storeFault).lived
    }
    let remarks = (try? WrittenLife(path: shown.path).remarks) ?? [shown.words]
    let life = WrittenLife(shrinker.shrink(first).life.decisions, remarks: remarks)
    try Data(life.text.utf8).write(to: URL(fileURLWithPath: shown.path))
  }

  @Test(arguments: try WrittenLife.paths(of: "TimelineClusterTests"))
  func `each written life has no violation`(_ path: String) throws {
    let (lived, complaints) = ClusterWorld.replayed(try WrittenLife(path: path))
    #expect(lived.violations == [], "\(path)")
    #expect(complaints == [])
  }

  @Test func `the recorded life of a seed is replayed without a difference`() {
    for seed in 0..<6 as Range<UInt64> {
      let recorded = ClusterWorld.recorded(seed: seed)
      let (replayed, complaints) = ClusterWorld.replayed(recorded.life)
      #expect(replayed.life == recorded.life, "seed \(seed)")
      #expect(complaints == [], "seed \(seed)")
    }
  }

  @Test func `a life without decisions is quiet and has no violation`() {
    let (lived, complaints) = ClusterWorld.replayed(WrittenLife([]))
    #expect(lived.violations == [])
    #expect(lived.life.decisions.isEmpty)
    #expect(complaints == [])
  }
}
