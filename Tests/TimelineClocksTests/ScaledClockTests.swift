import Synchronization
import Testing
import TimelineClocks
import TimelineCore
import TimelineTesting

@Suite struct ScaledClockTests {
  @Test(.timeLimit(.minutes(1))) func `a run begins while a timer ticks without pause`() async {
    let clock = ScaledClock(base: ImmediateClock(), speed: 60)
    let ticking = Task { for await _ in clock.timer(interval: .milliseconds(1)) {} }
    let end = clock.now + .seconds(1)
    await clock.run(to: end)
    #expect(clock.now >= end)
    ticking.cancel()
  }

  let base = TestClock()

  private func at(_ seconds: Int) -> WallInstant { WallInstant(offset: .seconds(seconds)) }

  @Test func `an hour lasts a minute at sixtyfold speed`() async throws {
    let clock = ScaledClock(base: base, speed: 60)
    let trace = Trace(clock: base)
    let task = Task {
      try await clock.sleep(until: at(3_600))
      trace.record("a")
    }
    await base.advance(by: .seconds(59))
    #expect(trace.labels == [])
    await base.advance(by: .seconds(1))
    #expect(trace.entries == [Trace.Entry(instant: at(60), label: "a")])
    #expect(clock.now == at(3_600))
    try await task.value
  }

  @Test func `sleepers keep their deadlines through every change`() async {
    let clock = ScaledClock(base: base, speed: 10)
    let trace = Trace(clock: base)
    for seconds in [100, 50, 150] {
      Task {
        try await clock.sleep(until: at(seconds))
        trace.record("\(seconds)")
      }
    }
    await base.advance(by: .seconds(4))  // 40
    clock.setSpeed(1)
    await base.advance(by: .seconds(9))  // 49
    #expect(trace.labels == [])
    await base.advance(by: .seconds(1))  // 50
    #expect(trace.labels == ["50"])
    clock.pause()
    #expect(clock.isPaused)
    await base.advance(by: .seconds(1_000))
    #expect(clock.now == at(50))
    clock.resume()
    clock.setSpeed(100)
    await base.advance(by: .milliseconds(500))  // 100
    #expect(trace.labels == ["50", "100"])
    clock.setSpeed(0)
    #expect(clock.isPaused)
    clock.resume()
    #expect(clock.speed == 100)
    await base.advance(by: .milliseconds(500))
    #expect(trace.labels == ["50", "100", "150"])
  }

  @Test func `many sleepers need one sleeper of the base`() async throws {
    let clock = ScaledClock(base: base, speed: 2)
    let tasks = (1...50).map { index in Task { try await clock.sleep(until: at(index * 7 % 53 + 1)) } }
    for second in stride(from: 0, to: 20, by: 2) {
      let error = await #expect(throws: SuspensionError.self) { try await base.checkSuspension() }
      #expect(error?.count == 1)
      await base.advance(to: at(second))
    }
    for task in tasks { task.cancel() }
    try await base.checkSuspension()
  }

  @Test func `when the sleeper that waits for the base is cancelled another one takes over`() async throws {
    let clock = ScaledClock(base: base, speed: 1)
    let trace = Trace(clock: base)
    let tasks = (1...5).map { index in
      Task {
        try await clock.sleep(until: at(index))
        trace.record("\(index)")
      }
    }
    await base.advance()
    tasks[0].cancel()
    tasks[1].cancel()
    await base.advance(by: .seconds(3))
    tasks[3].cancel()
    await base.advance(by: .seconds(3))
    #expect(trace.diagram() == "---3-5")
    try await base.checkSuspension()
  }

  @Test func `after a leap all due sleepers see the new time`() async {
    let clock = ScaledClock(base: base, speed: .paused)
    let trace = Trace(clock: clock)
    for seconds in [30, 10, 20, 99] {
      Task {
        try await clock.sleep(until: at(seconds))
        trace.record("\(seconds)")
      }
    }
    await base.advance()
    clock.leap(to: at(50))
    await base.advance()
    #expect(trace.labels == ["10", "20", "30"])
    #expect(trace.entries.allSatisfy { $0.instant == at(50) })
    clock.leap(to: at(40))
    #expect(clock.now == at(50))
  }

