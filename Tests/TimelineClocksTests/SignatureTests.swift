import Testing
// Only this import, because it includes instants and their members.
import TimelineTesting

/// Signatures as in programs for swift-clocks.
private struct Feature<C: Clock> where C.Duration == Duration {
  let clock: C

  func now(after duration: Duration) -> C.Instant { clock.now.advanced(by: duration) }
}

private final class Fixture {
  let test: TestClock<Duration>
  let immediate: ImmediateClock<Duration>
  let erased: AnyClock<Duration>
  let unimplemented: UnimplementedClock<Duration>

  init(test: TestClock<Duration> = TestClock(), immediate: ImmediateClock<Duration> = .init()) {
    self.test = test
    self.immediate = immediate
    erased = AnyClock(test)
    unimplemented = UnimplementedClock(test, name: "Test")
  }
}

@Suite struct SignatureTests {
  private func start(of clock: TestClock<Duration>) -> TestClock<Duration>.Instant { clock.now }
  private func start(of clock: ImmediateClock<Duration>) -> ImmediateClock<Duration>.Instant { clock.now }

  @Test func `clocks can be named with their duration and made without it`() {
    let fixture = Fixture(test: TestClock(now: .init(offset: .seconds(1))))
    #expect(start(of: fixture.test) == TestClock<Duration>.Instant(offset: .seconds(1)))
    #expect(start(of: fixture.immediate) == ImmediateClock.Instant())
    #expect(fixture.erased.now == TestClock.Instant().advanced(by: .seconds(1)))
    #expect(Feature(clock: fixture.test).now(after: .seconds(2)) == TestClock.Instant(offset: .seconds(3)))
    #expect(Feature(clock: .immediate).now(after: .seconds(2)) == ImmediateClock.Instant(offset: .seconds(2)))
  }

  @Test func `any clock can be scaled`() {
    let clocks: [any TimelineClock] = [
      ScaledClock(base: ContinuousClock(), speed: 2), ScaledClock(base: SuspendingClock(), speed: 0.5),
      ScaledClock(base: AnyClock(ContinuousClock()), speed: 2), ScaledClock(base: TestClock()),
    ]
    #expect(clocks.allSatisfy { $0.now >= .epoch })
    let start = WallInstant(offset: .seconds(7))
    #expect(ScaledClock(base: ContinuousClock(), speed: .paused, now: start).now == start)
  }

  @Test func `the offset of an instant is its distance from the epoch`() {
    #expect(TestClock.Instant(offset: .seconds(5)) == WallInstant(offset: .seconds(5)))
    #expect(TestClock.Instant() == .epoch)
  }
}
