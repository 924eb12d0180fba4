internal import Synchronization
internal import TimelineClocks
internal import TimelineCore

extension TestClock where Duration == Swift.Duration {
  /// Waits until every task of the test sleeps, and then moves the clock or reports a deadlock.
  func watch() async {
    var visit = Visit(of: self)
    var wakes = 0
    while true {
      await settler.settle(site, urgency: .idle)
      if let standstill = visit.leave() { return end(because: standstill) }
      guard let sleep = state.withLock({ $0.wakeWhenIdle() }) else { return reportDeadlock() }
      if wakes == TestingLimits.wakesAutomatically {
        sleep.finish(.due)
        return end(because: "The test does not end: its clock has moved by itself \(wakes) times.")
      }
      visit.arrive()
      sleep.finish(.due)
      wakes += 1
    }
  }

  /// Stops the clock from moving by itself.
  func stopMoving() { state.withLock { $0.advancing = .manually } }

  private func reportDeadlock() {
    let families = settler.families
    // A task that waits for something outside of the test may move this clock later.
    guard settler.isExact else { return }
    let isDeadlock = state.withLock { state in
      state.sleepers.isEmpty ? false : families.isSubset(of: state.tasks)
    }
    guard isDeadlock else { return }
    end(
      because: """
        Deadlock: the test sleeps on its own clock, and nothing is left that would move it.

        Have another task sleep while the test moves the clock with 'advance' or 'run', or let the clock move by \
        itself: 'withTestClock(advancing: .automatically)'.
        """)
  }

  /// Reports an issue with all sleepers, and ends their sleeps, so that the test can end. The watch does not start again: a task
  /// that keeps sleeping would be reported without end.
  private func end(because reason: String) {
    let (text, sleeps) = state.withLock { state in (state.sleepersText, state.removeSleepers()) }
    site.report("\(reason)\n\n\(text)")
    for sleep in sleeps { sleep.finish(.cancelled) }
  }
}

/// The wake-ups at one instant of a clock, counted to detect that time stands still.
struct Visit {
  private let clock: TestClock<Duration>
  private var instant: WallInstant
  private var wakes = 0
  private var limit: Int

  init(of clock: TestClock<Duration>) {
    self.clock = clock
    (instant, limit) = clock.state.withLock { ($0.now, $0.wakesAllowedAtOneInstant) }
  }

  /// Records that the clock has moved to the deadline of a sleeper.
  mutating func arrive() {
    let (now, limit) = clock.state.withLock { ($0.now, $0.wakesAllowedAtOneInstant) }
    if now != instant { (instant, wakes, self.limit) = (now, 0, limit) }
    wakes += 1
  }

  /// Returns the issue to report if too many sleeps have ended at one instant. Called after all work of the last wake-up.
  func leave() -> String? {
    guard wakes >= limit else { return nil }
    return """
      Time does not pass: \(wakes) sleeps have ended at one and the same instant, and there is another.

      A task sleeps for no time at all, or until an instant that it has reached, over and over. Have it sleep \
      for longer than zero, or end its loop.
      """
  }
}