  @Test func `a run to an instant visits every deadline in order, also those that are set on the way`()
    async
  {
    let clock = ScaledClock(base: base, speed: .paused)
    let trace = Trace(clock: clock)
    Task { for await _ in clock.timer(interval: .seconds(3)) { trace.record("t") } }
    Task {
      try await clock.sleep(until: at(4))
      trace.record("a")
      try await clock.sleep(until: at(5))
      trace.record("b")
    }
    await base.advance()
    await clock.run(to: at(10))
    #expect(trace.diagram() == "---tabt--t")
    #expect(clock.now == at(10))
  }

  @Test(arguments: [1, 5])
  func `a timer ticks for every interval of a run, on real executors too`(_ timers: Int) async {
    for run in 0..<20 {
      let clock = ScaledClock(base: ContinuousClock(), speed: .paused)
      let start = clock.now
      let ticks = (0..<timers).map { _ in
        Task { await clock.timer(interval: .seconds(1)).reduce(into: []) { $0.append($1) } }
      }
      await clock.run(to: start.advanced(by: .seconds(60)))
      for timer in ticks {
        timer.cancel()
        #expect(await timer.value == (1...60).map { start.advanced(by: .seconds($0)) }, "run \(run)")
      }
    }
  }

  @Test func `a run does not wait for a timer that ends, nor for one whose body waits for the clock`() async {
    let clock = ScaledClock(base: ContinuousClock(), speed: .paused)
    let ending = Task {
      await clock.timer(interval: .seconds(1)).prefix(2).reduce(0) { count, _ in count + 1 }
    }
    let waiting = Task {
      for await _ in clock.timer(interval: .seconds(10)).prefix(2) {
        async let nap: Void? = try? await clock.sleep(for: .seconds(1))
        _ = await nap
      }
      return clock.now
    }
    await clock.run(to: at(60))
    #expect(await ending.value == 2)
    #expect(await waiting.value >= at(21))
  }

  @Test func `sleepers end when the base clock gives up`() async {
    let clock = ScaledClock(base: BrokenClock(), speed: 2)
    let sleepers = (1...5).map { index in Task { try await clock.sleep(until: at(index)) } }
    for sleeper in sleepers {
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
  }

  @Test func `sleepers end when the test clock below them stops`() async {
    let clock = ScaledClock(base: base, speed: 2)
    let endless = Task { while true { try await clock.sleep(for: .seconds(1)) } }
    let late = Task { try await clock.sleep(until: at(1 << 30)) }
    await withKnownIssue { await base.run(timeout: .milliseconds(1)) }
    await #expect(throws: CancellationError.self) { try await endless.value }
    await #expect(throws: CancellationError.self) { try await late.value }
  }

  @Test func `when the base is set back time continues from the current instant`() async throws {
    let base = SettableClock()
    let clock = ScaledClock(base: base, speed: 2)
    base.set(at(100))
    #expect(clock.now == at(200))
    base.set(at(40))
    #expect(clock.now == at(200))
    base.set(at(50))
    #expect(clock.now == at(220))
  }
}

/// A base that can be set back, as the system clock can; no task sleeps on it.
private final class SettableClock: TimelineClock {
  private let present = Mutex(WallInstant.epoch)

  var now: WallInstant { present.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }
  func set(_ instant: WallInstant) { present.withLock { $0 = instant } }
  func sleep(until deadline: WallInstant, tolerance: Duration?) async throws { throw CancellationError() }
}

/// A base on which sleeping is impossible.
private struct BrokenClock: TimelineClock {
  struct Broken: Error {}

  var now: WallInstant { .epoch }
  var minimumResolution: Duration { .nanoseconds(1) }
  func sleep(until deadline: WallInstant, tolerance: Duration?) async throws { throw Broken() }
}
