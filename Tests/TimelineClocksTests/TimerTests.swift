import Testing
import TimelineClocks
import TimelineCore
import TimelineTesting

@Suite struct TimerTests {
  let clock = TestClock()

  @Test func `it ticks at every interval and ends with its task`() async throws {
    let trace = Trace(clock: clock)
    let task = Task { [clock] in
      for await instant in clock.timer(interval: .seconds(2)) {
        #expect(instant == clock.now)
        trace.record("t")
      }
      trace.end()
    }
    await clock.advance(by: .seconds(7))
    task.cancel()
    await task.value
    #expect(trace.diagram() == "--t-t-t|")
    try await clock.checkSuspension()
  }

  @Test func `a slow body costs ticks but not the phase`() async {
    let trace = Trace(clock: clock)
    Task { [clock] in
      for await _ in clock.timer(interval: .seconds(2)) {
        trace.record("t")
        // Once longer than two intervals: one tick for all missed ones, at once, and then in phase again.
        if clock.now == TestClock.Instant(offset: .seconds(4)) { try? await clock.sleep(for: .seconds(5)) }
      }
    }
    await clock.advance(by: .seconds(15))
    #expect(trace.diagram() == "--t-t----tt-t-t")
  }

  @Test func `thirds of a second do not drift`() async {
    let task = Task { [clock] in
      var last = clock.now
      for await instant in clock.timer(interval: .seconds(1) / 3).prefix(300) { last = instant }
      return last
    }
    await clock.run()
    // A third of a second is 333,333,333.333... ns: the sum would be 100 ns too short here.
    #expect(await task.value >= WallInstant(offset: .seconds(100) - .nanoseconds(1)))
  }

  @Test func `a timer and an advance of decimal seconds agree`() async {
    let trace = Trace(clock: clock)
    let task = Task { [clock] in
      for await _ in clock.timer(interval: .milliseconds(100)) { trace.record("t") }
    }
    await clock.advance(by: .seconds(1.2))
    #expect(trace.labels.count == 12)
    let slow = Task { [clock] in
      for await _ in clock.timer(interval: .seconds(0.1)) {
        trace.record("s")
        try? await clock.sleep(for: .seconds(1))
      }
    }
    task.cancel()
    await clock.advance(by: .seconds(1.1))
    #expect(trace.labels.suffix(2) == ["s", "s"])
    slow.cancel()
  }

  @Test func `an interval of zero still ticks`() async {
    let ticks = await ImmediateClock().timer(interval: .zero).prefix(5).reduce(0) { count, _ in count + 1 }
    #expect(ticks == 5)
  }

  @Test(arguments: [0, 1, 2, 3])
  func `a timer ends at the end of time`(_ left: Int) async throws {
    // The end itself is not a tick, because no time follows it.
    let start = WallInstant.max.advanced(by: .seconds(-left))
    let immediate = ImmediateClock(now: start).timer(interval: .seconds(1))
    #expect(await immediate.reduce(0) { count, _ in count + 1 } == max(0, left - 1))

    let clock = TestClock(now: start)
    let ticks = Task {
      await clock.timer(interval: .seconds(1)).reduce(0) { count, _ in count + 1 }
    }
    await clock.run()
    #expect(await ticks.value == max(0, left - 1))
    try await clock.checkSuspension()
  }

  @Test func `a clock of an erased type has a timer too`() async {
    let clock: any Clock<Duration> = ImmediateClock()
    var ticks: [WallInstant] = []
    for await instant in clock.timer(interval: .seconds(1)).prefix(3) { ticks.append(instant) }
    #expect(ticks == [1, 2, 3].map { WallInstant(offset: .seconds($0)) })
  }
}

@Suite struct ImmediateClockTests {
  @Test func `an immediate clock moves to every deadline ahead and never back`() async throws {
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(5))
    #expect(clock.now == ImmediateClock.Instant(offset: .seconds(5)))
    try await clock.sleep(until: ImmediateClock.Instant())
    #expect(clock.now == ImmediateClock.Instant(offset: .seconds(5)))
  }
}

@Suite struct TimeDiagramTests {
  @Test(arguments: ["", "|", "a", "a--b---|", "(ab)-c", "----a|", "-(abc)(de)|", "äöü-🙂|"])
  func `a diagram that is parsed, printed and parsed again is the same`(_ picture: String) throws {
    let diagram = try TimeDiagram(parsing: picture)
    #expect(diagram.description == picture)
    #expect(try TimeDiagram(parsing: diagram.description) == diagram)
  }

  @Test func `spaces and trailing dashes are ignored`() {
    #expect(("a - - b ---" as TimeDiagram).description == "a--b")
  }

  @Test(arguments: [
    ("(a", TimeDiagramError.unbalanced(at: 0)), ("a)", .unbalanced(at: 1)), ("((", .unbalanced(at: 1)),
    ("|a", .afterEnd(at: 1)), ("(a-)", .reserved("-", at: 2)),
  ])
  func `an invalid diagram is refused with its place`(_ picture: String, _ expected: TimeDiagramError) {
    #expect(throws: expected) { try TimeDiagram(parsing: picture) }
  }

  @Test func `a diagram with very long ticks is played to the end of time`() async {
    await withTestClock { clock in
      let task = Task {
        let played = ("-a" as TimeDiagram).play(on: clock, tick: Duration(attoseconds: .max))
        return await played.reduce("") { $0 + String($1) }
      }
      let other = Task {
        let played = TimeDiagram(events: [.init(tick: .max, label: "a")]).play(on: clock, tick: .seconds(1))
        return await played.prefix(1).reduce("") { $0 + String($1) }
      }
      await clock.advance(to: .max)
      #expect(await other.value == "a")
      task.cancel()
      #expect(await task.value == "a")
    }
  }

  @Test(arguments: ["a--b---|", "(ab)-c--|", "|", "---a|"])
  func `a diagram that is played and recorded is the same`(_ picture: String) async throws {
    let diagram = try TimeDiagram(parsing: picture)
    await withTestClock { clock in
      let trace = Trace(clock: clock)
      Task {
        for await label in diagram.play(on: clock) { trace.record(label) }
        trace.end()
      }
      await clock.run()
      #expect(trace.diagram() == diagram)
    }
  }
}
