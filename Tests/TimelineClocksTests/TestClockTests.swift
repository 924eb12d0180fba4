import IssueReporting
import Testing
import TimelineClocks
import TimelineCore
import TimelineTesting

@Suite struct TestClockTests {
  let clock = TestClock()

  @Test func `a clock begins at the epoch or at the given instant`() {
    #expect(clock.now == TestClock.Instant())
    #expect(clock.now == .epoch)
    let later = TestClock.Instant(offset: .seconds(5))
    #expect(TestClock(now: later).now == later)
    #expect(clock.isDeterministic)
  }

  @Test func `an advance wakes the due sleepers and no others`() async throws {
    let trace = Trace(clock: clock)
    for seconds in [3, 1, 4, 2] {
      Task { [clock] in
        try await clock.sleep(for: .seconds(seconds))
        trace.record("\(seconds)")
      }
    }
    await clock.advance(by: .seconds(2))
    #expect(trace.diagram() == "-12")
    await clock.advance(to: TestClock.Instant(offset: .seconds(4)))
    #expect(trace.diagram() == "-1234")
    try await clock.checkSuspension()
  }

  @Test func `every deadline on the way is visited, also those that are set on the way`() async throws {
    let trace = Trace(clock: clock)
    let task = Task { [clock] in
      for _ in 0..<5 {
        try await clock.sleep(for: .seconds(1))
        trace.record("a")
      }
      await withTaskGroup { group in
        for label in ["b", "c"] {
          group.addTask {
            try? await clock.sleep(for: .seconds(2))
            trace.record(label)
          }
        }
      }
    }
    await clock.advance(by: .seconds(60))
    try await task.value
    #expect(trace.diagram() == "-aaaaa-(bc)")
    #expect(clock.now == TestClock.Instant(offset: .seconds(60)))
  }

  @Test func `equal deadlines wake in order of registration, each after all effects of the one before`() async
  {
    let trace = Trace(clock: clock)
    let deadline = clock.now.advanced(by: .seconds(1))
    let victims = (0..<3).map { index in
      Task { [clock] in
        try await clock.sleep(for: .seconds(index))
        try await clock.sleep(until: deadline)
        trace.record("\(index)")
      }
    }
    Task { [clock] in
      try await clock.sleep(until: deadline)
      trace.record("x")
      victims[0].cancel()
      victims[1].cancel()
    }
    // Index 0 sleeps until zero twice before, so it registers after "x"; 1 and 2 are later still.
    await clock.advance(by: .seconds(3))
    #expect(trace.diagram() == "-x2")
  }

  @Test func `a sleep until now lasts until the next advance`() async throws {
    let trace = Trace(clock: clock)
    let task = Task { [clock] in
      try await clock.sleep(until: clock.now)
      trace.record("a")
    }
    await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
    #expect(trace.labels == [])
    await clock.advance()
    #expect(trace.labels == ["a"])
    try await task.value
  }

  @Test func `an advance that is canceled stops where it is`() async throws {
    let other = TestClock()
    let advance = Task { [clock] in
      try await other.sleep(for: .seconds(1))
      await clock.advance(by: .seconds(9))
    }
    let sleepers = (1...3).map { seconds in
      Task { [clock] in
        try await clock.sleep(for: .seconds(seconds))
        if seconds == 2 { advance.cancel() }
      }
    }
    await other.advance(by: .seconds(1))
    try await advance.value
    #expect(clock.now == TestClock.Instant(offset: .seconds(2)))
    sleepers[2].cancel()
    try await clock.checkSuspension()
  }

  @Test func `advancing into the past changes nothing`() async {
    await clock.advance(by: .seconds(5))
    await clock.advance(by: .seconds(-3))
    await clock.advance(to: TestClock.Instant())
    #expect(clock.now == TestClock.Instant(offset: .seconds(5)))
  }

  @Test func `a suspension error has the number of sleepers and their deadlines`() async throws {
    let tasks = [7, 5].map { seconds in Task { [clock] in try await clock.sleep(for: .seconds(seconds)) } }
    let error = await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
    #expect(error?.count == 2)
    #expect(error?.earliestDeadline == TestClock.Instant(offset: .seconds(5)))
    #expect(error?.description.contains("2 sleeps are still suspended") == true)
    for task in tasks { task.cancel() }
    try await clock.checkSuspension()
  }

