internal import Synchronization
public import TimelineClocks
public import TimelineCore

/// A clock that stands still until a test moves it, and whose moves always have the same result.
///
/// Code that waits is hard to test. Take a stopwatch that counts:
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
/// A test with a real clock would take as long as the code under test waits, and would sometimes fail on a busy machine. The
/// stopwatch has its clock as a parameter, so a test passes a clock that it moves itself:
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
/// Before time moves, tasks that have been started run up to their first sleep. Then the clock goes from deadline to
/// deadline in order; equal deadlines are in order of registration. At each deadline it wakes one sleeper and waits
/// until all resulting work is done: the sleeper's code, the tasks it starts and the actors it calls, until all of
/// them have ended or wait for something that only the test or time can bring. A task that sleeps again is part of
/// the same advance if the new deadline lies within the advance.
///
/// ## What is promised
///
/// While a test clock exists, the tasks of its test run one at a time, on the main thread, in the order in which they
/// became ready, independent of their priority. The clock therefore detects exactly when all tasks wait: it needs no
/// guessed number of yields and no other clock. The same test has the same trace of events on an idle machine and on
/// an overloaded one, whether its tasks yield, call actors and the main actor, or start tasks that start tasks. If a
/// task that an advance has woken makes an advance itself, the second advance is part of the first one.
///
/// The tasks of a test are the task that makes the clock, each task that touches it, and all tasks that these start,
/// before or after, structured or not, detached or not, on the main actor or not. Other tasks of the process run as
/// they always do; while a clock exists that was made outside of any task, they run on threads of a queue of this
/// library. Tests with a clock each may run concurrently and share actors: they take turns on the main thread, and a
/// clock moves when no test has a job left.
///
/// Not promised:
/// - Up to its first `await` on the clock, the test's own code may run concurrently with the tasks it has started.
///   ``withTestClock(now:advancing:fileID:filePath:line:column:_:)`` leaves no such gap.
/// - The clock does not wait for events from elsewhere: the network, another process or thread, `Task.sleep`, an actor or
///   task with an executor of its own, or an actor that is in use by a task outside of tests with a clock. Once a task of
///   the test has waited for one of these, or has touched the clock from an executor of its own, ``isDeterministic`` is
///   false. The test itself is exempt: it moves the clock after it has returned. A task with an executor of its own that
///   has neither touched the clock nor woken another task is not visible at all.
/// - A task that polls (`while !done { await Task.yield() }`) is never idle. After 100,000 yields an issue is
///   reported, ``isDeterministic`` is false, and the clock moves on. The same happens after 20,000,000 jobs of all tasks.
/// - A task that blocks its thread to wait for another task of the same test waits forever, because there is one thread.
///   All tasks wait forever if the test blocks the main thread; if the main thread is blocked from the beginning, this is
///   detected after ten seconds.
///
/// All of this depends on the executors of the process. The first test clock replaces them by executors that see
/// every job and pass on the jobs of other tasks. If the runtime does not allow it (the runtime of Swift 6.3 does),
/// the first clock reports an issue, ``isDeterministic`` is false, and before each move the clock yields a fixed
/// number of times instead.
///
/// The generic parameter is there for signatures: `TestClock<Duration>`. There is no other kind.
public final class TestClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock; `TestClock.Instant()` is the epoch, where a test clock begins.
  public typealias Instant = WallInstant

  let state: Mutex<TestClockState>
  let settler = Settler()
  /// The place at which the clock was made.
  let site: CallSite

  /// Makes a clock that stands at `now`.
  ///
  /// A test that sleeps on its own clock would wait forever if nothing is left to move the clock. This is reported as
  /// an issue at the line where the clock was made, with all sleepers and their deadlines, and the sleeps end with a
  /// `CancellationError`.
  public convenience init(
    now: WallInstant = WallInstant(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Duration == Swift.Duration {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    self.init(now: now, advancing: .manually, site: site)
  }

  init(now: WallInstant, advancing: TestClockAdvancing, site: CallSite) where Duration == Swift.Duration {
    self.state = Mutex(TestClockState(now: now, advancing: advancing))
    self.site = site
    if !settler.seesAllJobs { MissingExecutors.report(site) }
  }

  /// Whether the clock detects exactly when all tasks wait. All promises above depend on this detection.
  ///
  /// False in a process whose jobs are not visible to the clock. Also false as soon as a task of one of the clock's
  /// tests, other than the test itself, has waited for something outside of the test.
  public var isDeterministic: Bool { settler.isExact }
}

extension TestClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// The instant to which the test has moved the clock; during an advance, the deadline that the clock has reached.
  public var now: WallInstant {
    settler.noteExecutor()
    return state.withLock { $0.now }
  }

  /// One nanosecond, the resolution of an instant.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until the test has moved the clock to `deadline`.
  ///
  /// Returns at once if the clock is past `deadline`. If the clock stands exactly there, the sleep lasts until the
  /// next advance, even one by zero, so that a test can hold a task between two steps of one instant.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled, and nothing else.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    let task = settler.join()
    try Task.checkCancellation()
    let sleep = TestSleep(task: task, maker: settler.maker)
    guard let ticket = state.withLock({ $0.enter(sleep, until: deadline) }) else { return }
    if state.withLock({ $0.beginWatch(for: sleep) }) { Task { await watch() } }
    try await withTaskCancellationHandler {
      try await sleep.outcome()
    } onCancel: {
      state.withLock { $0.sleepers.remove(ticket) }?.finish(.cancelled)
    }
    try Task.checkCancellation()
  }
}

extension TestClock where Duration == Swift.Duration {
  /// Moves the clock ahead by `duration`, and wakes all sleepers that come due, in order.
  ///
  /// An advance by zero wakes the tasks that sleep until now. A negative duration only waits for running tasks.
  public func advance(
    by duration: Duration = .zero,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await advance(
      to: now.advanced(by: duration), fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Moves the clock ahead to `deadline`, and wakes all sleepers that come due, in order.
  ///
  /// The test's tasks have done all that they could do up to the deadline when this call returns. A clock that is already
  /// past the deadline does not move. A clock whose advance is canceled stops where it is. If tasks sleep again at one
  /// instant a thousand times without letting time pass, the clock reports an issue and stops where it is.
  public func advance(
    to deadline: WallInstant,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await settler.settle(site)
    var visit = Visit(of: self)
    while !Task.isCancelled, let sleep = state.withLock({ $0.wakeNext(by: deadline) }) {
      visit.arrive()
      sleep.finish(.due)
      await settler.settle(site)
      if let standstill = visit.leave() { return site.report(standstill) }
    }
  }

  /// Throws if a task sleeps on the clock.
  ///
  /// A check at the end of a test proves that no task is left that waits for time to pass. This throws:
  ///
  /// ```swift
  /// let clock = TestClock()
  /// Task { try await clock.sleep(for: .seconds(1)) }
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// It would not throw if the clock had been advanced by a second before. Tasks that have been started run up to their first
  /// sleep before the check, so the result does not depend on whether the task above has run yet.
  ///
  /// - Throws: Only `SuspensionError`, with the number of sleepers and their deadlines. (Untyped, so that
  ///   `catch is SuspensionError` is no warning in a program written for swift-clocks.)
  public func checkSuspension(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async throws {
    await settler.settle(CallSite(fileID: fileID, filePath: filePath, line: line, column: column))
    if let error = state.withLock({ $0.suspension }) { throw error }
  }
}
