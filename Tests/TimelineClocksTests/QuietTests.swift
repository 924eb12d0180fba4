import Testing
import TimelineTesting

/// An advance returns when all is quiet, whatever the tasks do on the way.
@Suite(.serialized) struct QuietTests {
  @Test(arguments: Program.all)
  func `two hundred runs beside eight busy loops have one trace`(_ program: Program) async throws {
    try await withBusyLoops(count: 8) {
      for run in 0..<200 {
        let clock = TestClock()
        let trace = Trace(clock: clock)
        Task {
          try await clock.sleep(for: .seconds(1))
          await program.body(trace)
          trace.record("end")
        }
        Task {
          try await clock.sleep(for: .milliseconds(1_001))
          trace.record("later")
        }
        await clock.advance(by: .seconds(1))
        let labels = trace.labels
        try #require(labels == program.labels, "run \(run)")
        await clock.advance(by: .seconds(1))
        try #require(trace.labels == labels + ["later"], "run \(run)")
        try #require(clock.isDeterministic, "run \(run)")
      }
    }
  }

  @Test func `an advance by a woken task is part of the one that woke it`() async {
    let clock = TestClock()
    let trace = Trace(clock: clock)
    Task {
      try await clock.sleep(for: .seconds(1))
      await clock.advance(by: .seconds(5))
      trace.record("inner")
    }
    Task {
      try await clock.sleep(for: .seconds(4))
      trace.record("sleeper")
    }
    await clock.advance(by: .seconds(1))
    #expect(trace.labels == ["sleeper", "inner"])
    #expect(clock.now == TestClock.Instant(offset: .seconds(6)))
  }

  @Test func `an advance by a woken task is part of the run that woke it`() async {
    let clock = TestClock()
    let trace = Trace(clock: clock)
    Task {
      for _ in 0..<3 {
        try await clock.sleep(for: .seconds(1))
        await clock.advance(by: .seconds(1))
      }
      trace.record("end")
    }
    await clock.run()
    #expect(trace.labels == ["end"])
    #expect(clock.now == TestClock.Instant(offset: .seconds(6)))
  }
}

/// Work of a woken task, and what it records.
struct Program: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let labels: [String]
  let body: @Sendable (Trace) async -> Void

  init(_ name: String, _ labels: [String], _ body: @escaping @Sendable (Trace) async -> Void) {
    self.testDescription = name
    self.labels = labels
    self.body = body
  }

  static let all: [Program] =
    [1, 2, 5, 10, 100].flatMap { count in
      [
        Program("\(count) yields in an actor", ["\(count)", "end"]) { trace in
          let importer = Importer()
          await importer.run(count)
          trace.record("\(await importer.count)")
        },
        Program("\(count) yields before the call of an actor", ["\(count)", "end"]) { trace in
          let importer = Importer()
          for _ in 0..<count {
            await Task.yield()
            await importer.increment()
            await Task.yield()
          }
          trace.record("\(await importer.count)")
        },
        Program("\(count) yields of a task that an actor has started", ["\(count)", "end"]) { trace in
          let importer = Importer()
          await importer.start(count)
          trace.record("\(await importer.finished())")
        },
      ]
    } + [
      Program("detached tasks that yield", ["10", "end"]) { trace in
        let importer = Importer()
        let tasks = (0..<10).map { index in
          Task.detached(priority: index.isMultiple(of: 2) ? .background : .high) {
            for _ in 0..<index { await Task.yield() }
            await importer.increment()
          }
        }
        for task in tasks { await task.value }
        trace.record("\(await importer.count)")
      },
      Program("a chain of a hundred tasks of the main actor", ["end", "100"]) { trace in
        await Chain.start(100, trace)
      },
      Program("a chain of a thousand tasks", ["end", "1000"]) { trace in
        start(1_000, trace)
      },
      Program("a hundred children", ["100", "end"]) { trace in
        let importer = Importer()
        await withTaskGroup { group in
          for index in 0..<100 {
            group.addTask {
              for _ in 0..<index % 7 { await Task.yield() }
              await importer.increment()
            }
          }
        }
        trace.record("\(await importer.count)")
      },
      Program("yields of the main actor", ["100", "end"]) { trace in
        trace.record("\(await Chain.yields(100))")
      },
    ]

  /// A chain of tasks that are not waited for records its end after that of the program.
  private static func start(_ left: Int, _ trace: Trace, _ length: Int = 0) {
    Task {
      if left == 0 { trace.record("\(length)") } else { start(left - 1, trace, length + 1) }
    }
  }
}

private actor Importer {
  private(set) var count = 0
  private var task: Task<Void, Never>?

  func increment() { count += 1 }

  func run(_ yields: Int) async {
    for _ in 0..<yields {
      count += 1
      await Task.yield()
    }
  }

  func start(_ yields: Int) { task = Task { await run(yields) } }

  func finished() async -> Int {
    await task?.value
    return count
  }
}

@MainActor private enum Chain {
  static func start(_ left: Int, _ trace: Trace, _ length: Int = 0) {
    Task {
      if left == 0 { trace.record("\(length)") } else { start(left - 1, trace, length + 1) }
    }
  }

  static func yields(_ count: Int) async -> Int {
    for _ in 0..<count { await Task.yield() }
    return count
  }
}
