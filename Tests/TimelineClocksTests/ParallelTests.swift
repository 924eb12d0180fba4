import Synchronization
import Testing
import TimelineTesting

/// Tests with a clock each that run side by side, as tests do by default, and call the same actors.
@Suite(.serialized) struct ParallelTests {
  @Test(arguments: Place.all)
  func `ten tests that share an actor each see all of their own work`(_ place: Place) async throws {
    let expected = Result(counts: [4, 8, 12], isDeterministic: true)
    try await withBusyLoops(count: 4) {
      for run in 0..<place.runs {
        let results = await withTaskGroup(returning: [Result].self) { group in
          for _ in 0..<10 { group.addTask { await test(place) } }
          return await group.reduce(into: []) { $0.append($1) }
        }
        try #require(results.allSatisfy { $0 == expected }, "run \(run)")
      }
    }
  }

  @Test func `tests without a common actor take turns`() async {
    let order = Trace(clock: ImmediateClock())
    let start = Start(count: 3)
    await withTaskGroup { group in
      for test in 0..<3 {
        group.addTask {
          await withTestClock { clock in
            // The threads of a busy machine begin the tests one long after the other.
            await start.wait()
            for _ in 0..<5 {
              await clock.advance(by: .seconds(1))
              order.record("\(test)")
            }
          }
        }
      }
    }
    let labels = order.labels
    let turns = stride(from: 0, to: labels.count, by: 3).map { Set(labels[$0..<min($0 + 3, labels.count)]) }
    #expect(turns == Array(repeating: ["0", "1", "2"], count: 5), "\(labels)")
  }

  /// A test with a clock whose four tasks call the place after each second.
  private func test(_ place: Place) async -> Result {
    let clock = TestClock()
    let done = Trace(clock: clock)
    let tasks = (0..<4).map { _ in
      Task {
        while !Task.isCancelled {
          try await clock.sleep(for: .seconds(1))
          for _ in 0..<5 { await place.work() }
          done.record("done")
        }
      }
    }
    var counts: [Int] = []
    for _ in 0..<3 {
      await clock.advance(by: .seconds(1))
      counts.append(done.labels.count)
    }
    let isDeterministic = clock.isDeterministic
    for task in tasks { task.cancel() }
    return Result(counts: counts, isDeterministic: isDeterministic)
  }

  /// Observations of one test.
  struct Result: Equatable {
    /// Pieces of work that were done after each second.
    var counts: [Int]
    var isDeterministic: Bool
  }

  /// An actor that all tests share, and a call of it.
  struct Place: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var runs = 25
    let work: @Sendable () async -> Void

    static let all = [
      Place(testDescription: "an actor", runs: 100) { await SharedActor.shared.work() },
      Place(testDescription: "a global actor") { await GlobalModel.work() },
      Place(testDescription: "an actor that starts tasks") { await SharedActor.shared.startWork().value },
      Place(testDescription: "an actor that calls an actor") { await SharedActor.shared.forward() },
      Place(testDescription: "the main actor") { await MainModel.work() },
    ]
  }
}

/// The point at which tests that were begun one after the other go on together.
private final class Start: Sendable {
  private let count: Int
  private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

  init(count: Int) { self.count = count }

  /// Returns when `count` tests have called it.
  func wait() async {
    await withCheckedContinuation { continuation in
      let all = waiting.withLock { waiting in
        waiting.append(continuation)
        return waiting.count == count ? waiting : []
      }
      for test in all { test.resume() }
    }
  }
}

private actor SharedActor {
  static let shared = SharedActor()
  private var count = 0

  func work() { count += 1 }
  func startWork() -> Task<Void, Never> { Task { work() } }

  func forward() async {
    count += 1
    await GlobalModel.work()
    count += 1
  }
}

@globalActor private actor Global {
  static let shared = Global()
}

@Global private enum GlobalModel {
  static var count = 0
  static func work() { count += 1 }
}

@MainActor private enum MainModel {
  static var count = 0
  static func work() { count += 1 }
}
