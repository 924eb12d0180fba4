import Testing
import TimelineClocks
import TimelineCore
import TimelineTestSupport
import TimelineTesting

/// The promise of TestClock: one trace, however loaded the machine is.
@Suite(.serialized) struct DeterminismTests {
  @Test func `a hundred runs beside eight busy loops have one trace`() async throws {
    let seed: UInt64 = 0xC10C
    try await withBusyLoops(count: 8) {
      let expected = await story(seed: seed)
      #expect(expected.count > 50)
      for run in 1..<100 {
        let trace = await story(seed: seed)
        try #require(trace == expected, "run \(run), seed \(seed)")
      }
    }
  }

  @Test func `a hundred plain tests beside eight busy loops have one result`() async throws {
    try await withBusyLoops(count: 8) {
      for run in 0..<100 {
        let clock = TestClock()
        let counter = Counter()
        let task = Task {
          for _ in 0..<5 {
            try await clock.sleep(for: .seconds(1))
            await counter.increment()
          }
        }
        await clock.advance(by: .seconds(3))
        #expect(await counter.count == 3, "run \(run)")
        await clock.run()
        #expect(await counter.count == 5, "run \(run)")
        try await task.value
        try await clock.checkSuspension()
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `another seed gives another story`(_ seed: UInt64) async {
    let one = await story(seed: seed)
    #expect(one != (await story(seed: seed + 10)))
    #expect(one == (await story(seed: seed)))
  }
}

private actor Counter {
  var count = 0
  func increment() { count += 1 }
}

@MainActor private final class Model {
  var count = 0
  nonisolated init() {}
  func increment() -> Int {
    count += 1
    return count
  }
}

/// A program of everything that makes concurrent programs differ from run to run: groups, children without
/// structure, actors, the main actor, streams, yields, priorities, cancellations and equal deadlines.
private func story(seed: UInt64) async -> [Trace.Entry] {
  await withTestClock { clock in
    let trace = Trace(clock: clock)
    let counter = Counter()
    let model = Model()
    var random = SeededGenerator(seed: seed)
    let (stream, feed) = AsyncStream.makeStream(of: String.self)

    let reader = Task(priority: .background) {
      for await item in stream { trace.record("read \(item)") }
      trace.record("end of stream")
    }
    let workers = (0..<4).map { worker in
      let naps = (0..<6).map { _ in random.next(in: 1...5) }
      return Task(priority: worker.isMultiple(of: 2) ? .high : .low) {
        for (turn, nap) in naps.enumerated() {
          try await clock.sleep(for: .seconds(nap))
          if turn.isMultiple(of: 3) { await Task.yield() }
          await counter.increment()
          trace.record("worker \(worker).\(turn) counted \(await counter.count)")
          feed.yield("\(worker).\(turn)")
          if turn == 2 { trace.record("worker \(worker) in model \(await model.increment())") }
        }
      }
    }
    let group = Task.detached {
      await withTaskGroup { group in
        for child in 0..<5 {
          group.addTask {
            try? await clock.sleep(until: WallInstant(offset: .seconds(7)))
            trace.record("child \(child)")
          }
        }
      }
    }
    let timer = Task { @MainActor in
      for await _ in clock.timer(interval: .seconds(3)) {
        trace.record("tick")
        Task { trace.record("model \(model.increment())") }
      }
    }
    await clock.advance(by: .seconds(10))
    workers[Int(random.next(in: 0...3))].cancel()
    await clock.advance(by: .seconds(10))
    timer.cancel()
    await clock.run()
    feed.finish()
    await reader.value
    await group.value
    return trace.entries
  }
}
