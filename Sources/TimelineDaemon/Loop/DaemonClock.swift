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
  private let choice: DaemonOptions.Clock
  /// Time of a rehearsal; `nil` on the system's clock.
  private(set) var rehearsal: RehearsalTime?
  /// Whether no run is active, so that a rehearsal at full speed need not wait for one.
  var isIdle: () -> Bool = { true }
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
    self.choice = choice
    stepDetector = ClockStepDetector(of: .measured())
    shift = if let offsetPath { try ClockOffset.read(offsetPath) } else { .zero }
    rehearsal = RehearsalTime(choice, at: SystemTime.now())
    timer = try WallTimer(loop: loop) { [weak self] event in self?.receive(event) }
    if let offsetPath {
      orders = try SignalSource(loop: loop, signals: [.user2]) { [weak self] _ in self?.follow(offsetPath) }
    }
  }

  /// Begins, or begins anew where a rehearsal is to begin, so that none of it passes while plugins are still being asked who
  /// they are; gives the instant of the beginning.
  func begin() -> WallInstant {
    let base = SystemTime.now()
    rehearsal = RehearsalTime(choice, at: base)
    return instant(base: base)
  }

  /// Current time of the clock.
  var now: WallInstant { instant(base: SystemTime.now()) }

  private func instant(base: WallInstant) -> WallInstant { rehearsal?.now(base: base) ?? base + shift }

  /// Whether it is a rehearsal's and stands still.
  var isPaused: Bool { rehearsal?.isPaused ?? false }

  /// Offset from the system's clock by the file that names one; `nil` for none.
  var offset: ElapsedTime? { shift == .zero ? nil : shift }

  /// Returns the current time, and the step if the clock was set or the machine slept and that was not reported yet.
  func look() -> (now: WallInstant, step: ElapsedTime?) {
    let reading = ClockStepDetector.Reading(wall: SystemTime.now(), monotonic: SystemTime.monotonic())
    guard let step = stepDetector.see(reading, .measured()) else {
      return (instant(base: reading.wall), nil)
    }
    return (now, follow(step))
  }

  /// Reading of this clock and of the monotonic clock at one moment.
  struct Reading {
    let instant: WallInstant
    let monotonic: MonotonicInstant
    /// The line of a rehearsal's clock, which an operator may have changed since.
    var line: AffineTime?

    /// Returns the time of the clock at `moment`, which is near to this reading: in between nobody has set the clock.
    func instant(at moment: MonotonicInstant) -> WallInstant {
      let distance = moment - monotonic
      return instant + (line?.length(of: distance) ?? distance)
    }
  }

  /// Current reading of both clocks.
  var reading: Reading {
    Reading(instant: now, monotonic: SystemTime.monotonic(), line: rehearsal?.line)
  }

  /// Wakes once for `instant`, at which `count` entries fall due, at once when it has passed; `nil` never.
  ///
  /// It is come up to only if it `isDeadline`, for meanwhile the ends of runs are not heard.
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

  /// Waits on this thread until the clock shows `instant`, which is at most ``WakeLead/leadMax`` away.
  ///
  /// If the plugin that comes next `isCalledHere`, it sleeps until as long before it as wake-ups are late here, or ``WakeLead/spin`` if
  /// it `isSpun`, and spins for the rest. Otherwise it sleeps until hosts have made their calls, or one of them has ended.
  ///
  /// A clock that is set meanwhile does not make it longer. A rehearsal's clock waits for nothing here.
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
      if rehearsal?.leapsToDeadlines(isIdle: isIdle()) == true {
        rehearsal?.leap(to: deadline, at: SystemTime.now())
      }
      guard rehearsal == nil, now < deadline else { return handler(.due(ahead: nil)) }
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
    guard rehearsal != nil else { return step }
    rehearsal?.follow(step, at: SystemTime.now())
    return .zero
  }

  /// Changes the time of a rehearsal, and the wake-up with it; does nothing on the system's clock.
  func control(_ change: (inout RehearsalTime, _ base: WallInstant) -> Void) {
    guard var time = rehearsal else { return }
    change(&time, SystemTime.now())
    rehearsal = time
    arm(at: deadline)
  }

  /// Takes in that runs have begun or ended, on which the wake-up of a rehearsal at full speed depends.
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
  /// Makes the time of a rehearsal that begins now, as it was asked for; `nil` for the system's clock.
  fileprivate init?(_ choice: DaemonOptions.Clock, at base: WallInstant) {
    guard case .scaled(let pace, let start) = choice else { return nil }
    self.init(base: base, virtual: start ?? base, pace: pace)
  }
}

extension DaemonClock: CustomStringConvertible {
  /// `system`, `scaled:60` or `scaled:max`.
  var description: String { rehearsal.map { "scaled:\($0.pace)" } ?? "system" }
}
