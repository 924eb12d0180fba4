import Testing
import TimelineClocks
import TimelineCore
import TimelineTesting

/// Test clocks that meet tasks of other test clocks.
@Suite struct SharedTestClockTests {
  @Test func `a clock may be moved from tests of other clocks at the same time`() async throws {
    // Made in a detached task, so that it shares its tasks with no other clock.
    let shared = await Task.detached { TestClock() }.value
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          await withTestClock { own in
            let task = Task {
              try await own.sleep(for: .seconds(1))
              try await shared.sleep(for: .seconds(1))
            }
            await shared.advance(by: .seconds(1))
            await own.advance(by: .seconds(1))
            task.cancel()
            _ = await task.result
          }
        }
      }
    }
    try await shared.checkSuspension()
    #expect(shared.now > TestClock.Instant())
  }

  @Test func `main actor tasks of several tests are each awaited`() async {
    await withTaskGroup { group in
      for test in 0..<8 {
        group.addTask {
          await withTestClock { clock in
            let trace = Trace(clock: clock)
            let task = Task { @MainActor in
              for await _ in clock.timer(interval: .seconds(1)).prefix(20) { trace.record("\(test)") }
            }
            await clock.advance(by: .seconds(20))
            #expect(trace.labels.count == 20)
            await task.value
          }
        }
      }
    }
  }
}
