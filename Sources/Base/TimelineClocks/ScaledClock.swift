internal import Synchronization
public import TimelineCore

/// A clock that runs at any speed on top of another clock, and can be paused, resumed and moved ahead.
///
/// For example, at speed 60 an hour takes a minute: a timeline of a day plays in 24 minutes, in order and in proportion.
///
/// ```swift
/// let clock = ScaledClock(base: ContinuousClock(), speed: 60, now: today)
/// let show = Task {
///   for await instant in clock.timer(interval: .seconds(3600)) { print("It is \(instant).") }
/// }
///
/// clock.pause()                                    // Hold it there,
/// clock.setSpeed(0.5)                              // now in slow motion,
/// clock.leap(to: tomorrow)                         // skip the night,
/// await clock.run(to: tomorrow + .hours(8))        // and play everything until eight.
/// show.cancel()
/// ```
///
/// Sleepers hold deadlines of *this* clock. If the clock changes while they sleep, each is still woken when this clock reaches
/// its deadline and never before. All sleepers share one wake-up of the base clock, for the earliest deadline. A change of speed
/// moves this wake-up. One of the sleepers, the driver, requests the wake-up inside its own call of ``sleep(until:tolerance:)``.
/// Another sleeper becomes the driver when the driver leaves. So no task outlives its caller. (If a leap wakes the driver
/// together with others, the driver returns last, because it cancels its request first.)
///
/// `now` never goes back: leaps move only ahead. If the base clock is set back, this clock continues from its present time.
/// ``AffineTime`` does the arithmetic: exact, in integers, never early.
public final class ScaledClock<Base: TimelineClock>: TimelineClock, SleepingClock {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let base: Base
  private let state: Mutex<ScaledState>

  /// Makes a clock that starts at the time of `base` and runs at `speed`.
  ///
  /// - Parameters:
  ///   - base: The clock whose time is scaled.
  ///   - speed: Nanoseconds of this clock for each nanosecond of `base`; 0 makes a paused clock.
  public convenience init(base: Base, speed: Speed = .normal) {
    self.init(base: base, speed: speed, now: base.now)
  }

  /// Makes a clock that starts at `now`, independent of the time of `base`, and runs at `speed`.
  public init(base: Base, speed: Speed = .normal, now: WallInstant) {
    self.base = base
    self.state = Mutex(ScaledState(AffineTime(base: base.now, virtual: now, speed: speed)))
  }

  /// The current time of this clock.
  public var now: WallInstant { update { state, base in state.now(base: base) } }

  /// The smallest difference of two readings that differ: the base's resolution at this speed, at least a nanosecond.
  public var minimumResolution: Duration {
    let speed = self.speed
    let scaled = base.minimumResolution.attoseconds.multipliedReportingOverflow(by: Int128(speed.numerator))
    guard !scaled.overflow else { return base.minimumResolution }
    return max(.nanoseconds(1), Duration(attoseconds: scaled.partialValue / Int128(speed.denominator)))
  }

  /// The speed of the clock, or its speed after it is resumed.
  public var speed: Speed { state.withLock { $0.time.speed } }

  /// Whether the clock stands still.
  public var isPaused: Bool { state.withLock { $0.time.isPaused } }

  /// Changes the speed from now on. Speed 0 pauses the clock; any other speed also resumes a paused clock.
  public func setSpeed(_ speed: Speed) {
    update { state, base in state.change { $0.settingSpeed(speed, at: base) } }
  }

  /// Pauses the clock until ``resume()`` or ``setSpeed(_:)``. Sleepers sleep on.
  public func pause() {
    update { state, base in state.change { $0.pausing(at: base) } }
  }

  /// Resumes the clock at the speed it had before it was paused.
  public func resume() {
    update { state, base in state.change { $0.resuming(at: base) } }
  }

  /// Moves to `instant` at once and continues from there. Does nothing if `instant` is not ahead.
  ///
  /// All sleepers that are due at `instant` are woken, in order of deadline and then of registration. The clock already shows
  /// `instant` when they run. To stop at each deadline on the way, use ``run(to:)``.
  public func leap(to instant: WallInstant) {
    update { state, base in
      state.change { $0.leaping(to: instant, at: base) }
      state.wakeDue(at: state.now(base: base))
    }
  }

