import Testing
import TimelineCore
import TimelineEngine
import TimelineTestSupport

@testable import TimelineEngineSimulation

@Suite struct `The engine in random simulations` {
  /// Two parts, so that two cores share the work.
  static let parts: [UInt64] = [0, 1]
  private static let seedCount: UInt64 = 10_000
  private static let seedRun = SeedRun(lane: "engine", suite: "EngineSimulationTests")

  private struct Tally {
    var (seeds, events, starts, crashes) = (0, 0, 0, 0)
    var reactions = Stories.Counts()
    var moves = Invariants.MoveCounts()

    mutating func add(_ ordeal: EngineSimulation) {
      seeds += 1
      events += ordeal.eventCount
      starts += ordeal.startCount
      crashes += ordeal.crashCount
      reactions.add(ordeal.invariants.stories.counts)
      moves.add(ordeal.invariants.moveCounts)
    }

    func report(_ what: String) {
      print(
        "\(what): \(seeds) lives, \(events) events, \(starts) attempts, \(crashes) crashes, nothing broken; reactions to \(reactions.starts) starts and \(reactions.late) late entries, \(reactions.reminders) reminders; \(moves.starts) runs of moved entries, \(moves.removals) holidays removed after them, \(moves.repetitions) entries not run again"
      )
    }
  }

  /// Lives one life; one that breaks an invariant is shrunk and written to a file.
  private func live(_ seed: UInt64, _ tally: inout Tally) throws -> Bool {
    var ordeal = EngineSimulation(seed: seed)
    ordeal.endure()
    tally.add(ordeal)
    if ordeal.invariants.violations.isEmpty { return true }
    let run = Self.seedRun
    let kept = try run.keep(EngineSimulation.recorded(seed: seed), seed: seed) {
      EngineSimulation.replayed($0).lived
    }
    Issue.record("seed \(seed): \(ordeal.invariants.violations); \(run.command(repeating: seed)); \(kept)")
    return false
  }

  @Test(arguments: parts) func `ten thousand seeds keep every invariant`(_ part: UInt64) throws {
    var tally = Tally()
    for seed in stride(from: part, to: Self.seedCount, by: 2) {
      guard try live(seed, &tally) else { return }
    }
    tally.report("Every second seed from \(part)")
    #expect(tally.starts > 10 * tally.seeds, "the ordeal has become too easy")
    #expect(tally.crashes > tally.seeds / 4)
    let rare = min(tally.reactions.starts, tally.reactions.late, tally.reactions.reminders)
    #expect(rare > tally.seeds / 200, "too little is told: \(tally.reactions)")
    let moves = min(tally.moves.starts / 10, tally.moves.removals, tally.moves.repetitions)
    #expect(moves > tally.seeds / 500, "too few entries move: \(tally.moves)")
  }

  @Test(arguments: parts) func `a clock that is far ahead now and then breaks no invariant`(_ part: UInt64) {
    for seed in stride(from: part, to: 100, by: 2) {
      var ordeal = EngineSimulation(seed: seed, isClockFarOut: true)
      ordeal.endure()
      #expect(ordeal.invariants.violations == [], "seed \(seed)")
    }
  }

  @Test(.enabled(if: SeedChoice.seed != nil)) func `the seed that was asked for`() throws {
    let seed = try #require(SeedChoice.seed)
    var ordeal = EngineSimulation(seed: seed)
    ordeal.isTraced = true
    ordeal.endure()
    if ordeal.invariants.violations.isEmpty { return }
    var tally = Tally()
    _ = try live(seed, &tally)
  }

  @Test(.enabled(if: SeedChoice.file != nil)) func `the written life that was asked for`() throws {
    let path = try #require(SeedChoice.file)
    let (lived, complaints) = EngineSimulation.replayed(try WrittenLife(path: path), isTraced: true)
    #expect(lived.violations == [])
    #expect(complaints == [])
  }

  @Test(.enabled(if: SeedChoice.seconds != nil), arguments: parts)
  func `new seeds for as long as asked`(_ part: UInt64) throws {
    var tally = Tally()
    // From the same first seed the parts simulate different lives.
    try Self.seedRun.run(part: part, of: 2) { try live($0, &tally) }
    tally.report("Part \(part)")
  }

  @Test func `the same seed gives the same life`() {
    var (first, second) = (EngineSimulation(seed: 42), EngineSimulation(seed: 42))
    first.endure()
    second.endure()
    #expect(first.eventCount == second.eventCount)
    #expect(first.startCount == second.startCount)
  }
}
