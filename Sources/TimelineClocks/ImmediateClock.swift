internal import Synchronization
public import TimelineCore

/// A clock that does not make anybody wait.
///
/// All of time is squashed into the present: a sleep returns at once, and the clock stands at its deadline
/// afterwards. That is what a preview, a demonstration or a test wants that cares about *what* happens and not
/// about *when*.
///
/// Say a greeter thinks for five seconds before it speaks:
///
/// ```swift
/// struct Greeter {
///   let clock: any Clock<Duration>
///
///   func greet() async throws -> String {
///     try await clock.sleep(for: .seconds(5))
///     return "Welcome!"
///   }
/// }
/// ```
///
/// A program hands it a `ContinuousClock` and waits. A test that only wants the word hands it this clock, and is
/// done before it began:
///
/// ```swift
/// @Test func greets() async throws {
///   let greeter = Greeter(clock: ImmediateClock())
///   #expect(try await greeter.greet() == "Welcome!")
/// }
/// ```
///
/// The clock starts at the epoch unless told otherwise, moves to every deadline that lies ahead and never goes
/// back: a sleep until the past leaves it where it is. After each sleep the other tasks get a turn, so that an
/// endless loop of sleeps can be canceled; nothing else depends on that turn.
///
/// The generic parameter is there for signatures: `ImmediateClock<Duration>`. There is no other kind.
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let present: Mutex<WallInstant>

  /// Makes a clock that stands at `now`.
  public init(now: WallInstant = WallInstant()) where Duration == Swift.Duration {
    self.present = Mutex(now)
  }
}

extension ImmediateClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// The latest deadline that anybody has slept until, or where the clock was made to stand.
  public var now: WallInstant { present.withLock { $0 } }

  /// One nanosecond, the grain of an instant.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Moves the clock to `deadline`, unless it is there or later already, and returns.
  ///
  /// - Throws: `CancellationError` when the task is canceled; the clock is not moved then.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    present.withLock { $0 = max($0, deadline) }
    await Task.yield()
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A clock that does not make anybody wait, new and standing at the epoch.
  public static var immediate: Self { ImmediateClock() }
}
