import Testing
import TimelineClocks
import TimelineCore
import TimelineTestSupport
import TimelineTesting

/// Laws of every clock: one row for each.
@Suite struct ClockLawTests {
  @Test(arguments: ClockUnderTest.all)
  func `the distance between two instants leads from one to the other`(_ row: ClockUnderTest) throws {
    let clock = try row.make().clock
    var random = SeededGenerator(seed: 0x7157)
    for _ in 0..<1_000 {
      // A quarter of the range on either side of now, so that nothing saturates.
      let a = clock.now.advanced(by: .nanoseconds(random.next(in: -(1 << 61)...(1 << 61))))
      let b = clock.now.advanced(by: .nanoseconds(random.next(in: -(1 << 61)...(1 << 61))))
      #expect(a.advanced(by: a.duration(to: b)) == b, "seed \(random.seed)")
      #expect(a.duration(to: b) == .zero - b.duration(to: a), "seed \(random.seed)")
      #expect((a < b) == (a.duration(to: b) > .zero), "seed \(random.seed)")
    }
  }

  @Test(arguments: ClockUnderTest.all)
  func `the resolution is at least a nanosecond`(_ row: ClockUnderTest) throws {
    #expect(try row.make().clock.minimumResolution >= .nanoseconds(1))
  }

  @Test(arguments: ClockUnderTest.all)
  func `now never goes back`(_ row: ClockUnderTest) async throws {
    let fixture = try row.make()
    let clock = fixture.clock
    var latest = clock.now
    for step in 0..<20 {
      let wish = latest.advanced(by: row.nap * (step % 3 - 1))
      let sleeper = Task { try await clock.sleep(until: wish, tolerance: nil) }
      await fixture.pass(row.nap)
      try await sleeper.value
      let now = clock.now
      #expect(now >= latest)
      latest = now
    }
  }

  @Test(arguments: ClockUnderTest.all)
  func `a sleep until the past returns at once`(_ row: ClockUnderTest) async throws {
    let clock = try row.make().clock
    let now = clock.now
    try await clock.sleep(until: now.advanced(by: .nanoseconds(-1)), tolerance: nil)
    try await clock.sleep(until: .min, tolerance: nil)
    if !row.holdsAtNow { try await clock.sleep(until: now, tolerance: nil) }
  }

  @Test(arguments: ClockUnderTest.all.filter(\.holdsAtNow))
  func `a sleep until exactly now waits for the next advance`(_ row: ClockUnderTest) async throws {
    let fixture = try row.make()
    let clock = fixture.clock
    let trace = Trace(clock: AnyClock(clock))
    try await withThrowingTaskGroup { group in
      group.addTask {
        try await clock.sleep(until: clock.now, tolerance: nil)
        trace.record("woken")
      }
      #expect(trace.labels == [])
      await fixture.pass(.zero)
      #expect(trace.labels == ["woken"])
      try await group.waitForAll()
    }
  }

  @Test(arguments: ClockUnderTest.all)
  func `a sleep is never too short`(_ row: ClockUnderTest) async throws {
    let fixture = try row.make()
    let clock = fixture.clock
    for _ in 0..<10 {
      let deadline = clock.now.advanced(by: row.nap)
      let sleeper = Task {
        try await clock.sleep(until: deadline, tolerance: nil)
        return clock.now
      }
      await fixture.pass(row.nap)
      #expect(try await sleeper.value >= deadline)
    }
  }

  @Test(arguments: ClockUnderTest.all)
  func `a cancelled task does not sleep, not even until the past`(_ row: ClockUnderTest) async throws {
    let clock = try row.make().clock
    for offset in [Duration.seconds(-1), .zero, .seconds(1 << 20)] {
      let (gate, opener) = AsyncStream.makeStream(of: Void.self)
      let sleeper = Task {
        for await _ in gate {}
        try await clock.sleep(until: clock.now.advanced(by: offset), tolerance: nil)
      }
      sleeper.cancel()
      opener.finish()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }

  @Test(arguments: ClockUnderTest.all)
  func `a sleeper that is cancelled leaves at once`(_ row: ClockUnderTest) async throws {
    let clock = try row.make().clock
    // No task sleeps on an ImmediateClock; on every other clock this sleep would last more than eleven days.
    if clock is ImmediateClock<Duration> || clock is ScaledClock<ImmediateClock<Duration>> { return }
    let sleepers = (0..<5).map { index in
      Task {
        try await clock.sleep(until: clock.now.advanced(by: .seconds(1 << 30) * (index + 1)), tolerance: nil)
      }
    }
    for sleeper in sleepers {
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }

  @Test(arguments: ClockUnderTest.all)
  func `all sleepers of one instant wake, in order if that is promised`(_ row: ClockUnderTest)
    async throws
  {
    let fixture = try row.make()
    let clock = fixture.clock
    let trace = Trace(clock: AnyClock(clock))
    let deadline = clock.now.advanced(by: row.nap)
    try await withThrowingTaskGroup { group in
      for index in 0..<20 {
        group.addTask {
          try await clock.sleep(until: deadline, tolerance: nil)
          #expect(clock.now >= deadline)
          trace.record("\(index)")
        }
      }
      await fixture.pass(row.nap)
      try await group.waitForAll()
    }
    let woken = trace.labels.compactMap { Int($0) }
    #expect(woken.sorted() == Array(0..<20))
    let isDeterministic = row.nap == .seconds(3600)
    if row.keepsOrder, isDeterministic { #expect(woken == Array(0..<20)) }
  }
}

extension SeededGenerator {
  mutating func next(in range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &self) }
}
