import Foundation
import Testing
import TimelineCore
import TimelineEngine

@Suite struct `The engine through a hard life` {
  /// Two parts, so that two cores share the work.
  static let parts: [UInt64] = [0, 1]
  private static let seedCount: UInt64 = 10_000
  private static let environment = ProcessInfo.processInfo.environment

  private struct Tally {
    var (seeds, events, starts, crashes) = (0, 0, 0, 0)
    var reactions = Stories.Counts()

    mutating func add(_ ordeal: Ordeal) {
      seeds += 1
      events += ordeal.eventCount
      starts += ordeal.startCount
      crashes += ordeal.crashCount
      reactions.add(ordeal.invariants.stories.counts)
    }

    func report(_ what: String) {
      print(
        "\(what): \(seeds) lives, \(events) events, \(starts) attempts, \(crashes) crashes, nothing broken; reactions to \(reactions.starts) starts and \(reactions.late) late entries, \(reactions.reminders) reminders"
      )
    }
  }

  /// Lives one life; one that breaks an invariant is told from its seed again, with all that happens in it.
  private func live(_ seed: UInt64, _ tally: inout Tally) -> Bool {
    var ordeal = Ordeal(seed: seed)
    ordeal.endure()
    tally.add(ordeal)
    if ordeal.invariants.violations.isEmpty { return true }
    Issue.record(
      "seed \(seed): \(ordeal.invariants.violations); TIMELINED_SEED=\(seed) swift test --filter OrdealTests tells it"
    )
    return false
  }

  @Test(arguments: parts) func `ten thousand seeds keep every invariant`(_ part: UInt64) {
    var tally = Tally()
    for seed in stride(from: part, to: Self.seedCount, by: 2) {
      guard live(seed, &tally) else { return }
    }
    tally.report("Every second seed from \(part)")
    #expect(tally.starts > 10 * tally.seeds, "the ordeal has become too easy")
    #expect(tally.crashes > tally.seeds / 4)
    let rare = min(tally.reactions.starts, tally.reactions.late, tally.reactions.reminders)
    #expect(rare > tally.seeds / 200, "too little is told: \(tally.reactions)")
  }

  @Test(arguments: parts) func `a clock that is far ahead now and then breaks no invariant`(_ part: UInt64) {
    for seed in stride(from: part, to: 100, by: 2) {
      var ordeal = Ordeal(seed: seed, isClockFarOut: true)
      ordeal.endure()
      #expect(ordeal.invariants.violations == [], "seed \(seed)")
    }
  }

  @Test(.enabled(if: environment["TIMELINED_SEED"] != nil)) func `the seed that was asked for`() throws {
    let seed = try #require(Self.environment["TIMELINED_SEED"].flatMap { UInt64($0) })
    var ordeal = Ordeal(seed: seed)
    ordeal.isTraced = true
    ordeal.endure()
    #expect(ordeal.invariants.violations == [])
  }

  @Test(.enabled(if: environment["TIMELINED_SOAK_SECONDS"] != nil), arguments: parts)
  func `seeds without number for as long as asked`(_ part: UInt64) throws {
    let seconds = try #require(Self.environment["TIMELINED_SOAK_SECONDS"].flatMap { Int($0) })
    var dice = SystemRandomNumberGenerator()
    let first =
      Self.environment["TIMELINED_SOAK_FROM"].flatMap { UInt64($0) }
      ?? UInt64.random(in: 0...UInt64.max / 2, using: &dice)
    print("Part \(part) soaks from seed \(first) on for \(seconds) s")
    var tally = Tally()
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while clock.now < end {
      // Of the same first seed the parts live different lives.
      guard live(first + part + 2 * UInt64(tally.seeds), &tally) else { return }
    }
    tally.report("Part \(part) from seed \(first)")
  }

  @Test func `the same seed gives the same life`() {
    var (first, second) = (Ordeal(seed: 42), Ordeal(seed: 42))
    first.endure()
    second.endure()
    #expect(first.eventCount == second.eventCount)
    #expect(first.startCount == second.startCount)
  }
}
