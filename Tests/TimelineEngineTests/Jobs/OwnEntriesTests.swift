import Testing
import TimelineCore
import TimelineEngineTestSupport

@testable import TimelineEngine

@Suite struct `Entries outside a schedule` {
  /// Instants in nanoseconds after an hour; `nil` for none.
  @Test(
    arguments: [
      (trigger: nil, others: nil, instant: 5, last: nil),
      (trigger: 5, others: nil, instant: 5, last: 5),
      (trigger: 4, others: nil, instant: 5, last: nil),
      (trigger: nil, others: 6, instant: 5, last: 6),
      // A frame of another daemon far ahead, or long ago, does not hide the trigger of this instant.
      (trigger: 5, others: 1_497_000_000, instant: 5, last: 5),
      (trigger: 5, others: -1_497_000_000, instant: 5, last: 5),
      (trigger: 5, others: 7, instant: 5, last: 7),
      (trigger: 7, others: 5, instant: 5, last: 7),
      (trigger: 7, others: 5, instant: 6, last: 7),
      (trigger: 1_000_004, others: nil, instant: 5, last: 1_000_004),
      (trigger: 1_000_005, others: nil, instant: 5, last: nil),
    ] as [(trigger: Int64?, others: Int64?, instant: Int64, last: Int64?)])
  func `follow an instant within a millisecond, of this daemon or another`(
    _ trigger: Int64?, _ others: Int64?, _ instant: Int64, _ last: Int64?
  ) {
    func at(_ nanoseconds: Int64) -> WallInstant { .epoch + .seconds(3_600) + .nanoseconds(nanoseconds) }
    var own = OwnEntries()
    if let others { own.noteOthers(at(others)) }
    own.setLastTrigger(trigger.map(at))
    if let others { own.setLastOfOthers(at(others)) }
    #expect(own.last(following: at(instant)) == last.map(at))
    #expect(own.lastTrigger == trigger.map(at))
  }
  /// Instants in nanoseconds after a second at which the schedule has no entry.
  @Test(
    arguments: [
      (taken: [], now: 5, nominal: 5),
      (taken: [4, 6], now: 5, nominal: 5),
      (taken: [5], now: 5, nominal: 6),
      (taken: [5, 6, 7, 9], now: 5, nominal: 8),
      // The schedule has an entry at the second itself.
      (taken: [1], now: 0, nominal: 2),
      (taken: [-1], now: 0, nominal: 1),
    ] as [(taken: [Int64], now: Int64, nominal: Int64)])
  func `get the first instant at which the job has no entry yet`(
    _ taken: [Int64], _ now: Int64, _ nominal: Int64
  ) {
    func at(_ nanoseconds: Int64) -> WallInstant { t(3_600) + .nanoseconds(nanoseconds) }
    var state = JobState(job("a", every(10)), at: t(3_000), decided: nil)
    #expect(state.takeTriggerInstant(at: at(now), besides: taken.map(at)) == at(nominal))
    #expect(state.lastTrigger == at(nominal))
    // The next one at the same instant follows it.
    let next = state.takeTriggerInstant(at: at(now), besides: taken.map(at))
    #expect(next > at(nominal) && !taken.map(at).contains(next))
  }
}
