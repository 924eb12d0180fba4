import Testing
import TimelineCore

@testable import TimelineCluster

/// Durations that follow from the lease, the trust window, and the clocks.
@Suite struct LeaseTests {
  private let timing = ClusterTiming(lease: .seconds(10))

  private func boot(_ milliseconds: Int64) -> BootInstant {
    BootInstant(nanosecondsSinceBoot: ElapsedTime.milliseconds(milliseconds).nanoseconds)
  }

  private func wall(_ milliseconds: Int64) -> WallInstant { .epoch + .milliseconds(milliseconds) }

  @Test func `a lease of ten seconds is renewed three times, and relied on for nine`() {
    #expect(timing.renewal == .nanoseconds(3_333_333_333))
    #expect(timing.trust == .seconds(9))
    #expect(timing.call == .seconds(2))
    #expect(ClusterTiming(lease: .seconds(5)).call == .seconds(1))
    #expect(ClusterTiming(lease: .zero).lease == ClusterTiming.leaseMin)
  }

  @Test func `the window is counted from when the renewal was sent`() {
    var window = TrustWindow()
    #expect(!window.isOpen(at: boot(0)))
    window.extend(from: boot(1_000), by: timing)
    #expect(window.isOpen(at: boot(9_999)))
    #expect(!window.isOpen(at: boot(10_000)))
    // An acknowledgement that comes out of order does not shorten the window.
    window.extend(from: boot(500), by: timing)
    #expect(window.end == boot(10_000))
    window.close()
    #expect(!window.isOpen(at: boot(1_001)))
  }

  @Test(
    arguments: [
      // Its lease ended at 20 s; until 19 s it trusted itself, on a clock that may be a second ahead.
      (nominal: 18_999, isUnstarted: false), (20_000, false), (20_001, true), (25_000, true),
    ] as [(Int64, Bool)])
  func `entries later than a node can have started are certainly unstarted`(nominal: Int64, isUnstarted: Bool)
  {
    #expect(timing.isCertainlyUnstarted(wall(nominal), leaseUntil: wall(20_000)) == isUnstarted)
  }

  @Test(
    arguments: [
      // The node's clock, the duration of the call, and the store's time in the middle of the call.
      (wall: 5_000, took: 0, store: 5_000, offset: 0, isTolerable: true),
      (5_010, 20, 5_000, 0, true), (6_000, 0, 5_000, 1_000, true), (6_001, 0, 5_000, 1_001, false),
      (3_900, 0, 5_000, -1_100, false),
      // With half a second of uncertainty, the clock may be right.
      (6_800, 1_000, 5_000, 1_300, true),
    ] as [(Int64, Int64, Int64, Int64, Bool)])
  func `clocks are compared half-way through a call`(
    wall now: Int64, took: Int64, store: Int64, offset: Int64, isTolerable: Bool
  ) {
    let difference = ClockDifference(
      sent: NodeTime(boot: boot(0), wall: wall(now - took)),
      received: NodeTime(boot: boot(took), wall: wall(now)), storeTime: wall(store))
    #expect(difference.length == .milliseconds(offset))
    #expect(difference.isTolerable == isTolerable)
  }

  @Test func `after a failover entries of the next lease are not claimed before its end`() {
    var guardian = FailoverGuard()
    let meetings = [("1/1", 0), ("1/1", 1_000), ("1/2", 2_000)] as [(String, Int64)]
    #expect(guardian.mayClaim(wall(1), at: wall(0)))
    let areOthers = meetings.map { guardian.meet($0.0, at: wall($0.1), timing) }
    #expect(areOthers == [false, false, true])
    #expect(!guardian.mayClaim(wall(11_999), at: wall(3_000)))
    #expect(guardian.mayClaim(wall(12_000), at: wall(3_000)))
    #expect(guardian.end(after: wall(3_000)) == wall(12_000))
    #expect(guardian.mayClaim(wall(11_999), at: wall(12_000)))
    #expect(guardian.end(after: wall(12_000)) == nil)
  }
}
