import Testing
import TimelineCore
import TimelineEngine

@testable import TimelineLedger

/// Changes that are dropped while nothing can be written, and the consequences.
@Suite struct BacklogTests {
  @Test(arguments: [false, true])
  func `after a configuration was dropped only a whole configuration replaces it`(isWhole: Bool) {
    var backlog = Backlog()
    backlog.fallBehind()
    backlog.append(isWhole ? .adopt([], at: .epoch) : .amend([], gone: [], at: .epoch))
    for run in 0..<Backlog.countMax {
      #expect(!backlog.lacksConfiguration, "after \(run) changes there is still room")
      backlog.append(.attempt(RunID(number: UInt64(run)), LedgerAttempt(number: 1, startedAt: .epoch)))
    }
    #expect(backlog.lacksConfiguration && backlog.droppedCount > 0)

    backlog.didWrite(backlog.changes.count)
    #expect(!backlog.isBehind && backlog.lacksConfiguration)
    backlog.append(.amend([], gone: [], at: .epoch))
    #expect(backlog.lacksConfiguration)
    backlog.append(.adopt([], at: .epoch))
    #expect(!backlog.lacksConfiguration)
  }
}
