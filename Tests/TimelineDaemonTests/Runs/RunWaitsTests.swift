import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineDaemon

@Suite struct `Runs that wait for entries` {
  private static func entry(_ number: Int) -> EntryKey {
    guard let job = JobName("j\(number)") else { preconditionFailure("\(number) is in no name") }
    return EntryKey(job: job, nominal: .epoch)
  }
  private static func run(_ number: Int) -> RunID { RunID(number: UInt64(number)) }

  /// Makes waits in which entry N is the entry of run N, if that is active. `waits` has the entries that runs wait for; `needs` has the
  /// runs that an entry without a run needs.
  private static func waits(
    _ waits: [Int: [Int]], active: [Int], needs: [Int: [[Int]]] = [:]
  ) -> RunWaits {
    var result = RunWaits()
    for (number, entries) in waits { result.entries[run(number)] = Set(entries.map(entry)) }
    for number in active { result.runs[entry(number)] = run(number) }
    for (number, lists) in needs { result.needs[entry(number)] = lists.map { $0.map(run) } }
    return result
  }

  @Test(
    arguments: [
      (waits([1: [2]], active: [1, 2]), false),
      (waits([1: [9]], active: [1]), false),
      // The run itself has the only place of the group.
      (waits([1: [9]], active: [1], needs: [9: [[1]]]), true),
      (waits([1: [9]], active: [1, 2], needs: [9: [[1, 2]]]), false),
      (waits([1: [9], 2: [8]], active: [1, 2], needs: [9: [[1, 2]], 8: [[1, 2]]]), true),
      (waits([1: [9], 2: [8]], active: [1, 2, 3], needs: [9: [[1, 2]], 8: [[3]]]), false),
      // Through another run.
      (waits([1: [2], 2: [9]], active: [1, 2], needs: [9: [[1]]]), true),
      (waits([1: [9]], active: [1, 2], needs: [9: [[2], [1]]]), true),
      (waits([1: [9], 2: [3]], active: [1, 2, 3], needs: [9: [[1, 2]]]), false),
    ])
  func `are stuck if each needs the end of another`(_ waits: RunWaits, _ isStuck: Bool) {
    #expect(waits.neverEnds(Self.run(1)) == isStuck)
  }

  @Test func `are listed from the run that waits to the run that it waits for`() {
    let waits = Self.waits([1: [2], 2: [3], 4: [3]], active: [1, 2, 3, 4])
    #expect(waits.chain(to: Self.run(3)) { $0 == Self.run(1) } == [1, 2, 3].map(Self.run))
    #expect(waits.chain(to: Self.run(3)) { $0 == Self.run(3) } == [Self.run(3)])
    #expect(waits.chain(to: Self.run(2)) { $0 == Self.run(4) } == nil)
  }
}
