import Testing
import TimelineTesting

/// A test that sleeps on a clock that nothing else moves.
@Suite struct DeadlockTests {
  @Test func `a deadlock is reported with its sleepers and deadlines, and the sleeps end`() async {
    let line = #line
    await withKnownIssue {
      await withTestClock { clock in
        let poller = Task(name: "poller") { try await clock.sleep(for: .seconds(9)) }
        #expect(await isCanceled { try await clock.sleep(for: .seconds(5)) })
        #expect(await isCanceled { try await poller.value })
      }
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.hasPrefix("Deadlock:") && text.contains("withTestClock(advancing: .automatically)")
        && text.contains("- the test itself until 1970-01-01T00:00:05Z, in 5.0 seconds\n- task ")
        && text.contains(" \"poller\" until 1970-01-01T00:00:09Z, in 9.0 seconds")
        && issue.sourceLocation?.line == line + 2
    }
  }

  @Test func `a deadlock of a clock that the test made is reported, with the first ten sleepers`() async {
    await withKnownIssue {
      let clock = TestClock()
      for seconds in 1...20 { Task { try await clock.sleep(for: .seconds(seconds)) } }
      #expect(await isCanceled { try await clock.sleep(for: .seconds(5)) })
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().hasSuffix("\n- 11 more")
    }
  }

  // In both tests the mover must not begin before the test sleeps; otherwise it moves a clock without sleepers.
  @Test func `a test that is woken by its own task is no deadlock`() async throws {
    try await withTestClock { clock in
      Task { for _ in 0..<10 { await clock.advance(by: .seconds(1)) } }
      for _ in 0..<3 { try await clock.sleep(for: .seconds(2)) }
      #expect(clock.now == WallInstant(offset: .seconds(6)))
    }
  }

  @Test func `a test that is woken by a task that waits in real time is no deadlock`() async throws {
    try await withTestClock { clock in
      let mover = Task {
        try await Task.sleep(for: .milliseconds(1))
        await clock.advance(by: .seconds(5))
      }
      try await clock.sleep(for: .seconds(5))
      try await mover.value
    }
  }

  @Test func `a test that waits for a thread while other tasks sleep is no deadlock`() async throws {
    let clock = TestClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(5)) }
    try await Task.sleep(for: .milliseconds(1))
    await clock.advance(by: .seconds(5))
    try await sleeper.value
  }
}
