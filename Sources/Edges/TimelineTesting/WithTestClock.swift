public import TimelineClocks
public import TimelineCore

/// Mover of a test clock.
public enum TestClockAdvancing: Sendable, Hashable {
  /// The test alone, with ``TestClock/advance(by:fileID:filePath:line:column:)`` or
  /// ``TestClock/run(timeout:fileID:filePath:line:column:)``.
  case manually
  /// The test and the clock. When no task has a job left, the clock moves to the deadline of the next sleeper and
  /// wakes this sleeper, one sleeper after the other, as `run` does.
  ///
  /// A task that waits for events from elsewhere, for example the network, does not keep the clock from moving. After ten million
  /// wake-ups, and after a thousand at one instant, an issue is reported and the sleeps end with a `CancellationError`.
  case automatically
}

/// Runs `body` with a clock of its own, every step in order.
///
/// A test that makes its own `TestClock()` runs concurrently with the tasks it starts until it first awaits the clock.
/// Here all code runs on the clock's one thread from the beginning:
///
/// ```swift
/// @Test func racesAreWonByTheFirst() async {
///   await withTestClock { clock in
///     let trace = Trace(clock: clock)
///     Task { trace.record("a") }
///     Task { trace.record("b") }
///     trace.record("c")                         // always before "a"
///     await clock.advance(by: .seconds(1))
///     #expect(trace.labels == ["c", "a", "b"])
///   }
/// }
/// ```
///
/// A clock that moves by itself needs no advance. It moves to the next deadline as soon as every task of the test sleeps:
///
/// ```swift
/// @Test func waitsForAnHour() async throws {
///   try await withTestClock(advancing: .automatically) { clock in
///     try await clock.sleep(for: .seconds(3600))
///     #expect(clock.now == TestClock.Instant(offset: .seconds(3600)))
///   }
/// }
/// ```
///
/// - Parameters:
///   - now: The initial time of the clock.
///   - advancing: The mover of the clock.
///   - fileID: The file in which an issue is reported.
///   - filePath: The path of that file.
///   - line: The line in which an issue is reported.
///   - column: The column in which an issue is reported.
///   - body: The test; its clock must not be used after it has returned.
/// - Returns: What `body` returns.
public func withTestClock<Result, Failure: Error>(
  now: WallInstant = WallInstant(),
  advancing: TestClockAdvancing = .manually,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ body: (TestClock<Duration>) async throws(Failure) -> Result
) async throws(Failure) -> Result {
  let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
  let clock = TestClock(now: now, advancing: advancing, site: site)
  await clock.settler.settle(site)
  defer { clock.stopMoving() }
  return try await body(clock)
}
