public import TimelineCore

extension Clock where Duration == Swift.Duration {
  /// Ticks every `interval`, beginning one interval after the first wait for it, and yields the time of each tick.
  ///
  /// ```swift
  /// for await instant in clock.timer(interval: .seconds(1)) {
  ///   print("It is \(instant).")
  /// }
  /// ```
  ///
  /// The timer keeps its phase: the n-th tick is due n intervals after the start, even if the loop's body is slow or a wake-up is
  /// late. So a thousand ticks of a millisecond take a second and not a little more. A loop that was busy for several intervals
  /// gets one tick for all of them, at once; the next tick is in phase again.
  ///
  /// The sequence ends when its task is canceled, and at the end of time, `WallInstant.max`.
  ///
  /// - Parameters:
  ///   - interval: The time from one tick to the next; anything below a nanosecond counts as one.
  ///   - tolerance: The longest delay of a tick, for clocks that use it.
  public func timer(interval: Duration, tolerance: Duration? = nil) -> TimerSequence {
    TimerSequence(interval: interval, tolerance: tolerance, clock: AnyClock(self))
  }
}

/// The ticks of a clock at a regular interval; made by a clock's `timer(interval:tolerance:)`.
public struct TimerSequence: AsyncSequence, Sendable {
  /// The instant at which a tick was received, which is its deadline or later.
  public typealias Element = WallInstant

  let interval: Duration
  let tolerance: Duration?
  let clock: AnyClock<Duration>

  /// Starts a timer of its own; its first tick is due one interval after the first call of `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(
      interval: Swift.max(interval, .nanoseconds(1)), tolerance: tolerance, visitor: SleeperVisit(),
      clock: clock)
  }

  /// One run through the ticks.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    let interval: Duration
    let tolerance: Duration?
    let visitor: SleeperVisit
    /// `nil` after the end.
    var clock: AnyClock<Duration>?
    var start: WallInstant?
    /// The number of intervals from the start to the deadline of the last tick.
    var count: Int128 = 0

    /// Waits for the next tick; `nil` when the task has been canceled or time has ended.
    public mutating func next() async -> WallInstant? {
      guard let clock else { return nil }
      do {
        try await clock.sleep(until: nextDeadline(on: clock), tolerance: tolerance, visitor: visitor)
        let now = clock.now
        if now < .max { return now }
      } catch {}
      self.clock = nil
      visitor.leave()
      return nil
    }

    /// Returns the deadline of the latest due tick, or of the next tick if no further tick is due. Due ticks before it are
    /// missed.
    private mutating func nextDeadline(on clock: AnyClock<Duration>) -> WallInstant {
      let now = clock.now
      let start = self.start ?? now
      self.start = start
      // Half a nanosecond more, because deadlines are rounded to the nearest nanosecond.
      let elapsed = start.duration(to: now) + .nanoseconds(1) / 2
      count = Swift.max(count + 1, elapsed.attoseconds / interval.attoseconds)
      return start.advanced(by: interval, times: count)
    }
  }
}
