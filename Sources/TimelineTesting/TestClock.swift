internal import IssueReporting
internal import Synchronization
public import TimelineClocks
public import TimelineCore

/// A clock that stands still until a test moves it, and whose every move has the same result every time.
///
/// Code that lets time pass is hard to test. Take a stopwatch that counts:
///
/// ```swift
/// actor Stopwatch {
///   private(set) var seconds = 0
///   private var counting: Task<Void, any Error>?
///   let clock: any Clock<Duration>
///
///   init(clock: any Clock<Duration>) { self.clock = clock }
///
///   func start() {
///     counting = Task {
///       while true {
///         try await clock.sleep(for: .seconds(1))
///         seconds += 1
///       }
///     }
///   }
///   func stop() { counting?.cancel() }
/// }
/// ```
///
/// A test with a real clock would take as long as what it tests, and fail now and then on a machine that has other
/// things to do. The stopwatch takes a clock, though, so a test hands it one that it moves itself:
///
/// ```swift
/// @Test func counts() async throws {
///   let clock = TestClock()
///   let stopwatch = Stopwatch(clock: clock)
///
///   await stopwatch.start()
///   await clock.advance(by: .seconds(1))
///   #expect(await stopwatch.seconds == 1)
///
///   await clock.advance(by: .seconds(3600))
///   #expect(await stopwatch.seconds == 3601)
///
///   await stopwatch.stop()
///   try await clock.checkSuspension()
/// }
/// ```
///
/// ## What happens in an advance
///
/// Before time moves at all, tasks that have been started get to where they sleep. Then the clock goes from deadline
/// to deadline, in order, those that are equal in order of registration. At each it wakes one sleeper and waits until
/// everything that follows from that has been done: the sleeper's code, the tasks it starts, the actors it calls,
/// until all of them have ended or wait for something that only the test or time can bring. Whoever goes back to sleep
/// is part of the same advance if the new deadline lies within it.
///
/// ## What is promised
///
/// While a test clock lives, the tasks of its test run one at a time, on the main thread, in the order in which they
/// became ready, whatever their priority. The clock therefore *knows* when all is quiet: it does not hope that some
/// yields have been enough, and reads no other clock to find out. The same test has the same trace of events on an
/// idle machine and on an overloaded one. Tests with a clock each may run side by side; they take turns on the main
/// thread, and one that waits until all is quiet waits for its neighbors too. A test's tasks are the one
/// that makes the clock, any that touches it, and those started from them, structured or not. A clock made outside of
/// any task, as a stored property of an `XCTestCase` is, looks after all tasks of the process.
///
/// Not promised:
/// - Up to its first `await` on the clock, the test's own code may run beside the tasks it has started.
///   ``withTestClock(now:_:)`` leaves no such gap.
/// - Tasks of the main actor are out of the clock's sight. It waits for them as long as a chain of eight of them, each
///   started by the one before, and not longer.
/// - Nobody waits for what comes from elsewhere: the network, another process, `Task.sleep`, an actor or task with an
///   executor of its own. A test that needs such a thing must await it before it moves the clock.
/// - `Task.yield()` right after a call of an actor, with no other `await` between, takes the task out of sight for a
///   moment: the runtime hands it to its own pool. The clock may move in that moment.
/// - A task that polls (`while !done { await Task.yield() }`) is never at rest. After 100,000 turns the clock moves on.
/// - A task that blocks its thread to wait for another of the same test waits forever: there is one thread. So do
///   all if the test blocks the main thread; one that is blocked from the beginning is noticed after ten seconds.
///
/// All of this rests on a hook of the Swift runtime (`swift_task_enqueueGlobal_hook`), which sees every task that
/// becomes ready. If another library sits on it, or a future runtime has none, ``isDeterministic`` is false and the
/// clock leaves the tasks some turns of the executor instead, as good as it gets.
public final class TestClock: TimelineClock {
  /// A point on the wall clock; `TestClock.Instant()` is the epoch, where a test clock begins.
  public typealias Instant = WallInstant

  let state: Mutex<TestClockState>
  let settler = Settler()

  /// Makes a clock that stands at `now`.
  public init(now: WallInstant = WallInstant()) {
    self.state = Mutex(TestClockState(now: now))
  }

  /// Whether this process lets the clock see all tasks, which every promise above rests on.
  public var isDeterministic: Bool { settler.isExact }

  /// The instant to which the test has moved the clock, or the deadline that it is visiting on the way there.
  public var now: WallInstant { state.withLock { $0.now } }

  /// One nanosecond, the grain of an instant.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until the test has moved the clock to `deadline`.
  ///
  /// Returns at once when the clock is past it. When the clock stands exactly there, the sleep lasts until the next
  /// advance, even one by nothing: a test can so hold a task between two steps of one instant.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, and nothing else.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    settler.join()
    try Task.checkCancellation()
    let sleep = TestSleep()
    guard let ticket = state.withLock({ $0.enter(sleep, until: deadline) }) else { return }
    try await withTaskCancellationHandler {
      try await sleep.outcome()
    } onCancel: {
      state.withLock { $0.sleepers.remove(ticket) }?.finish(.cancelled)
    }
    try Task.checkCancellation()
  }
}

extension TestClock {
  /// Moves the clock ahead by `duration`, waking everybody who is due on the way in order.
  ///
  /// An advance by nothing wakes those who sleep until now. Nothing happens for a negative duration, except that
  /// running tasks are waited for.
  public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock ahead to `deadline`, waking everybody who is due on the way in order.
  ///
  /// When it returns, all that the test's tasks could do by then has been done. A clock that is further on stays
  /// there. Reports an issue, and stops where it is, when tasks sleep at one instant a thousand times without
  /// letting time pass.
  public func advance(
    to deadline: WallInstant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await settler.settle()
    var visit = (instant: now, wakes: 0)
    while let sleep = state.withLock({ $0.wakeNext(by: deadline) }) {
      sleep.finish(.due)
      await settler.settle()
      let instant = now
      visit = instant == visit.instant ? (instant, visit.wakes + 1) : (instant, 1)
      guard visit.wakes < state.withLock({ $0.wakesAllowedAtOneInstant }) else {
        reportIssue(
          """
          Time does not pass: \(visit.wakes) sleeps have ended at one and the same instant, and there is another.

          A task sleeps for no time at all, or until an instant that it has reached, over and over. Have it sleep \
          for longer than zero, or end its loop.
          """,
          fileID: fileID, filePath: filePath, line: line, column: column)
        return
      }
    }
  }

  /// Throws if anybody sleeps on the clock.
  ///
  /// At the end of a test it proves that nothing is left behind which waits for time to pass. This throws:
  ///
  /// ```swift
  /// let clock = TestClock()
  /// Task { try await clock.sleep(for: .seconds(1)) }
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// It would not, had the clock been advanced by a second before. Tasks that have been started get to where they
  /// sleep first, so it makes no difference whether the task above has had its turn.
  ///
  /// - Throws: `SuspensionError` and nothing else, which says how many sleep and until when. (Untyped, so that
  ///   `catch is SuspensionError` is no warning in a program written for swift-clocks.)
  public func checkSuspension() async throws {
    await settler.settle()
    if let error = state.withLock({ $0.suspension }) { throw error }
  }
}
