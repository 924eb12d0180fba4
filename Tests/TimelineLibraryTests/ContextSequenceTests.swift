import Testing
import TimelineClocks
import TimelineCore
import TimelineTesting

/// An instant in whole seconds, for tables.
private func second(_ seconds: Int64) -> WallInstant { WallInstant(secondsSinceEpoch: seconds) }

/// A list of entries, in any order.
private struct ListedSchedule: Schedule {
  var seconds: [Int64]

  func entries(from start: WallInstant, mode: Mode) -> [WallInstant] { seconds.map(second) }
}

/// An update that a loop received: its instant and its entry.
private struct Update: Equatable, CustomStringConvertible {
  var at: Int64
  var date: Int64

  init(_ at: Int64, _ date: Int64) { (self.at, self.date) = (at, date) }

  init(_ context: TimelineContext, on clock: some TimelineClock) {
    at = (clock.now - .epoch).nanoseconds / 1_000_000_000
    date = (context.date - .epoch).nanoseconds / 1_000_000_000
  }

  var description: String { "\(at): \(date)" }
}

@Suite struct ContextSequenceTests {
  /// Plays a schedule on a clock that begins at `start` and moves to `end`, with a body that takes `busy`.
  private func updates(
    of schedule: some Schedule, from start: Int64, to end: Int64, cadence: Cadence? = nil,
    busy: [Int64: Int64] = [:]
  ) async -> [Update] {
    await withTestClock(now: second(start)) { clock in
      let task = Task {
        var updates: [Update] = []
        for await context in schedule.contexts(on: clock, cadence: cadence) {
          updates.append(Update(context, on: clock))
          let date = updates[updates.count - 1].date
          if let seconds = busy[date] { try? await clock.sleep(for: .seconds(seconds)) }
        }
        return updates
      }
      await clock.advance(to: second(end))
      task.cancel()
      return await task.value
    }
  }

  @Test func `the current entry comes at once, with its own date`() async {
    let found = await updates(of: .everyMinute, from: 115, to: 245)
    #expect(found == [Update(115, 60), Update(120, 120), Update(180, 180), Update(240, 240)])
  }

  @Test func `a boundary is an entry, and comes once`() async {
    let found = await updates(of: .periodic(from: .epoch, by: .seconds(5)), from: 15, to: 20)
    #expect(found == [Update(15, 15), Update(20, 20)])
  }

  @Test func `before a start in the future the present is shown`() async {
    let found = await updates(of: .periodic(from: second(100), by: .seconds(5)), from: 12, to: 105)
    #expect(found == [Update(12, 12), Update(100, 100), Update(105, 105)])
  }

  @Test(arguments: [
    (AnimationSchedule.animation(paused: true), ScheduleMode.normal), (.animation, .lowFrequency),
    (.animation(minimumInterval: .seconds(1), paused: true), .lowFrequency),
  ])
  func `an animation without entries shows the present once, and nothing more`(
    _ animation: AnimationSchedule, _ mode: ScheduleMode
  ) async {
    await withTestClock(now: second(7)) { clock in
      var dates: [WallInstant] = []
      for await context in clock.contexts(of: animation, mode: mode) { dates.append(context.date) }
      #expect(dates == [second(7)])
    }
  }

