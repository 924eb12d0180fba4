import Synchronization
import Testing
import TimelineClocks
import TimelineCore
import TimelineMachine
import TimelineTesting

@testable import timeline_examples

/// The programs that docs/library.md shows.
@Suite struct ExampleTests {
  private final class Screen: Sendable {
    private let text = Mutex<[String]>([])
    var lines: [String] { text.withLock { $0 } }
    func show(_ line: String) { text.withLock { $0.append(line) } }
  }

  @Test func `the countdown counts down`() async {
    await withTestClock { clock in
      let screen = Screen()
      let task = Task { await countdown(from: 3, on: clock) { screen.show($0) } }
      await clock.advance(by: .milliseconds(2_500))
      #expect(screen.lines == ["3s", "2s", "1s"])
      await clock.advance(by: .milliseconds(500))
      await task.value
      #expect(screen.lines == ["3s", "2s", "1s", "Lift-off!"])
    }
  }

  @Test(arguments: [
    (Cadence.live, ["01:59:58", "01:59:59", "03:00:00", "03:00:01"]), (.minutes, ["01:59"]),
  ])
  func `the clock face follows the clocks of its zone`(cadence: Cadence, lines: [String]) async throws {
    let berlin = try Zone(named: "Europe/Berlin")
    await withTestClock(now: try WallInstant(rfc3339: "2026-03-29T00:59:58.5Z")) { clock in
      let screen = Screen()
      let task = Task { await clockFace(in: berlin, on: clock, cadence: cadence) { screen.show($0) } }
      await clock.advance(by: .seconds(3))
      task.cancel()
      await task.value
      #expect(screen.lines == lines)
    }
  }
}
