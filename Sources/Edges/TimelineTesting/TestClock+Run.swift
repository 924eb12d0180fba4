internal import Synchronization
internal import TimelineClocks
internal import TimelineCore

extension TestClock where Duration == Swift.Duration {
  /// Moves the clock from deadline to deadline until no task sleeps on it.
  ///
  /// For tests that check the end and not each step:
  ///
  /// ```swift
  /// @Test func countsDown() async {
  ///   let clock = TestClock()
  ///   let countdown = Countdown(from: 10, clock: clock)
  ///   await countdown.start()
  ///   await clock.run()
  ///   #expect(await countdown.hasLiftedOff)
  /// }
  /// ```
  ///
  /// With a task that sleeps in an endless loop this would never end, so the number of wake-ups is limited. The limit
  /// is *not* real time, which would let a test fail because the machine is busy, but work: each millisecond of
  /// `duration` allows twenty wake-ups, about what a machine does in that time, so that the default allows ten
  /// thousand. When they are used up, an issue is reported, and the remaining sleepers are thrown a
  /// `CancellationError`, so that the test can end.
  ///
  /// - Parameters:
  ///   - duration: The limit, in milliseconds of work; at least one wake-up is allowed.
  ///   - fileID: The file in which an issue is reported.
  ///   - filePath: The path of that file.
  ///   - line: The line in which an issue is reported.
  ///   - column: The column in which an issue is reported.
  public func run(
    timeout duration: Duration = .milliseconds(500),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let site = CallSite(fileID: fileID, filePath: filePath, line: line, column: column)
    await settler.settle(site)
    var wakes = Self.wakes(for: duration)
    while wakes > 0, !Task.isCancelled, let sleep = state.withLock({ $0.wakeNext(by: nil) }) {
      sleep.finish(.due)
      await settler.settle(site)
      wakes -= 1
    }
    if Task.isCancelled { return }
    let stuck = state.withLock { state in (error: state.suspension, sleeps: state.removeSleepers()) }
    guard let error = stuck.error else { return }
    for sleep in stuck.sleeps { sleep.finish(.cancelled) }
    site.report(
      """
      Not all sleeps have ended: after \(Self.wakes(for: duration)) wake-ups, which is what a timeout of \(duration) \
      pays for, the clock has come to \(WallInstant().duration(to: error.now)), and \(error.count) \
      \(error.count == 1 ? "sleep is" : "sleeps are") still suspended.

      A task may sleep without end: a loop that nobody cancels, or a timer that nobody stops. Cancel it before \
      'run', or move the clock with 'advance' as far as the test has something to say about.

      If there is just much to do, give 'run' a timeout of more than \(duration).
      """)
    await settler.settle(site)
  }

  private static func wakes(for duration: Duration) -> Int {
    let milliseconds = duration.attoseconds / 1_000_000_000_000_000
    return Int(clamping: max(1, milliseconds * Int128(TestingLimits.wakesPerMillisecond)))
  }
}
