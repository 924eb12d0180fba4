import Synchronization
import Testing
import TimelineClocks
import TimelineTesting

@Suite struct UnimplementedClockTests {
  @Test func `a clock that is not touched reports nothing`() {
    let clocks: [any Clock<Duration>] = [
      UnimplementedClock(), UnimplementedClock(name: "Wall"), AnyClock(UnimplementedClock()),
    ]
    #expect(clocks.count == 3)
  }

  @Test(arguments: ["now", "minimumResolution", "sleep"])
  func `every use is reported by its name`(_ member: String) async throws {
    let clock = UnimplementedClock(name: "Wall")
    try await withKnownIssue {
      switch member {
      case "now": _ = clock.now
      case "minimumResolution": _ = clock.minimumResolution
      default: try await clock.sleep(until: .init(), tolerance: nil)
      }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Unimplemented: Wall.\(member)") }
    }
  }

  @Test func `a timer is one issue, and one in each task`() async {
    let count = Mutex(0)
    let clock = UnimplementedClock()
    for _ in 0..<2 {
      await withKnownIssue {
        await Task { for await _ in clock.timer(interval: .seconds(1)).prefix(50) {} }.value
      } matching: { _ in
        count.withLock { $0 += 1 }
        return true
      }
    }
    #expect(count.withLock { $0 } == 2)
  }

  @Test func `the short spelling works in a generic context`() async throws {
    let clock: some Clock<Duration> = .unimplemented()
    try await withKnownIssue {
      try await clock.sleep(for: .seconds(1))
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Unimplemented: Clock.") }
    }
  }

  @Test func `it has the name of the clock that it replaces`() {
    let clock = UnimplementedClock(ContinuousClock())
    withKnownIssue {
      _ = clock.now
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Unimplemented: ContinuousClock.now") }
    }
  }
}
