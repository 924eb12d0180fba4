import Testing
import TimelineCore

@testable import TimelineEngine

@Suite struct `A refusal of a rerun` {
  typealias Facts = RerunRefusal.Facts

  @Test(
    arguments: [
      (Facts(), nil), (Facts(isClosedLoop: true, isOfSchedule: false), .closedLoop),
      (Facts(isCounted: true, isUndecided: true), .counted),
      (Facts(isOfSchedule: false, isUndecided: true), .notOfSchedule),
      (Facts(isUndecided: true, isActive: true), .undecided), (Facts(isActive: true), .active),
    ] as [(Facts, RerunRefusal?)])
  func `has the reason that a person can do least about`(_ facts: Facts, _ refusal: RerunRefusal?) {
    #expect(RerunRefusal(facts) == refusal)
  }
}
