import Testing
import TimelineTesting

/// Tasks that run many jobs before they are idle, and tasks that are never idle.
@Suite(.serialized) struct RestTests {
  @Test(arguments: Work.all)
  func `a clock waits for much work at one instant`(_ work: Work) async {
    let clock = TestClock()
    let trace = Trace(clock: clock)
    for _ in 0..<work.tasks {
      Task {
        try await clock.sleep(for: .seconds(1))
        await work.body()
        trace.record("a")
      }
    }
    Task {
      try await clock.sleep(for: .seconds(2))
      trace.record("b")
    }
    await clock.advance(by: .seconds(2))
    #expect(trace.labels.firstIndex(of: "b") == work.tasks)
    #expect(clock.isDeterministic)
  }

  @Test(arguments: Poll.all)
  func `a task that polls is reported once, and does not keep the clock from moving`(_ poll: Poll) async {
    let clock = TestClock()
    let trace = Trace(clock: clock)
    let poller = Task { await poll.body() }
    Task {
      try await clock.sleep(for: .seconds(1))
      trace.record("a")
      try await clock.sleep(for: .seconds(1))
      trace.record("b")
    }
    let line = #line
    await withKnownIssue {
      await clock.advance(by: .seconds(1))
    } matching: { issue in
      issue.sourceLocation?.line == line + 2
        && issue.comments.contains { $0.rawValue.hasPrefix("A task polls: it has yielded 100000 times") }
    }
    #expect(!clock.isDeterministic)
    await clock.advance(by: .seconds(1))
    #expect(trace.diagram() == "-ab")
    poller.cancel()
    await poller.value
  }

  @Test func `a test that polls leaves other clocks deterministic`() async {
    await withTaskGroup { group in
      let done = Trace(clock: ImmediateClock())
      group.addTask {
        let clock = TestClock()
        let poller = Task { await Poll.all[0].body() }
        await withKnownIssue { await clock.advance() }
        while done.labels.isEmpty { await Task.yield() }
        poller.cancel()
      }
      group.addTask {
        let clock = TestClock()
        for _ in 0..<10 { await clock.advance(by: .seconds(1)) }
        #expect(clock.isDeterministic)
        done.record("done")
      }
    }
  }

  /// Work of each of some tasks at one instant.
  struct Work: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let tasks: Int
    let body: @Sendable () async -> Void

    static let all = [
      Work(testDescription: "a task with 60,000 calls of an actor", tasks: 1) {
        let actor = Bystander()
        for _ in 0..<60_000 { await actor.work() }
      },
      Work(testDescription: "a task with 60,000 calls of the main actor", tasks: 1) {
        for _ in 0..<60_000 { await MainActor.run {} }
      },
      Work(testDescription: "20,000 tasks that yield twice", tasks: 20_000) {
        await Task.yield()
        await Task.yield()
      },
    ]
  }

  /// A loop without end that gives way at each turn.
  struct Poll: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable () async -> Void

    static let all = [
      Poll(testDescription: "anywhere") { while !Task.isCancelled { await Task.yield() } },
      Poll(testDescription: "on an actor") { await Bystander().poll() },
      Poll(testDescription: "on the main actor") { @MainActor in
        while !Task.isCancelled { await Task.yield() }
      },
    ]
  }
}

private actor Bystander {
  private var count = 0

  func work() { count += 1 }
  func poll() async { while !Task.isCancelled { await Task.yield() } }
}
