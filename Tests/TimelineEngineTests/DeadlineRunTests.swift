import Testing
import TimelineCore
import TimelineTestSupport

@testable import TimelineEngine

/// What is sorted by counting must be what comparing sorts.
@Suite struct `A run of deadlines` {
  private static func record(_ moment: UInt64, _ priority: Int, _ index: Int) -> DeadlineRecord {
    DeadlineRecord(
      moment: moment, key: UInt64(TieBreak(priority: priority).rank) << 32 | UInt64(index))
  }

  /// Takes all in by groups, each sorted on its own, and out again.
  private static func check(_ groups: [[DeadlineRecord]], _ comment: String) {
    var run = DeadlineRun()
    for group in groups {
      run.append(group.count) { records in for record in group { records.append(record) } }
      run.sort()
    }
    let expected = groups.flatMap { $0.sorted { $0.precedes($1) } }
    let together = expected.prefix { $0.moment == expected.first?.moment }.count
    #expect(run.countOfFirst(atMost: 5) == min(5, together), "\(comment)")
    #expect(run.count == expected.count, "\(comment)")
    var taken: [DeadlineRecord] = []
    while let first = run.first {
      taken.append(first)
      run.removeFirst()
    }
    #expect(taken == expected, "\(comment)")
  }

  @Test(arguments: UInt64(1)...50) func `some dozens are in order however they lie`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var groups: [[DeadlineRecord]] = []
    var base: UInt64 = 0
    for _ in 0..<8 {
      let width = UInt64.random(in: 0..<1 << UInt64(random.seconds(0...60)), using: &random)
      let count = Int(random.seconds(0...Int64(DeadlineRun.few)))
      groups.append(
        (0..<count).map { index in
          // Some moments more than once, so that the tie break counts as well.
          let moment = base + (index % 3 == 0 ? width / 2 : UInt64.random(in: 0...width, using: &random))
          return Self.record(moment, Int(random.seconds(-2...2)), index * 7_919 % 64)
        })
      base += width + 1
    }
    Self.check(groups, "seed \(seed)")
  }

  @Test(arguments: [1, 2, 63, 64, 65, 300, 2_048, 5_000], UInt64(1)...4)
  func `any number of one moment is in order of who goes first`(_ count: Int, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for moment in [0, 1 << 63, UInt64.max] {
      for priorities in [0...0, -1...1, Int.min...Int.max] {
        let indices = (0..<count).map { $0 * 3 }.shuffled(using: &random)
        let group = indices.map { Self.record(moment, Int.random(in: priorities, using: &random), $0) }
        Self.check([group], "seed \(seed), \(count) at \(moment), priorities \(priorities)")
      }
    }
  }

  @Test(arguments: [66, 300, 2_048], UInt64(1)...4)
  func `of two records that are alike neither is lost`(_ count: Int, _ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // A deadline that was put off and back leaves one like the one that counts.
    let indices = (0..<count).map { $0 / 2 }.shuffled(using: &random)
    Self.check([indices.map { Self.record(7, 0, $0) }], "seed \(seed), \(count)")
  }

  @Test(arguments: UInt64(1)...10) func `what is set before the others comes before them`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var deadlines = EntryDeadlines()
    var expected: [Int: Int64] = [:]
    func set(_ index: Int, _ second: Int64) {
      deadlines.set(DeadlineRecord(t(second), TieBreak(priority: 0), index))
      expected[index] = second
    }
    // Thousands at one moment are in the run when hundreds are set before it, at it and behind it.
    for index in 0..<3_000 { set(index, 1_000_000) }
    _ = deadlines.first
    for index in 3_000..<4_000 { set(index, random.seconds(999_000...1_001_000)) }
    for _ in 0..<1_000 {
      _ = deadlines.first
      set(Int(random.seconds(0...3_999)), random.seconds(999_990...1_000_010))
    }
    let order = expected.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    var taken: [Int] = []
    while let first = deadlines.first {
      taken.append(first.index)
      deadlines.remove(first.index)
    }
    #expect(taken == order, "seed \(seed)")
    #expect(deadlines.recordCount == 0)
  }
}
