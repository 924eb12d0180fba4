import TimelineClocks
import TimelineCore
import TimelineSystem

/// The daemon's one door to time: what it takes for now, and its one wake-up.
///
/// On the system's clock both are the kernel's. In a rehearsal the same wall timer is armed for the instant at which the
/// rehearsal's clock will show the deadline. Where a file says so, the clock stands off the system's by what is in it, and a
/// change of that, told by SIGUSR2, is to everybody else the same as somebody having set the clock.
final class DaemonClock {
  /// Events of the clock itself.
  enum Event {
    /// The armed instant has come; or `ahead` comes in less than ``WakeLead/leadMax``, and what is due then can be made ready.
    case due(ahead: WallInstant?)
    /// The wall clock was set or the machine resumed; it moved by this much against a clock that only runs.
    case stepped(by: ElapsedTime)
    /// The file with the clock's offset from the system's clock cannot be read; the offset stays as it was.
    case offsetUnreadable(SystemError)
  }

  private let handler: (Event) -> Void
  private let loop: EventLoop
  private var timer: WallTimer?
  private var map: AffineTime?
  private let start: WallInstant?
  private var stepDetector: ClockStepDetector
  /// Offset of this clock from the system's, read from a file; positive when it is ahead.
  private var shift: ElapsedTime
  private var orders: SignalSource?
  private var wakeLead = WakeLead()
  private var margin = SleepMargin()
  /// Whether more time was to be spun for than is allowed.
  private(set) var hasRunOutOfSpins = false
  /// Instant for which the clock is armed.
  private var deadline: WallInstant?
  /// Time before ``deadline`` at which it wakes.
  private var lead = WakeLead.lead

  /// Makes a clock that begins now; `handler` is called on the loop's thread.
  ///
  /// Throws when descriptors run out and when the file at `offsetPath` does not hold a length of time.
  init(
    _ choice: DaemonOptions.Clock, offsetPath: String? = nil, loop: EventLoop,
    handler: @escaping (Event) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.loop = loop
    stepDetector = ClockStepDetector(of: .measured())
    shift = if let offsetPath { try ClockOffset.read(offsetPath) } else { .zero }
    if case .scaled(let speed, let start) = choice {
      let base = SystemTime.now()
      map = AffineTime(base: base, virtual: start ?? base, speed: speed)
      self.start = start
    } else {
      start = nil
    }
    timer = try WallTimer(loop: loop) { [weak self] event in self?.receive(event) }
    if let offsetPath {
      orders = try SignalSource(loop: loop, signals: [.user2]) { [weak self] _ in self?.follow(offsetPath) }
    }
  }

  /// Begins, or begins anew where a rehearsal is to begin, so that none of it passes while plugins are still being asked who
  /// they are; gives the instant of the beginning.
  func begin() -> WallInstant {
    let base = SystemTime.now()
    guard let old = map else { return base + shift }
    map = AffineTime(base: base, virtual: start ?? base, speed: old.speed)
    return start ?? base
  }

  /// Current time of the clock.
  var now: WallInstant {
    let base = SystemTime.now()
    return map.map { $0.now(base: base) } ?? base + shift
  }

  /// Returns the current time, and the step if the clock was set or the machine slept and that was not reported yet.
  func look() -> (now: WallInstant, step: ElapsedTime?) {
    let reading = ClockStepDetector.Reading(wall: SystemTime.now(), monotonic: SystemTime.monotonic())
    guard let step = stepDetector.see(reading, .measured()) else {
      return (map.map { $0.now(base: reading.wall) } ?? reading.wall + shift, nil)
    }
    return (now, follow(step))
  }

  /// Reading of this clock and of the monotonic clock at one moment.
  struct Reading {
    let instant: WallInstant
    let monotonic: MonotonicInstant
  }

  /// Current reading of both clocks.
  var reading: Reading { Reading(instant: now, monotonic: SystemTime.monotonic()) }

  /// Returns the time of this clock at `moment`, by a reading taken near to it: in between nobody has set the clock.
  func instant(at moment: MonotonicInstant, by reading: Reading) -> WallInstant {
    let distance = moment - reading.monotonic
    return reading.instant + (map?.length(of: distance) ?? distance)
  }

  /// Wakes once for `instant`, at which `count` entries fall due, at once when it has passed; `nil` never.
  ///
  /// It is come up to only if it `isDeadline`, for meanwhile the ends of runs are not heard.
  func arm(at instant: WallInstant?, count: Int = 1, isDeadline: Bool = true) {
    deadline = instant
    guard let map else {
      lead = instant.map { isDeadline ? wakeLead.lead(for: $0, count: count) : .zero } ?? .zero
      timer?.arm(at: instant.map { $0 - lead - shift })
      return
    }
    timer?.arm(at: instant.flatMap { map.baseInstant(for: $0) })
  }

  /// Waits on this thread until the clock shows `instant`, which is at most ``WakeLead/leadMax`` away.
  ///
  /// If the plugin that comes next `isCalledHere`, it sleeps until as long before it as wake-ups are late here, or ``WakeLead/spin`` if
  /// it `isSpun`, and spins for the rest. Otherwise it sleeps until hosts have made their calls, or one of them has ended.
  ///
  /// A clock that is set meanwhile does not make it longer. A rehearsal's clock waits for nothing here.
  func wait(until instant: WallInstant, isSpun: Bool, isCalledHere: Bool) {
    guard map == nil else { return }
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
    // Something else was ready before, and is looked at after the deadline.
    if left > .zero { SystemTime.pause(for: left + WakeLead.handedOver) }
  }

  /// Whether the last of the time to `deadline` may be spun; counts it if so, and notes if not.
  func maySpin(to deadline: WallInstant) -> Bool {
    let maySpin = wakeLead.maySpin(to: deadline)
    if !maySpin { hasRunOutOfSpins = true }
    return maySpin
  }

  private func receive(_ event: WallTimer.Event) {
    switch event {
    case .due:
      guard let deadline else { return }
      guard map == nil, now < deadline else { return handler(.due(ahead: nil)) }
      // Set back in this moment, the clock is not where the timer went off.
      guard deadline - now <= lead else { return arm(at: deadline) }
      wakeLead.begin(deadline)
      handler(.due(ahead: deadline))
    case .clockStepped:
      if let step = stepDetector.hear(.measured()) { handler(.stepped(by: follow(step))) }
    }
  }

  /// Follows the system's clock that was set; gives the step that others see.
  private func follow(_ step: ElapsedTime) -> ElapsedTime {
    // A rehearsal's clock hangs on the wall clock; it goes on from where it stood.
    guard let map else { return step }
    let base = SystemTime.now()
    self.map = AffineTime(base: base, virtual: map.now(base: base - step), speed: map.speed)
    return .zero
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
