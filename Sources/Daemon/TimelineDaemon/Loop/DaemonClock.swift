import TimelineClocks
import TimelineCore
import TimelineSystem

/// The daemon's clock: the current time and the one timer.
///
/// On the system's clock, the kernel provides both. In a rehearsal, the kernel's timer is armed for the system time at which
/// the rehearsal's clock will show the deadline. With an offset file the clock is ahead of the system's by the length in the
/// file. On SIGUSR2 the file is read again. A changed offset is handled like a clock step.
final class DaemonClock {
  /// Events of the clock itself.
  enum Event {
    /// The armed instant has come, and `ahead` is `nil`. Or the armed instant comes in less than ``WakeLead/leadMax``: then
    /// `ahead` is this instant, and its work can be prepared.
    case due(ahead: WallInstant?)
    /// The wall clock was set or the machine resumed; the value is the step against the monotonic clock.
    case stepped(by: ElapsedTime)
    /// The file with the clock's offset from the system's clock cannot be read; the offset stays as it was.
    case offsetUnreadable(SystemError)
  }

  private let handler: (Event) -> Void
  private let loop: EventLoop
  private var timer: WallTimer?
  private let choice: DaemonOptions.Clock
  /// Time of a rehearsal; `nil` on the system's clock.
  private(set) var rehearsal: RehearsalTime?
  /// Whether no run is active, so that a rehearsal at full speed may go to the next deadline.
  private var isIdle: () -> Bool = { true }
  private var stepDetector: ClockStepDetector
  /// Offset of this clock from the system's, read from a file; positive if this clock is ahead.
  private var shift: ElapsedTime
  private var orders: SignalSource?
  private var wakeLead = WakeLead()
  private var margin = SleepMargin()
  /// Whether the limit of spins, ``WakeLead/spinsPerSecond``, was ever exceeded.
  private(set) var hasRunOutOfSpins = false
  /// Instant for which the clock is armed.
  private var deadline: WallInstant?
  /// Time before ``deadline`` at which the timer fires.
  private var lead = WakeLead.lead

  /// Makes a clock that begins now; `handler` is called on the loop's thread.
  ///
  /// Throws if descriptors run out, or if the file at `offsetPath` does not hold a length of time.
  init(
    _ choice: DaemonOptions.Clock, offsetPath: String? = nil, loop: EventLoop,
    handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.loop = loop
    self.choice = choice
    stepDetector = ClockStepDetector(of: .measured())
    shift = if let offsetPath { try ClockOffset.read(offsetPath) } else { .zero }
    rehearsal = RehearsalTime(choice, at: SystemTime.now())
    timer = try WallTimer(loop: loop) { [weak self] event in self?.receive(event) }
    if let offsetPath {
      orders = try SignalSource(loop: loop, signals: [.user2]) { [weak self] _ in self?.follow(offsetPath) }
    }
  }

  /// Sets how the clock of a rehearsal finds out whether no run is active.
  func leapWhenIdle(_ isIdle: @escaping () -> Bool) { self.isIdle = isIdle }

  /// Starts the clock and returns its time. A rehearsal restarts here, so that its time does not pass while plugins are
  /// inspected.
  func begin() -> WallInstant {
    let base = SystemTime.now()
    rehearsal = RehearsalTime(choice, at: base)
    return instant(base: base)
  }

  var now: WallInstant { instant(base: SystemTime.now()) }

  private func instant(base: WallInstant) -> WallInstant { rehearsal?.now(base: base) ?? base + shift }

  /// Whether the clock is a rehearsal's and is paused.
  var isPaused: Bool { rehearsal?.isPaused ?? false }

  /// Offset from the system's clock, by the offset file; `nil` for none.
  var offset: ElapsedTime? { shift == .zero ? nil : shift }

  /// Returns the current time. If the clock was set or the machine was suspended since the last report, also returns the step.
  func look() -> (now: WallInstant, step: ElapsedTime?) {
    let reading = ClockStepDetector.Reading(wall: SystemTime.now(), monotonic: SystemTime.monotonic())
    guard let step = stepDetector.see(reading, .measured()) else {
      return (instant(base: reading.wall), nil)
    }
    return (now, follow(step))
  }

  /// Reading of this clock and of the monotonic clock at one instant.
  struct Reading {
    let instant: WallInstant
    let monotonic: MonotonicInstant
    /// The linear function of a rehearsal's time at this reading. An operator may have changed the line since.
    var line: AffineTime?

    /// Returns the time of the clock at `moment`. The reading must be near to `moment`, with no clock step in between.
    func instant(at moment: MonotonicInstant) -> WallInstant {
      let distance = moment - monotonic
      return instant + (line?.length(of: distance) ?? distance)
    }
  }

  var reading: Reading {
    Reading(instant: now, monotonic: SystemTime.monotonic(), line: rehearsal?.line)
  }