  /// Moves ahead to `instant`, stopping at each deadline on the way.
  ///
  /// At each stop the clock shows the deadline: a paused clock exactly, and a running clock goes on from it. The clock wakes the
  /// due sleepers in order of registration, and waits until each of them has left its sleep and is asleep again. A sleep that
  /// begins in the meantime and ends on the way is a stop, too. So a timer ticks for every interval.
  ///
  /// The clock waits for a timer until its loop requests the next tick or ends, for at most ten thousand turns of the executor.
  /// Other tasks may or may not sleep again, so they get fewer turns. A task that takes longer finds the clock further on, as it
  /// would in real life, but misses no deadline and sees no deadlines out of order. For a test, which must have the same result
  /// every time, put this clock on a `TestClock` or use a `TestClock` alone.
  public func run(to instant: WallInstant) async {
    await awaitFirstSleeps()
    while let woken = update({ state, base in state.leapToNextDeadline(by: instant, base: base) }) {
      for sleeper in woken { await sleeper.departure() }
      var turns = 0
      while turns < state.withLock({ $0.woken.turnsToWait }), !Task.isCancelled {
        await Task.yield()
        turns += 1
      }
      state.withLock { $0.woken.removeAll() }
      if Task.isCancelled { return }
    }
    leap(to: instant)
  }

  /// Waits until tasks that have just been started sleep for the first time: until no new sleeper comes for
  /// ``ClockLimits/turnsForStart`` turns.
  private func awaitFirstSleeps() async {
    var (turns, most) = (0, 0)
    while turns < ClockLimits.turnsForStart, !Task.isCancelled {
      await Task.yield()
      let now = state.withLock { $0.sleeperCount }
      (turns, most) = now > most ? (0, now) : (turns + 1, most)
    }
  }

  /// Sleeps until this clock has reached `deadline`, at any speed and by any leaps.
  ///
  /// Returns at once if the clock has already reached `deadline`. While the clock is paused no sleeper wakes.
  ///
  /// - Parameters:
  ///   - deadline: When to wake.
  ///   - tolerance: Not used: the wake-up is shared, and is for the earliest of all deadlines.
  /// - Throws: `CancellationError` and nothing else: when the task is canceled, or when the base clock ends its sleep with an
  ///   error, because then no sleeper would ever wake.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline, tolerance: tolerance, visitor: nil)
  }

  func sleep(until deadline: WallInstant, tolerance: Duration?, visitor: SleeperVisit?) async throws {
    try Task.checkCancellation()
    let sleeper = Sleeper(isVisitor: visitor != nil)
    guard let ticket = update({ $0.enter(sleeper, until: deadline, base: $1) }) else { return }
    visitor?.whenLeaving { self.state.withLock { $0.woken.remove(sleeper.task) } }
    defer { sleeper.depart() }
    try await withTaskCancellationHandler {
      while true {
        switch update({ $0.duty(of: sleeper, base: $1) }) {
        case .leave: return
        case .giveUp: throw CancellationError()
        case .wait: await sleeper.signal()
        case .drive(let wake): await drive(until: wake, sleeper)
        }
      }
    } onCancel: {
      update { state, _ in state.cancel(ticket) }
    }
  }

  /// Waits for the base clock on behalf of all sleepers, until it is time or something has changed.
  private func drive(until wake: WallInstant, _ sleeper: Sleeper) async {
    await withTaskGroup { group in
      group.addTask {
        do {
          try await self.base.sleep(until: wake, tolerance: nil)
          sleeper.post()
        } catch {
          // The driver ended the sleep itself, to check the state. Another signal would start an endless loop of checks.
          if !Task.isCancelled { self.update { state, _ in state.cancelAll() } }
        }
      }
      await sleeper.signal()
      group.cancelAll()
    }
  }

  /// Changes the state at the base's present, then signals the sleepers that it affects, outside of the lock.
  @discardableResult
  private func update<Result>(_ change: (inout ScaledState, WallInstant) -> Result) -> Result {
    let (result, signals) = state.withLock { state in
      let base = self.base.now
      state.noticeBase(base)
      let result = change(&state, base)
      return (result, state.takeSignals())
    }
    for sleeper in signals { sleeper.post() }
    return result
  }
}

extension ScaledClock where Base == AnyClock<Swift.Duration> {
  /// Makes a clock on top of a clock whose instants are not points on the wall clock, such as `ContinuousClock`. The time of
  /// `base` is counted from now, which is the epoch.
  public convenience init<Other: Clock>(base: Other, speed: Speed = .normal)
  where Other.Duration == Swift.Duration {
    self.init(base: AnyClock(base), speed: speed)
  }

  /// Makes a clock that starts at `now`, on top of a clock whose instants are not points on the wall clock.
  public convenience init<Other: Clock>(base: Other, speed: Speed = .normal, now: WallInstant)
  where Other.Duration == Swift.Duration {
    self.init(base: AnyClock(base), speed: speed, now: now)
  }
}
