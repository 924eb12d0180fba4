import Testing
import TimelineCore

@testable import TimelineDaemon

@Suite struct `A quiet moment` {
  /// In milliseconds: the next deadline, the latest, and for how long work of 25 is put off at 1,000.
  static let rows: [(deadline: Int64?, latest: Int64, delay: Int64?)] = [
    (nil, 2_000, nil), (1_026, 2_000, nil), (1_500, 2_000, nil),
    // After the deadline, be it near, due or overdue.
    (1_025, 2_000, 27), (1_001, 2_000, 3), (1_000, 2_000, 2), (900, 2_000, 2),
    // There is no time left to put it off.
    (1_010, 1_000, nil), (1_010, 900, nil), (1_010, 1_005, 5),
  ]

  @Test(arguments: rows)
  func `is after the next deadline if the deadline is near, and never after the latest instant`(
    deadline: Int64?, latest: Int64, delay: Int64?
  ) {
    let at = { (milliseconds: Int64) in WallInstant(nanosecondsSinceEpoch: milliseconds * 1_000_000) }
    #expect(
      IdleWindow.delay(
        of: .milliseconds(25), at: at(1_000), before: deadline.map(at), atLatest: at(latest))
        == delay.map(ElapsedTime.milliseconds))
  }
}