  /// Arms the timer for `instant`, at which `count` entries fall due; `nil` disarms the timer. The timer fires at once if
  /// `instant` has passed.
  ///
  /// The daemon wakes early only if `isDeadline` is true, because after an early wake-up it reads no ends of runs until the
  /// deadline.
  func arm(at instant: WallInstant?, count: Int = 1, isDeadline: Bool = true) {
    deadline = instant
    guard let rehearsal else {
      lead = instant.map { isDeadline ? wakeLead.lead(for: $0, count: count) : .zero } ?? .zero
      timer?.arm(at: instant.map { $0 - lead - shift })
      return
    }
    timer?.arm(
      at: instant.flatMap {
        rehearsal.wakeInstant(for: $0, at: SystemTime.now(), isIdle: isIdle())
      })
  }

  /// Blocks this thread until the clock shows `instant`, which is at most ``WakeLead/leadMax`` away.
  ///
  /// If `isCalledHere` is true, the next plugin is called in this process: the thread sleeps until shortly before the instant
  /// and spins for the rest. The rest is ``WakeLead/spin`` if `isSpun`, and otherwise the usual lateness of wake-ups on this
  /// machine. If the next plugin is called in a host, the thread sleeps until the hosts have made their calls, or until a host
  /// reports an end.
  ///
  /// A clock step does not extend the wait. In a rehearsal there is no wait.
  func wait(until instant: WallInstant, isSpun: Bool, isCalledHere: Bool) {
    guard rehearsal == nil else { return }
    let left = instant - now
    guard left > .zero, left <= WakeLead.leadMax else { return }
    guard isCalledHere else { return waitForHosts(until: instant) }
    let rest = isSpun ? WakeLead.spin : margin.length
    SystemTime.pause(for: left - rest, teaching: &margin)
    SystemTime.spin(until: instant - shift, atMost: rest)
  }

  private func waitForHosts(until instant: WallInstant) {
    loop.sleep(atMost: instant + WakeLead.handedOver - now)
    let left = instant - now
    // Another descriptor was ready before; it is handled after the deadline.
    if left > .zero { SystemTime.pause(for: left + WakeLead.handedOver) }
  }

  /// Returns whether the thread may spin for the rest of the time to `deadline`. Counts the spin if so, and sets
  /// ``hasRunOutOfSpins`` if not.
  func maySpin(to deadline: WallInstant) -> Bool {
    let maySpin = wakeLead.maySpin(to: deadline)
    if !maySpin { hasRunOutOfSpins = true }
    return maySpin
  }

  private func receive(_ event: WallTimer.Event) {
    switch event {
    case .due:
      guard let deadline else { return }
      if rehearsal?.leapsToDeadlines(isIdle: isIdle()) == true {
        rehearsal?.leap(to: deadline, at: SystemTime.now())
      }
      guard rehearsal == nil, now < deadline else { return handler(.due(ahead: nil)) }
      // The clock may have been set back just after the timer fired.
      guard deadline - now <= lead else { return arm(at: deadline) }
      wakeLead.begin(deadline)
      handler(.due(ahead: deadline))
    case .clockStepped:
      if let step = stepDetector.hear(.measured()) { handler(.stepped(by: follow(step))) }
    }
  }

  /// Follows a step of the system's clock. Returns the step of this clock.
  private func follow(_ step: ElapsedTime) -> ElapsedTime {
    // A rehearsal's clock is computed from the wall clock, but goes on without a step.
    guard rehearsal != nil else { return step }
    rehearsal?.follow(step, at: SystemTime.now())
    return .zero
  }

  /// Changes the time of a rehearsal and sets the timer anew; does nothing on the system's clock.
  func control(_ change: (inout RehearsalTime, _ base: WallInstant) -> Void) {
    guard var time = rehearsal else { return }
    change(&time, SystemTime.now())
    rehearsal = time
    arm(at: deadline)
  }

  /// Sets the timer of a rehearsal at full speed anew, because the timer depends on whether runs are active.
  func runsChanged() {
    if rehearsal?.pace == .max { arm(at: deadline) }
  }

  private func follow(_ path: String) {
    do {
      let ordered = try ClockOffset.read(path)
      let step = ordered - shift
      shift = ordered
      if step != .zero { handler(.stepped(by: step)) }
    } catch {
      handler(.offsetUnreadable(error))
    }
  }
}

extension RehearsalTime {
  /// Makes the time of a rehearsal that begins now, from the options; `nil` for the system's clock.
  fileprivate init?(_ choice: DaemonOptions.Clock, at base: WallInstant) {
    guard case .scaled(let pace, let start) = choice else { return nil }
    self.init(base: base, virtual: start ?? base, pace: pace)
  }
}

extension DaemonClock: CustomStringConvertible {
  /// `system`, `scaled:60` or `scaled:max`.
  var description: String { rehearsal.map { "scaled:\($0.pace)" } ?? "system" }
}
