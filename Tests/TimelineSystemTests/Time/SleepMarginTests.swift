import Testing
import TimelineCore
import TimelineSystem

/// Estimates of how late this machine wakes a thread.
@Suite struct SleepMarginTests {
  /// The margin after wake-ups that were so many microseconds late, itself in microseconds.
  private func margin(after late: [Int64]) -> Int64 {
    var margin = SleepMargin()
    for late in late { margin.learn(.microseconds(late)) }
    return margin.length.nanoseconds / 1_000
  }

  @Test func `the first wake-up sets the margin`() {
    #expect(margin(after: []) == 0)
    #expect(margin(after: [50]) == 50)
  }

  @Test func `later wake-ups are followed faster than earlier ones`() {
    #expect(margin(after: [40, 80]) == 50)
    #expect(margin(after: [80, 16]) == 76)
    #expect(margin(after: Array(repeating: 60, count: 3) + Array(repeating: 10, count: 200)) == 10)
  }

  @Test func `it stays near the late end of the usual wake-ups`() {
    let wakeUps = (0..<1_000).map { Int64(20 + $0 * 7 % 31) }
    let margin = margin(after: wakeUps)
    #expect(wakeUps.count { $0 <= margin } > 600, "\(margin)")
    #expect(margin <= 50)
  }

  @Test func `a machine that stalled moves it little, and never beyond its bound`() {
    #expect(margin(after: [38, 1_000_000]) == 66)
    #expect(margin(after: [1_000_000] + Array(repeating: 1_000_000, count: 100)) == 150)
    #expect(SleepMargin.max == .microseconds(150))
  }

  @Test func `a wake-up before its time counts as one in time`() {
    #expect(margin(after: [-30]) == 0)
    #expect(margin(after: [16, -30]) == 15)
  }
}
