public import TimelineCore

/// A clock of a kind that nobody needs to know.
///
/// `any Clock<Duration>` is how a program holds a clock that it was handed, and an existential is not itself a
/// `Clock`: what is generic over clocks does not take it. This type does:
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
/// It is also how a clock from elsewhere becomes a ``TimelineClock``. A clock that is one keeps its instants; the
/// instants of any other (`ContinuousClock`, say) have no place on the wall clock, so their time is counted from
/// the moment of wrapping, which is the epoch.
public struct AnyClock<Duration: DurationProtocol & Hashable>: Sendable {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let present: @Sendable () -> WallInstant
  private let resolution: @Sendable () -> Swift.Duration
  private let wait: @Sendable (WallInstant, Swift.Duration?, Visitor?) async throws -> Void

  /// Wraps `clock`, whose type is not known.
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
    if let clock = clock as? any VisitedClock {
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
  /// The wrapped clock's present.
  public var now: WallInstant { present() }

  /// The wrapped clock's grain.
  public var minimumResolution: Swift.Duration { resolution() }

  /// Sleeps on the wrapped clock.
  ///
  /// - Throws: what the wrapped clock throws, which is `CancellationError` on every clock of this package.
  public func sleep(until deadline: WallInstant, tolerance: Swift.Duration? = nil) async throws {
    try await wait(deadline, tolerance, nil)
  }
}

extension AnyClock: VisitedClock where Duration == Swift.Duration {
  func sleep(until deadline: WallInstant, tolerance: Swift.Duration?, visitor: Visitor?) async throws {
    try await wait(deadline, tolerance, visitor)
  }
}

private func wrapped<Base: Clock<Duration>>(_ clock: Base) -> AnyClock<Duration> { AnyClock(clock) }
