import Testing
import TimelineTesting

/// A clock that moves by itself when every task of the test sleeps.
@Suite struct AutomaticClockTests {
  private func at(_ seconds: Int) -> WallInstant { WallInstant(offset: .seconds(seconds)) }

  @Test func `the test itself may sleep`() async throws {
    try await withTestClock(now: at(100), advancing: .automatically) { clock in
      try await clock.sleep(for: .seconds(5))
      #expect(clock.now == at(105))
      try await clock.sleep(until: clock.now)
      #expect(clock.now == at(105))
      #expect(clock.isDeterministic)
    }
  }

  @Test func `time moves to the next sleeper of any task, and waits for its work`() async throws {
    await withTestClock(advancing: .automatically) { clock in
      let trace = Trace(clock: clock)
      await withTaskGroup { group in
        for seconds in [3, 1, 2] {
          group.addTask {
            try? await clock.sleep(for: .seconds(seconds))
            for _ in 0..<seconds * 10 { await Task.yield() }
            trace.record("\(seconds)")
          }
        }
      }
      trace.record("x")
      #expect(trace.diagram() == "-12(3x)")
    }
  }

  @Test func `timers, scaled clocks and schedules play on an automatic clock`() async throws {
    try await withTestClock(advancing: .automatically) { clock in
      let ticks = Task {
        await clock.timer(interval: .seconds(7)).prefix(3).reduce(into: []) { $0.append($1) }
      }
      #expect(await ticks.value == [at(7), at(14), at(21)])
      try await ScaledClock(base: clock, speed: 60).sleep(for: .seconds(120))
      #expect(clock.now == at(23))
      var dates: [WallInstant] = []
      for await context in clock.contexts(of: .everyMinute).prefix(3) { dates.append(context.date) }
      #expect(dates == [at(0), at(60), at(120)])
    }
  }

  @Test func `the test may move it, too`() async throws {
    try await withTestClock(advancing: .automatically) { clock in
      let trace = Trace(clock: clock)
      let task = Task {
        for await _ in clock.timer(interval: .seconds(1)) { trace.record("t") }
      }
      await clock.advance(by: .seconds(2))
      #expect(trace.diagram() == "-tt")
      try await clock.sleep(for: .milliseconds(2_500))
      #expect(trace.diagram() == "-tttt")
      task.cancel()
    }
  }

  @Test func `the clock stands still after the end of the test`() async throws {
    let clock = try await withTestClock(advancing: .automatically) { clock in
      Task { for await _ in clock.timer(interval: .seconds(1)) {} }
      try await clock.sleep(for: .seconds(3))
      return clock
    }
    await clock.advance()
    #expect(clock.now == at(3))
  }

  @Test func `a hundred concurrent tests have one trace each`() async {
    let traces = await withTaskGroup(returning: Set<[Trace.Entry]>.self) { group in
      for _ in 0..<100 {
        group.addTask {
          await withTestClock(advancing: .automatically) { clock in
            let trace = Trace(clock: clock)
            await withTaskGroup { group in
              for task in 1...5 {
                group.addTask {
                  for _ in 0..<5 { try? await clock.sleep(for: .seconds(task)) }
                  trace.record("\(task)")
                }
              }
            }
            return trace.entries
          }
        }
      }
      return await group.reduce(into: []) { $0.insert($1) }
    }
    #expect(traces.count == 1)
  }

  @Test func `time that does not pass is reported, and the sleeps end`() async {
    await withKnownIssue {
      await withTestClock(advancing: .automatically) { clock in
        #expect(await isCanceled { while true { try await clock.sleep(for: .zero) } })
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("Time does not pass") && text.contains("- the test itself until")
    }
  }
}

/// Whether `body` ends with a `CancellationError`.
func isCanceled(_ body: () async throws -> Void) async -> Bool {
  do {
    try await body()
    return false
  } catch {
    return error is CancellationError
  }
}