  @Test func `run ends when no task sleeps`() async throws {
    let task = Task { [clock] in
      var ticks = 0
      for await _ in clock.timer(interval: .seconds(86_400)).prefix(100) { ticks += 1 }
      return ticks
    }
    await clock.run()
    #expect(await task.value == 100)
    #expect(clock.now == TestClock.Instant(offset: .seconds(8_640_000)))
  }

  @Test func `run reports an endless task and ends it`() async throws {
    let task = Task { [clock] in
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    await withExpectedIssue {
      await clock.run(timeout: .milliseconds(5))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    // Twenty wake-ups for each millisecond, on any machine.
    #expect(clock.now == TestClock.Instant(offset: .seconds(100)))
    try await clock.checkSuspension()
  }

  @Test func `the report of run names the limit and the remedy`() async {
    let task = Task { [clock] in
      while true { try await clock.sleep(for: .seconds(1)) }
    }
    await withKnownIssue {
      await clock.run(timeout: .milliseconds(1))
    } matching: { issue in
      let text = issue.comments.map(\.rawValue).joined()
      return text.contains("after 20 wake-ups") && text.contains("0.001 seconds")
        && text.contains("Cancel it")
    }
    _ = await task.result
  }

  @Test func `time that does not pass is reported and does not hang`() async {
    let task = Task { [clock] in
      while !Task.isCancelled { try await clock.sleep(for: .zero) }
    }
    await withKnownIssue {
      await clock.advance(by: .seconds(1))
    } matching: { issue in
      issue.comments.map(\.rawValue).joined().contains("Time does not pass")
    }
    task.cancel()
    _ = await task.result
  }

  @Test(arguments: [1_000, 10_000])
  func `all sleepers of one instant wake, also very many`(_ count: Int) async throws {
    let trace = Trace(clock: clock)
    for index in 0..<count {
      Task { [clock] in
        try await clock.sleep(until: TestClock.Instant(offset: .seconds(1)))
        trace.record("\(index)")
      }
    }
    await clock.advance(by: .seconds(1))
    #expect(trace.labels == (0..<count).map { "\($0)" })
    try await clock.checkSuspension()
  }

  @Test func `an issue is reported where the clock was moved`() async {
    let task = Task { [clock] in
      while !Task.isCancelled { try await clock.sleep(for: .zero) }
    }
    let line = #line
    await withKnownIssue {
      await clock.advance(by: .seconds(1))
    } matching: { issue in
      issue.sourceLocation?.fileID == #fileID && issue.sourceLocation?.line == line + 2
    }
    task.cancel()
    _ = await task.result
  }

  @Test @MainActor func `tasks of the main actor are awaited`() async throws {
    let clock = TestClock()
    let model = MainModel(clock: clock)
    model.start()
    await clock.advance(by: .seconds(1))
    #expect(model.seconds == 1)
    await clock.advance(by: .seconds(60))
    #expect(model.seconds == 61)
    #expect(model.echoes == 61)
    model.stop()
    try await clock.checkSuspension()
  }

  @Test func `descendants of a cancelled task end`() async throws {
    let task = Task { [clock] in
      try await withThrowingTaskGroup { group in
        for _ in 0..<10 { group.addTask { try await clock.sleep(for: .seconds(1)) } }
        try await group.waitForAll()
      }
    }
    await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
    task.cancel()
    try await clock.checkSuspension()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `two clocks of one test do not disturb each other`() async {
    let other = TestClock()
    let trace = Trace(clock: clock)
    Task { [clock] in
      try await clock.sleep(for: .seconds(1))
      trace.record("a")
      try await other.sleep(for: .seconds(1))
      trace.record("b")
    }
    await other.advance(by: .seconds(1))
    await clock.advance(by: .seconds(1))
    #expect(trace.labels == ["a"])
    await other.advance(by: .seconds(1))
    #expect(trace.labels == ["a", "b"])
  }

  @Test func `a test with a clock of its own is deterministic from its first line`() async {
    await withTestClock { clock in
      let trace = Trace(clock: clock)
      Task { trace.record("a") }
      Task { trace.record("b") }
      trace.record("c")
      await clock.advance()
      #expect(trace.labels == ["c", "a", "b"])
    }
  }
}

@MainActor private final class MainModel {
  private(set) var seconds = 0
  private(set) var echoes = 0
  private var task: Task<Void, any Error>?
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func start() {
    task = Task {
      while true {
        try await clock.sleep(for: .seconds(1))
        seconds += 1
        Task { echoes += 1 }
      }
    }
  }

  func stop() { task?.cancel() }
}
