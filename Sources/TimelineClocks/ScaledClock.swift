internal import Synchronization
public import TimelineCore

/// A clock that runs as fast as you like on top of another one, and can be paused, resumed and moved ahead.
///
/// A timeline of a day is hard to watch. Put it on a clock that makes an hour of every minute, and it is a show of
/// twenty-four minutes in which everything happens in its order and in proportion:
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
/// Sleepers hold deadlines of *this* clock, so whatever is done to it while they sleep, each is woken when this
/// clock reaches its deadline and never before. However many sleep, one wake-up is asked of the base clock, for
/// the earliest; a change of speed moves it. One of the sleepers asks for it inside its own call of
/// ``sleep(until:tolerance:)`` and hands the duty on when it leaves, so no task outlives its caller. (When a leap wakes
/// it together with others it is the last to return, because it takes back its request first.)
///
/// Now never goes back: leaps lead ahead only, and when the base clock is set back this one goes on from where it
/// is. The arithmetic is ``AffineTime``'s: integers, exact, never early.
public final class ScaledClock<Base: TimelineClock>: TimelineClock, VisitedClock {
  /// A point on the wall clock.
  public typealias Instant = WallInstant

  private let base: Base
  private let state: Mutex<ScaledState>

  /// Makes a clock that stands where `base` stands and goes on at `speed`.
  ///
  /// - Parameters:
  ///   - base: The clock whose time is scaled.
  ///   - speed: Nanoseconds here for each nanosecond there; 0 makes a clock that is paused.
  public convenience init(base: Base, speed: Speed = .normal) {
    self.init(base: base, speed: speed, now: base.now)
  }

  /// Makes a clock that stands at `now`, whatever `base` says, and goes on at `speed`.
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

  /// Goes on at `speed` from here; 0 pauses, and anything else resumes.
  public func setSpeed(_ speed: Speed) {
    update { state, base in state.change { $0.settingSpeed(speed, at: base) } }
  }

  /// Stands still from here, until ``resume()`` or ``setSpeed(_:)``. Sleepers sleep on.
  public func pause() {
    update { state, base in state.change { $0.pausing(at: base) } }
  }

  /// Goes on from here at the speed it had before it was paused.
  public func resume() {
    update { state, base in state.change { $0.resuming(at: base) } }
  }

  /// Stands at `instant` at once and goes on from there; does nothing when `instant` is not ahead.
  ///
  /// Everybody who is due by then is woken, in order of deadline and then of registration, and finds the clock at
  /// `instant` already: nothing in between was seen. To see it, ``run(to:)``.
  public func leap(to instant: WallInstant) {
    update { state, base in
      state.change { $0.leaping(to: instant, at: base) }
      state.wakeDue(at: state.now(base: base))
    }
  }

  /// Moves ahead to `instant`, stopping at each deadline on the way.
  ///
  /// At each stop the clock stands at the deadline (a paused one exactly, a running one goes on from it), wakes who
  /// is due, in order of registration, and waits until each of them has left its sleep and is asleep again; a sleep
  /// that begins in the meantime is a stop too if it ends on the way. So a timer ticks for every interval.
  ///
  /// A timer is waited for until its loop asks for the next tick or ends, for ten thousand turns of the executor. Of
  /// other tasks nobody knows whether they will sleep again: they get some turns of the executor, and one that takes longer
  /// finds the clock further on, as it would in real life, but misses no deadline and sees none out of order. For a
  /// test, which must have the same result every time, put this clock on a `TestClock` or use that.
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

  /// Lets tasks that have just been started get to their first sleep: until no more have come for some turns.
  private func awaitFirstSleeps() async {
    var (turns, most) = (0, 0)
    while turns < ClockLimits.turnsForStart, !Task.isCancelled {
      await Task.yield()
      let now = state.withLock { $0.sleeperCount }
      (turns, most) = now > most ? (0, now) : (turns + 1, most)
    }
  }

  /// Sleeps until this clock has reached `deadline`, at whatever speeds and by whatever leaps it gets there.
  ///
  /// Returns at once when it has. While the clock is paused nobody wakes.
  ///
  /// - Parameters:
  ///   - deadline: When to wake.
  ///   - tolerance: Not used: the wake-up is shared, and is for the earliest of all deadlines.
  /// - Throws: `CancellationError` and nothing else: when the task is canceled, or when the base clock ends its sleep with an
  ///   error, because nobody would wake then.
  public func sleep(until deadline: WallInstant, tolerance: Duration? = nil) async throws {
    try await sleep(until: deadline, tolerance: tolerance, visitor: nil)
  }

  func sleep(until deadline: WallInstant, tolerance: Duration?, visitor: Visitor?) async throws {
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
          // The driver ended the sleep itself, to look; another ring would have it look for ever.
          if !Task.isCancelled { self.update { state, _ in state.cancelAll() } }
        }
      }
      await sleeper.signal()
      group.cancelAll()
    }
  }

  /// Does one thing to the state at the base's present, then tells those whom it concerns, outside of the lock.
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
  /// Makes a clock on top of one whose instants have no place on the wall clock, such as `ContinuousClock`; its time
  /// is counted from now, which is the epoch.
  public convenience init<Other: Clock>(base: Other, speed: Speed = .normal)
  where Other.Duration == Swift.Duration {
    self.init(base: AnyClock(base), speed: speed)
  }

  /// Makes a clock that stands at `now` on top of one whose instants have no place on the wall clock.
  public convenience init<Other: Clock>(base: Other, speed: Speed = .normal, now: WallInstant)
  where Other.Duration == Swift.Duration {
    self.init(base: AnyClock(base), speed: speed, now: now)
  }
}
