public import TimelineCore

/// A type-erased clock.
///
/// A program holds a clock that it received as `any Clock<Duration>`. An existential is not itself a `Clock`, so generic code
/// does not accept it. Generic code accepts this type:
///
/// ```swift
/// struct Heartbeat<C: Clock> where C.Duration == Duration {
///   let clock: C
/// }
///
/// struct Poller {
///   let clock: any Clock<Duration>
///   // `Heartbeat(clock: clock)` does not compile: type 'any Clock<Duration>' cannot conform to 'Clock'.
///   var heartbeat: Heartbeat<AnyClock<Duration>> {
///     let clock = AnyClock(clock)
///     return Heartbeat(clock: clock)
///   }
/// }
/// ```
///
/// It also makes a ``TimelineClock`` of any other clock. A wrapped ``TimelineClock`` keeps its instants. The instants of other
/// clocks, for example `ContinuousClock`, are not points on the wall clock. Their time is counted from the moment of wrapping,
/// which is the epoch.
public struct AnyClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let present: @Sendable () -> WallInstant
  private let resolution: @Sendable () -> Swift.Duration
  private let wait: @Sendable (WallInstant, Swift.Duration?, SleeperVisit?) async throws -> Void

  /// Wraps a `clock` of unknown type.
  ///
  /// The compiler of Swift 6.3 does not open an existential for the generic initializer in a file that imports Foundation.
  @_disfavoredOverload
  public init(_ clock: any Clock<Swift.Duration>) where Duration == Swift.Duration {
    self = wrapped(clock)
  }

  /// Wraps `clock`.
  public init<Base: Clock>(_ clock: Base) where Base.Duration == Duration, Duration == Swift.Duration {
    if let clock = clock as? any TimelineClock {
      self.init(timeline: clock)
    } else {
      self.init(foreign: clock)
    }
  }

  private init(timeline clock: some TimelineClock) where Duration == Swift.Duration {
    present = { clock.now }
    resolution = { clock.minimumResolution }
    if let clock = clock as? any SleepingClock {
      wait = { try await clock.sleep(until: $0, tolerance: $1, visitor: $2) }
    } else {
      wait = { deadline, tolerance, _ in try await clock.sleep(until: deadline, tolerance: tolerance) }
    }
  }

  private init<Base: Clock>(foreign clock: Base) where Base.Duration == Duration, Duration == Swift.Duration {
    let start = clock.now
    present = { WallInstant(offset: start.duration(to: clock.now)) }
    resolution = { clock.minimumResolution }
    wait = { deadline, tolerance, _ in
      let offset = WallInstant.epoch.duration(to: deadline)
      try await clock.sleep(until: start.advanced(by: offset), tolerance: tolerance)
    }
  }
}

extension AnyClock: Clock, TimelineClock where Duration == Swift.Duration {
  /// The present time of the wrapped clock.
  public var now: WallInstant { present() }

  /// The minimum resolution of the wrapped clock.
  public var minimumResolution: Swift.Duration { resolution() }

  /// Sleeps on the wrapped clock.
  ///
  /// - Throws: The errors of the wrapped clock. Each clock of this package throws only `CancellationError`.
  public func sleep(until deadline: WallInstant, tolerance: Swift.Duration? = nil) async throws {
    try await wait(deadline, tolerance, nil)
  }
}

extension AnyClock: SleepingClock where Duration == Swift.Duration {
  func sleep(until deadline: WallInstant, tolerance: Swift.Duration?, visitor: SleeperVisit?) async throws {
    try await wait(deadline, tolerance, visitor)
  }
}

private func wrapped<Base: Clock<Duration>>(_ clock: Base) -> AnyClock<Duration> { AnyClock(clock) }
