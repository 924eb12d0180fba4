internal import CTimelineTesting
internal import Synchronization
public import TimelineClocks
public import TimelineCore

/// A clock that must not be used: every use fails the test.
///
/// Much code has a clock as a parameter for only one of its methods. This counter can be moved manually, and can run:
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
/// A test of `increment()` must pass a clock, and this one makes the test stricter:
///
/// ```swift
/// @Test func increments() async {
///   let counter = Counter(clock: UnimplementedClock())
///   await counter.increment()
///   #expect(await counter.count == 1)
/// }
/// ```
///
/// If the test passes, incrementing does not depend on time. If a later change makes `increment()` wait, the test
/// fails with an issue that points to the line where the clock was made.
///
/// The first use by each task is reported through IssueReporting, which finds Swift Testing or XCTest: one issue for a timer, and
/// not one for each tick. Each use then has its usual effect on a clock that never waits, so that a test can continue.
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let base: any TimelineClock
  private let name: String
  private let site: CallSite
  private let reported = ReportedTasks()

  /// Makes a clock that reports every use under `name` and forwards it to `base`.
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

  /// Makes a clock that reports every use under `name` and never waits.
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

/// The tasks whose use of a clock has been reported.
private final class ReportedTasks: Sendable {
  private let tasks = Mutex<Set<UInt64>>([])

  /// Adds a task, and returns whether it is new; a use outside of any task, 0, is always new.
  func insert(_ task: UInt64) -> Bool { task == 0 || tasks.withLock { $0.insert(task).inserted } }
}

extension UnimplementedClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// Reports an issue, the first time in a task; returns the current time of the base.
  public var now: WallInstant {
    report("now")
    return base.now
  }

  /// Reports an issue; returns the resolution of the base.
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
  /// A clock that must not be used: every use fails the test.
  public static func unimplemented(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    UnimplementedClock(fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
