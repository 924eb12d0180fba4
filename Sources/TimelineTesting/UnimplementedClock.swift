internal import CTimelineTesting
internal import Synchronization
public import TimelineClocks
public import TimelineCore

/// A clock that must not be used: every touch fails the test.
///
/// Much code takes a clock for the sake of one thing that it does. This counter can be moved manually, and can run:
///
/// ```swift
/// actor Counter {
///   private(set) var count = 0
///   let clock: any Clock<Duration>
///
///   init(clock: any Clock<Duration>) { self.clock = clock }
///
///   func increment() { count += 1 }
///   func run() async {
///     for await _ in clock.timer(interval: .seconds(5)) { count += 1 }
///   }
/// }
/// ```
///
/// A test of `increment()` has to hand it some clock, and this one makes the test say more:
///
/// ```swift
/// @Test func increments() async {
///   let counter = Counter(clock: UnimplementedClock())
///   await counter.increment()
///   #expect(await counter.count == 1)
/// }
/// ```
///
/// If it passes, incrementing has nothing to do with time. The day somebody makes it wait, this test fails and says
/// so, and points to the line where the clock was made.
///
/// The first touch of each task is reported through IssueReporting, which finds Swift Testing or XCTest: one issue for a timer, and
/// not one for each tick. A touch then has its usual effect on a clock that makes nobody wait, so that a test can go on.
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let base: any TimelineClock
  private let name: String
  private let site: CallSite
  private let reported = ReportedTasks()

  /// Makes a clock that reports every touch under `name` and passes it on to `base`.
  public init<Base: Clock>(
    _ base: Base,
    name: String = "\(Base.self)",
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Base.Duration == Duration, Duration == Swift.Duration {
    self.base = AnyClock(base)
    self.name = name
    self.site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Makes a clock that reports every touch under `name` and makes nobody wait.
  public init(
    name: String = "Clock",
    now: WallInstant = WallInstant(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) where Duration == Swift.Duration {
    self.init(
      ImmediateClock(now: now), name: name, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  private func report(_ member: String) {
    guard reported.insert(timeline_current_task()) else { return }
    site.report(
      """
      Unimplemented: \(name).\(member)

      A clock was used that was made to prove that none is. Hand over a clock that works, a TestClock say, if the \
      code under test is meant to deal with time.
      """)
  }
}

/// The tasks whose touch of a clock has been reported.
private final class ReportedTasks: Sendable {
  private let tasks = Mutex<Set<UInt64>>([])

  /// Adds a task, and returns whether it is new; so is each touch outside of any task, which is 0.
  func insert(_ task: UInt64) -> Bool { task == 0 || tasks.withLock { $0.insert(task).inserted } }
}

extension UnimplementedClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// Reports an issue, the first time in a task; the base's present.
  public var now: WallInstant {
    report("now")
    return base.now
  }

  /// Reports an issue; the base's resolution.
  public var minimumResolution: Swift.Duration {
    report("minimumResolution")
    return base.minimumResolution
  }

  /// Reports an issue, then sleeps on the base.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: WallInstant, tolerance: Swift.Duration? = nil) async throws {
    report("sleep")
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
  /// A clock that must not be used: every touch fails the test.
  public static func unimplemented(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedClock(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
