import TimelineCore

/// The state of a ``ScaledClock``: plain data, changed under its lock, with a list of sleepers to signal afterwards.
struct ScaledState: Sendable {
  /// The next step of a sleeper.
  enum Duty {
    /// The deadline of the sleeper has come.
    case leave
    /// The task of the sleeper was canceled.
    case giveUp
    /// Another sleeper waits for the base clock.
    case wait
    /// The sleeper waits for the base clock until this instant, on behalf of all sleepers.
    case drive(WallInstant)
  }

  private(set) var time: AffineTime
  private var lastBase: WallInstant
  private var queue = SleeperQueue<Sleeper>()
  /// The sleeper that waits for the base clock.
  private var driver: Sleeper?
  private var signals: [Sleeper] = []
  /// The tasks that a run waits for before it moves on.
  var woken = WokenTasks()
  /// Whether the driver must be signaled, because it may wait for a wrong instant.
  private var mustTellDriver = false

  init(_ time: AffineTime) {
    self.time = time
    self.lastBase = time.baseAnchor
  }

  var sleeperCount: Int { queue.count }

  func now(base: WallInstant) -> WallInstant { time.now(base: base) }

  /// Records the time of the base clock. If the base clock was set back, virtual time continues from its present value.
  mutating func noticeBase(_ base: WallInstant) {
    if base < lastBase {
      let reached = time.anchored(at: lastBase)
      change { _ in AffineTime(resuming: reached, at: base) }
    }
    lastBase = base
  }

  mutating func change(_ change: (AffineTime) -> AffineTime) {
    time = change(time)
    mustTellDriver = true
  }

  /// Queues a sleeper. Returns `nil` if its deadline has passed.
  mutating func enter(_ sleeper: Sleeper, until deadline: WallInstant, base: WallInstant)
    -> SleeperQueue<Sleeper>.Ticket?
  {
    guard deadline > now(base: base) else { return nil }
    let ticket = queue.insert(until: deadline, sleeper)
    woken.remove(sleeper.task)
    if queue.first?.ticket == ticket { mustTellDriver = true }
    return ticket
  }

  mutating func duty(of sleeper: Sleeper, base: WallInstant) -> Duty {
    // Time may have passed the deadline since the wake-up was requested.
    wakeDue(at: now(base: base))
    switch sleeper.outcome {
    case .due: return .leave
    case .cancelled: return .giveUp
    case nil: break
    }
    if driver == nil { driver = sleeper }
    guard driver === sleeper, let first = queue.first?.ticket.deadline,
      let wake = time.baseInstant(for: first)
    else { return .wait }
    return .drive(wake)
  }

  mutating func wakeDue(at instant: WallInstant) {
    while let next = queue.popFirst(dueAt: instant) { release(next.payload, as: .due) }
  }

  mutating func cancel(_ ticket: SleeperQueue<Sleeper>.Ticket) {
    let wasFirst = queue.first?.ticket == ticket
    guard let sleeper = queue.remove(ticket) else { return }
    release(sleeper, as: .cancelled)
    if wasFirst { mustTellDriver = true }
  }

  /// Ends all sleeps, because the base clock does not go on.
  mutating func cancelAll() {
    for sleeper in queue.removeAll() { release(sleeper.payload, as: .cancelled) }
  }

  /// Moves to the next deadline that is not after `limit` and returns the sleepers that it woke. Returns `nil` if there is no
  /// such deadline.
  mutating func leapToNextDeadline(by limit: WallInstant, base: WallInstant) -> [Sleeper]? {
    guard let next = queue.first?.ticket.deadline, next <= limit else { return nil }
    change { $0.leaping(to: next, at: base) }
    var left: [Sleeper] = []
    while let sleeper = queue.popFirst(dueAt: now(base: base)) {
      release(sleeper.payload, as: .due)
      woken.insert(sleeper.payload)
      left.append(sleeper.payload)
    }
    return left
  }

  /// Removes and returns the sleepers to signal, in order: the sleepers that leave, then the driver if it must be signaled, or a
  /// new driver if there is none.
  mutating func takeSignals() -> [Sleeper] {
    if mustTellDriver || driver == nil, let sleeper = driver ?? queue.first?.payload {
      signals.append(sleeper)
    }
    mustTellDriver = false
    defer { signals = [] }
    return signals
  }

  private mutating func release(_ sleeper: Sleeper, as outcome: Sleeper.Outcome) {
    sleeper.decide(outcome)
    signals.append(sleeper)
    if driver === sleeper { driver = nil }
  }
}

extension AffineTime {
  /// Makes the line that continues from the virtual time of `reached` at another time of the base clock.
  fileprivate init(resuming reached: AffineTime, at base: WallInstant) {
    self = AffineTime(base: base, virtual: reached.virtualAnchor, speed: reached.speed)
    if reached.isPaused { self = pausing(at: base) }
  }
}