  @Test func `only the latest missed entry comes, and the phase stays`() async {
    let found = await updates(
      of: .periodic(from: .epoch, by: .seconds(5)), from: 2, to: 30, busy: [5: 12])
    #expect(
      found == [Update(2, 0), Update(5, 5), Update(17, 15), Update(20, 20), Update(25, 25), Update(30, 30)])
  }

  @Test func `an animation keeps the phase of its first frame`() async {
    let found = await updates(
      of: .animation(minimumInterval: .seconds(3)), from: 1, to: 16, busy: [4: 4])
    #expect(
      found == [Update(1, 1), Update(4, 4), Update(8, 7), Update(10, 10), Update(13, 13), Update(16, 16)])
  }

  @Test func `half a century of missed milliseconds is one update`() async {
    let found = await updates(
      of: .periodic(from: .epoch, by: .milliseconds(1)), from: 0, to: 1_700_000_000, busy: [0: 1_700_000_000])
    #expect(found == [Update(0, 0), Update(1_700_000_000, 1_700_000_000)])
  }

  @Test func `a list of many dates is read to its end`() async {
    let dates = (0..<25_000).map { second($0) } + [second(100_000)]
    let found = await updates(of: .explicit(dates), from: 50_000, to: 100_000)
    #expect(found == [Update(50_000, 24_999), Update(100_000, 100_000)])
  }

  @Test func `an iterator returns one update at a time, and stays at its end`() async {
    var iterator = ImmediateClock().contexts(of: .explicit([second(7)])).makeAsyncIterator()
    #expect(await iterator.next()?.date == .epoch)
    #expect(await iterator.next()?.date == second(7))
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
  }

  @Test func `dates in the past are one update, and the sequence ends with the last one`() async {
    await withTestClock(now: second(25)) { clock in
      let task = Task {
        var found: [Update] = []
        for await context in clock.contexts(of: .explicit([10, 20, 30].map(second))) {
          found.append(Update(context, on: clock))
        }
        return found
      }
      await clock.run()
      #expect(await task.value == [Update(25, 20), Update(30, 30)])
    }
  }

  @Test func `an entry that is not later than the one before it is left out`() async {
    #expect(await updates(of: ListedSchedule(seconds: []), from: 0, to: 10) == [Update(0, 0)])
    #expect(
      await updates(of: ListedSchedule(seconds: [3, 3, 2, 5, 5, 1]), from: 0, to: 10)
        == [Update(0, 0), Update(3, 3), Update(5, 5)])
  }

  @Test func `a slow cadence shows the latest entry at most once per period`() async {
    let schedule = PeriodicSchedule.periodic(from: .epoch, by: .seconds(1))
    #expect(
      await updates(of: schedule, from: 10, to: 140, cadence: .minutes)
        == [Update(10, 10), Update(70, 70), Update(130, 130)])
    #expect(
      await updates(of: .explicit([1, 2, 3].map(second)), from: 0, to: 100, cadence: .minutes)
        == [Update(0, 0), Update(60, 3)], "the last one is not lost")
    let tenths = PeriodicSchedule.periodic(from: .epoch, by: .milliseconds(100))
    #expect(await updates(of: tenths, from: 0, to: 2, cadence: .seconds) == [0, 1, 2].map { Update($0, $0) })
  }

  @Test func `updates of a slow cadence keep its period for any interval`() async {
    let sevens = PeriodicSchedule.periodic(from: .epoch, by: .seconds(7))
    #expect(
      await updates(of: sevens, from: 10, to: 250, cadence: .minutes)
        == [Update(10, 7), Update(70, 70), Update(130, 126), Update(190, 189), Update(250, 245)])
    #expect(
      await updates(of: sevens, from: 0, to: 200, cadence: .minutes, busy: [56: 75])
        == [Update(0, 0), Update(60, 56), Update(135, 133), Update(195, 189)])
    #expect(
      await updates(of: .everyMinute, from: 115, to: 300, cadence: .minutes, busy: [120: 75])
        == [Update(115, 60), Update(120, 120), Update(195, 180), Update(240, 240), Update(300, 300)],
      "minutes keep their phase")
  }

  @Test(arguments: [
    (ScheduleMode.normal, nil as Cadence?, Cadence.live), (.lowFrequency, nil, .minutes),
    (.lowFrequency, .seconds, .seconds),
  ])
  func `the context names mode and cadence`(mode: ScheduleMode, asked: Cadence?, told: Cadence) async {
    let clock = ImmediateClock()
    for await context in clock.contexts(of: .everyMinute, mode: mode, cadence: asked).prefix(1) {
      #expect(context == TimelineContext(date: .epoch, cadence: told, mode: mode))
    }
  }

  @Test func `any schedule plays on any clock`() async {
    let schedules: [any Schedule] = [.everyMinute, .periodic(from: .epoch, by: 60)]
    let clocks: [any Clock<Duration>] = [ImmediateClock(), ContinuousClock()]
    for clock in clocks {
      for schedule in schedules {
        for await context in clock.contexts(of: schedule).prefix(1) { #expect(context.date == .epoch) }
      }
      for await context in EveryMinuteSchedule.everyMinute.contexts(on: clock).prefix(1) {
        #expect(context.date == .epoch)
      }
    }
  }

  @Test
  func `a canceled task gets no updates, even if the schedule never reaches the present`()
    async
  {
    struct Stuck: Schedule {
      func entries(from start: WallInstant, mode: Mode) -> AnyIterator<WallInstant> {
        AnyIterator { .epoch }
      }
    }
    await withTestClock(now: second(1)) { clock in
      let task = Task {
        var count = 0
        for await _ in clock.contexts(of: Stuck()) { count += 1 }
        return count
      }
      task.cancel()
      #expect(await task.value == 0)
    }
  }

  @Test func `no sleep remains after a loop`() async throws {
    try await withTestClock { clock in
      let task = Task {
        for await _ in clock.contexts(of: .everyMinute) {}
      }
      await clock.advance(by: .seconds(90))
      task.cancel()
      await task.value
      try await clock.checkSuspension()
    }
  }

  @Test func `each loop over one sequence has a timeline of its own`() async {
    let clock = ImmediateClock()
    let contexts = clock.contexts(of: .periodic(from: .epoch, by: .seconds(1)))
    for _ in 1...2 {
      let start = clock.now
      var dates: [WallInstant] = []
      for await context in contexts.prefix(2) { dates.append(context.date) }
      #expect(dates == [start, start + .seconds(1)])
    }
  }

  @Test func `a scaled clock plays a schedule at its speed`() async {
    await withTestClock { base in
      let clock = ScaledClock(base: base, speed: 60)
      let task = Task {
        var found: [Update] = []
        for await context in clock.contexts(of: .everyMinute) { found.append(Update(context, on: base)) }
        return found
      }
      await base.advance(by: .seconds(3))
      task.cancel()
      #expect(await task.value == [Update(0, 0), Update(1, 60), Update(2, 120), Update(3, 180)])
    }
  }

  @Test func `an actor's loop stays on the actor`() async {
    actor Display {
      var dates: [WallInstant] = []

      func show(on clock: some TimelineClock) async {
        for await context in clock.contexts(of: .everyMinute).prefix(3) { dates.append(context.date) }
      }
    }
    let display = Display()
    await display.show(on: ImmediateClock())
    #expect(await display.dates == [0, 60, 120].map(second))
  }
}
