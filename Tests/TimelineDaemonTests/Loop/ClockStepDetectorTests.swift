import Testing
import TimelineCore
import TimelineSystem

@testable import TimelineDaemon

@Suite struct `A clock's step` {
  private func reading(_ wall: ElapsedTime, _ monotonic: ElapsedTime) -> ClockStepDetector.Reading {
    ClockStepDetector.Reading(
      wall: WallInstant(secondsSinceEpoch: 1_800_000_000) + wall,
      monotonic: MonotonicInstant(nanosecondsSinceBoot: monotonic.nanoseconds))
  }

  @Test(arguments: [ElapsedTime.hours(1), .zero - .hours(1), ClockStepDetector.seenMin])
  func `is detected before the kernel's report, and not reported again`(_ step: ElapsedTime) {
    var standing = ClockStepDetector(of: reading(.zero, .seconds(5)))
    let later = reading(.seconds(9) + step, .seconds(14))
    #expect(standing.see(later, later) == step)
    #expect(standing.see(later, later) == nil)
    #expect(standing.hear(later) == nil)
    // The next step, which was not detected before the kernel's report.
    #expect(standing.hear(reading(.seconds(10), .seconds(15))) == .zero - step)
  }

  @Test func `is detected by the kernel's report when it is small`() {
    var standing = ClockStepDetector(of: reading(.zero, .zero))
    let small = reading(.milliseconds(99), .zero)
    #expect(standing.see(small, small) == nil)
    #expect(standing.hear(small) == .milliseconds(99))
    #expect(standing.hear(small) == .zero, "the machine resumed")
  }

  @Test func `is reported once more when the kernel's report includes another one`() {
    var standing = ClockStepDetector(of: reading(.zero, .zero))
    #expect(standing.see(reading(.hours(1), .zero), reading(.hours(1), .zero)) == .hours(1))
    #expect(standing.hear(reading(.hours(3), .zero)) == .hours(2))
  }

  @Test func `is not assumed when the thread was preempted between the readings of two clocks`() {
    var standing = ClockStepDetector(of: reading(.zero, .zero))
    #expect(standing.see(reading(.seconds(7), .seconds(8)), reading(.seconds(9), .seconds(9))) == nil)
    #expect(standing.hear(reading(.seconds(9), .seconds(9))) == .zero)
  }
}
