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
/// idle machine and on an overloaded one, whatever its tasks do: yield, call actors and the main actor, start tasks
/// that start tasks. An advance by a task that another advance has woken is part of that one.
///
/// A test's tasks are the one that makes the clock, any that touches it, and those started from them before or after,
/// structured or not, detached or not, on the main actor or not. Other tasks of the process run as they always do; while a clock
/// lives that was made outside of any task, they run on threads of a queue of this library. Tests with a clock each may run side by
/// side and share actors: they take turns on the main thread, and a clock moves when nothing is left to do for any of them.
///
/// Not promised:
/// - Up to its first `await` on the clock, the test's own code may run beside the tasks it has started.
///   ``withTestClock(now:advancing:fileID:filePath:line:column:_:)`` leaves no such gap.
/// - Nobody waits for what comes from elsewhere: the network, another process or thread, `Task.sleep`, an actor or
///   task with an executor of its own, an actor that a task of no test with a clock is using. Once a task of the test
///   has waited for one of these, or has touched the clock from an executor of its own, ``isDeterministic`` is false.
///   Only the test itself may: it moves the clock when it has come back. A task with an executor of its own that has
///   neither touched the clock nor woken another task is not seen at all.
/// - A task that polls (`while !done { await Task.yield() }`) is never at rest. After 100,000 yields an issue is
///   reported, ``isDeterministic`` is false, and the clock moves on. So it does after 20,000,000 jobs of all tasks.
/// - A task that blocks its thread to wait for another of the same test waits forever: there is one thread. So do
///   all if the test blocks the main thread; one that is blocked from the beginning is noticed after ten seconds.
///
/// All of this rests on the executors of the process, which the first test clock replaces by some that see every job
/// and pass on those of other tasks. If the runtime does not allow it (that of Swift 6.3 does), the first clock reports
/// an issue, ``isDeterministic`` is false and the clock leaves the tasks some turns of the executor instead, as good as
/// it gets.
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
  /// A test that sleeps on a clock that it has made itself, when nothing is left to move it, would wait forever. This is reported
  /// where the clock was made, with all who sleep and until when, and the sleeps end with a `CancellationError`.
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

  /// Whether the clock knows when all is quiet, which every promise above rests on.
  ///
  /// False in a process whose jobs it cannot see, and from the moment in which a task of one of its tests other than
  /// the test itself has waited for something that is out of sight.
  public var isDeterministic: Bool { settler.isExact }
}

extension TestClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// The instant to which the test has moved the clock, or the deadline that it is visiting on the way there.
  public var now: WallInstant {
    settler.noteExecutor()
    return state.withLock { $0.now }
  }

  /// One nanosecond, the grain of an instant.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Sleeps until the test has moved the clock to `deadline`.
  ///
  /// Returns at once when the clock is past it. When the clock stands exactly there, the sleep lasts until the next
  /// advance, even one by nothing: a test can so hold a task between two steps of one instant.
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
  /// Moves the clock ahead by `duration`, waking everybody who is due on the way in order.
  ///
  /// An advance by nothing wakes those who sleep until now. Nothing happens for a negative duration, except that
  /// running tasks are waited for.
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

  /// Moves the clock ahead to `deadline`, waking everybody who is due on the way in order.
  ///
  /// When it returns, all that the test's tasks could do by then has been done. A clock that is further on stays
  /// there, and one whose advance is canceled stops where it is. Reports an issue, and stops where it is, when tasks go back to sleep at one instant a thousand times
  /// without letting time pass.
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
