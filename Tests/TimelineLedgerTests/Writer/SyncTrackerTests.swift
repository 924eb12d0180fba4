import Testing

@testable import TimelineLedger

@Suite struct `Waits for the disk` {
  enum Step { case write, begin, succeed, fail }

  /// Events, and whether each written claim is on the disk after them.
  static let rows: [(steps: [Step], onDisk: [Bool], isWanted: Bool)] = [
    ([.write], [false], true),
    ([.write, .begin], [false], false),
    ([.write, .begin, .succeed], [true], false),
    ([.write, .begin, .fail], [false], true),
    // Claims that are written meanwhile belong to the next sync.
    ([.write, .begin, .write], [false, false], true),
    ([.write, .begin, .write, .succeed], [true, false], true),
    ([.write, .begin, .write, .succeed, .begin], [true, false], false),
    ([.write, .begin, .write, .succeed, .begin, .succeed], [true, true], false),
    ([.write, .begin, .write, .succeed, .begin, .fail], [true, false], true),
    // The next sync makes up for a failed one.
    ([.write, .begin, .write, .fail, .begin], [false, false], false),
    ([.write, .begin, .write, .fail, .begin, .succeed], [true, true], false),
    // A sync for another purpose does no harm.
    ([.begin, .write, .succeed], [false], true),
    ([.begin, .succeed, .write], [false], true),
  ]

  @Test(arguments: rows)
  func `a sync that succeeds covers the claims that were written before it began`(
    steps: [Step], onDisk: [Bool], isWanted: Bool
  ) {
    // Also when the numbers wrap around, or are about to.
    for former in [0, 1, 32_767, 65_533, 65_534, 65_535, 65_536] {
      var waits = SyncTracker()
      for _ in 0..<former {
        waits.begin()
        waits.end(isOnDisk: true)
      }
      var numbers: [SyncTracker.Number] = []
      for step in steps {
        switch step {
        case .write:
          waits.want()
          numbers.append(waits.next)
        case .begin: waits.begin()
        case .succeed: waits.end(isOnDisk: true)
        case .fail: waits.end(isOnDisk: false)
        }
      }
      #expect(!numbers.contains(0) && !waits.isOnDisk(0))
      #expect(numbers.map(waits.isOnDisk) == onDisk && waits.isWanted == isWanted, "after \(former)")
      #expect(waits.areAllOver == (!isWanted && !waits.isUnderWay))
    }
  }
}
