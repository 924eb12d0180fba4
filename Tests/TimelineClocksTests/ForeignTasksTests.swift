import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing
import TimelineTesting

/// Clocks that are made outside of any task, for example as stored properties of an `XCTestCase`, and tasks outside of tests
/// with a clock.
@Suite(.serialized) struct ForeignTasksTests {
  @Test func `tasks that do not use the clock keep their executor`() async {
    let clock = await onMainThread { TestClock() }
    let isDone = await onMainThread {
      let done = DispatchSemaphore(value: 0)
      Task { done.signal() }
      return done.wait(timeout: .now() + 60) == .success
    }
    #expect(isDone)
    let isParallel = await onMainThread {
      let first = DispatchSemaphore(value: 0)
      let second = DispatchSemaphore(value: 0)
      Task.detached {
        first.wait()
        second.signal()
      }
      Task.detached { first.signal() }
      return second.wait(timeout: .now() + 60) == .success
    }
    #expect(isParallel)
    #expect(clock.now == .epoch)
  }

  @Test func `a test waits for tasks that it started before it touched the clock`() async throws {
    try await withBusyLoops(count: 8) {
      for run in 0..<200 {
        let test = await onMainThread {
          let clock = TestClock()
          return Task {
            let stopwatch = Stopwatch(clock: clock)
            await stopwatch.start()
            await clock.advance(by: .seconds(5))
            let count = await stopwatch.seconds
            await stopwatch.stop()
            try await clock.checkSuspension()
            return count
          }
        }
        let count = try await test.value
        try #require(count == 5, "run \(run)")
      }
    }
  }

  @Test func `other libraries can use the hook of the runtime`() async {
    let hook = GlobalHook()
    let clock = TestClock()
    #expect(hook.isFree)
    let trace = Trace(clock: clock)
    hook.runAllOnMainActor()
    Task {
      try await clock.sleep(for: .seconds(1))
      let stopwatch = Stopwatch(clock: clock)
      await stopwatch.start()
      for _ in 0..<10 { await Task.yield() }
      trace.record("a")
      try await clock.sleep(for: .seconds(3))
      trace.record("\(await stopwatch.seconds)")
      await stopwatch.stop()
    }
    await clock.advance(by: .seconds(4))
    #expect(trace.labels == ["a", "2"])
    #expect(clock.isDeterministic)
    hook.clear()
  }

  @Test func `a clock whose test waits for a thread is not deterministic`() async {
    let clock = TestClock()
    #expect(clock.isDeterministic)
    await clock.waitForThread()
    #expect(!clock.isDeterministic)
  }

  @Test(arguments: Hideout.all)
  func `a clock that is touched from another executor is not deterministic`(_ hideout: Hideout) async {
    let clock = TestClock()
    let sleeper = await hideout.sleep(clock)
    await clock.advance(by: .seconds(1))
    sleeper.cancel()
    _ = await sleeper.result
    #expect(!clock.isDeterministic)
  }

  @Test func `an actor with an executor of its own can move a clock`() async throws {
    let clock = TestClock()
    let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
    await QueueActor().advance(clock)
    try await sleeper.value
    #expect(clock.now == TestClock.Instant(offset: .seconds(1)))
  }

  @Test func `the test itself may wait for events from elsewhere`() async {
    let clock = TestClock()
    let queue = DispatchQueue(label: "elsewhere")
    await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    await clock.advance(by: .seconds(1))
    #expect(clock.isDeterministic)
  }

  @Test func `a task that waits for a test is no part of it`() async {
    let clocks = KeptClocks()
    await withTaskGroup { group in
      group.addTask {
        let clock = clocks.add()
        await clock.advance()
        await clock.waitForThread()
      }
      await group.waitForAll()
      group.addTask {
        let clock = clocks.add()
        await clock.advance()
      }
    }
    #expect(clocks.areDeterministic == [false, true])
  }

  /// Runs `body` outside of any task.
  private func onMainThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async { continuation.resume(returning: body()) }
    }
  }
}

extension TestClock where Duration == Swift.Duration {
  /// Starts a task that waits, and wakes it from a thread that is not visible to the clock.
  ///
  /// The task is certain to be suspended only when the test queue is idle; if it is woken before, it continues without a wait.
  fileprivate func waitForThread() async {
    let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
    let task = Task {
      await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
    }
    await advance()
    let continuation = waiting.withLock { $0 }
    DispatchQueue(label: "elsewhere").async { continuation?.resume() }
    await task.value
  }
}

/// Clocks that live longer than the tasks that make them.
private final class KeptClocks: Sendable {
  private let clocks = Mutex<[TestClock<Duration>]>([])

  var areDeterministic: [Bool] { clocks.withLock { $0.map(\.isDeterministic) } }

  func add() -> TestClock<Duration> {
    let clock = TestClock()
    clocks.withLock { $0.append(clock) }
    return clock
  }
}

/// A context whose jobs do not go through the executors of the process, with a task that sleeps there for a second.
struct Hideout: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let sleep: @Sendable (TestClock<Duration>) async -> Task<Void, any Error>

  static let all = [
    Hideout(testDescription: "a task with a preference") { clock in
      Task(executorPreference: QueueExecutor()) { try await clock.sleep(for: .seconds(1)) }
    },
    Hideout(testDescription: "a task with a preference that reads the time") { clock in
      Task(executorPreference: QueueExecutor()) { _ = clock.now }
    },
    Hideout(testDescription: "an actor") { clock in Task { try await QueueActor().sleep(clock) } },
    Hideout(testDescription: "a task that began on an actor") { await QueueActor().start($0) },
  ]
}

private final class QueueExecutor: TaskExecutor, SerialExecutor {
  private let queue = DispatchQueue(label: "elsewhere")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async {
      unsafe job.runSynchronously(
        isolatedTo: self.asUnownedSerialExecutor(), taskExecutor: self.asUnownedTaskExecutor())
    }
  }
}

private actor QueueActor {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  func sleep(_ clock: TestClock<Duration>) async throws { try await clock.sleep(for: .seconds(1)) }
  func advance(_ clock: TestClock<Duration>) async { await clock.advance(by: .seconds(1)) }

  func start(_ clock: TestClock<Duration>) -> Task<Void, any Error> { Task { try await sleep(clock) } }
}

private actor Stopwatch {
  private(set) var seconds = 0
  private var counting: Task<Void, any Error>?
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func start() {
    counting = Task {
      while true {
        await Task.yield()
        try await clock.sleep(for: .seconds(1))
        seconds += 1
      }
    }
  }

  func stop() { counting?.cancel() }
}

/// The hook with which a library can run all jobs on the main actor.
@safe private struct GlobalHook {
  private typealias Original = @convention(thin) (UnownedJob) -> Void
  private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

  private let place: UnsafeMutablePointer<Hook?>?

  init() {
    unsafe place = dlsym(nil, "swift_task_enqueueGlobal_hook")?.assumingMemoryBound(to: Hook?.self)
  }

  var isFree: Bool { unsafe place?.pointee == nil }
  func runAllOnMainActor() { unsafe place?.pointee = { job, _ in MainActor.shared.enqueue(job) } }
  func clear() { unsafe place?.pointee = nil }
}
