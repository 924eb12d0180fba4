import Testing
import TimelineClocks
import TimelineCore
import TimelineSystem
import TimelineTesting

/// A clock that the laws are checked on, and how its time is made to pass.
struct ClockUnderTest: Sendable, CustomTestStringConvertible {
  /// Length of a nap on this clock: long on one that is moved manually, short on one that takes its time.
  let nap: Duration
  /// Whether sleepers of one deadline wake in order of registration. A clock of the runtime promises nothing.
  let keepsOrder: Bool
  /// Whether a sleep until exactly now waits for the next advance.
  let holdsAtNow: Bool
  let testDescription: String
  let make: @Sendable () throws -> Fixture

  /// A clock and the hand that moves it.
  struct Fixture: Sendable {
    let clock: any TimelineClock
    /// Makes the given time pass; nothing on a clock that goes by itself.
    let pass: @Sendable (Duration) async -> Void
  }

  init(
    _ name: String, nap: Duration = .seconds(3600), keepsOrder: Bool = true, holdsAtNow: Bool = false,
    make: @escaping @Sendable () throws -> Fixture
  ) {
    self.testDescription = name
    self.nap = nap
    self.keepsOrder = keepsOrder
    self.holdsAtNow = holdsAtNow
    self.make = make
  }

  static let all: [ClockUnderTest] = [
    ClockUnderTest("ImmediateClock", keepsOrder: false) { Fixture(clock: ImmediateClock()) { _ in } },
    ClockUnderTest("TestClock", holdsAtNow: true) {
      let clock = TestClock(now: WallInstant(offset: .seconds(1_800_000_000)))
      return Fixture(clock: clock) { await clock.advance(by: $0) }
    },
    ClockUnderTest("AnyClock of TestClock", holdsAtNow: true) {
      let clock = TestClock()
      return Fixture(clock: AnyClock(clock)) { await clock.advance(by: $0) }
    },
    scaled(by: 1),
    scaled(by: 60),
    scaled(by: 0.3),
    ClockUnderTest("ScaledClock leaping on a paused base") {
      let base = TestClock()
      let clock = ScaledClock(base: base, speed: .paused)
      return Fixture(clock: clock) { duration in
        await base.advance()
        clock.leap(to: clock.now.advanced(by: duration))
        await base.advance()
      }
    },
    ClockUnderTest("ScaledClock running to on a paused base") {
      let base = TestClock()
      let clock = ScaledClock(base: base, speed: .paused)
      return Fixture(clock: clock) { duration in
        await base.advance()
        await clock.run(to: clock.now.advanced(by: duration))
        await base.advance()
      }
    },
    ClockUnderTest("ScaledClock of ImmediateClock", keepsOrder: false) {
      Fixture(clock: ScaledClock(base: ImmediateClock(), speed: 7)) { _ in }
    },
    ClockUnderTest("AnyClock of ContinuousClock", nap: .milliseconds(2), keepsOrder: false) {
      Fixture(clock: AnyClock(ContinuousClock())) { _ in }
    },
    ClockUnderTest("ScaledClock of AnyClock of ContinuousClock", nap: .seconds(2)) {
      Fixture(clock: ScaledClock(base: AnyClock(ContinuousClock()), speed: 1000)) { _ in }
    },
    ClockUnderTest("SystemClock", nap: .milliseconds(2), keepsOrder: false) {
      let clock = try SystemClock()
      return Fixture(clock: clock) { _ in }
    },
    ClockUnderTest("ScaledClock of SystemClock", nap: .seconds(2), keepsOrder: false) {
      let clock = ScaledClock(base: try SystemClock(), speed: 1000)
      return Fixture(clock: clock) { _ in }
    },
  ]

  private static func scaled(by speed: Speed) -> ClockUnderTest {
    ClockUnderTest("ScaledClock by \(speed) of TestClock") {
      let base = TestClock()
      let clock = ScaledClock(base: base, speed: speed)
      return Fixture(clock: clock) { duration in
        // A nanosecond of the base more than it takes, for what rounding may have cost.
        let factor = Int128(speed.denominator)
        let needed = duration.attoseconds * factor / Int128(speed.numerator)
        await base.advance(by: Duration(attoseconds: needed) + .nanoseconds(1))
      }
    }
  }
}
