import TimelineCore
import TimelineEngine
import TimelineRehearsal

// The future of a daemon. It is simulated from the present on, and once more near a window that is far ahead.
extension TerminalView {
  /// Maximum number of portions that are simulated from the present to a window: 0.2 s, as on the web page.
  private static let portionsMax = 10

  /// Whether the simulation begins shortly before a distant window, with no active run, and not with the daemon's present state.
  var isFutureDistant: Bool { !isRehearsal && start > now }

  /// Continues with a new report of the daemon. A distant future begins at the same instant again.
  mutating func renewFuture(_ future: DaemonSnapshot.Future?, from now: WallInstant) {
    let distant = isFutureDistant && start > now ? start : nil
    self.future = future
    beginFuture(at: distant, now: now)
  }

  private mutating func beginFuture(at distant: WallInstant?, now: WallInstant) {
    simulation = future?.simulation
    if let distant, let future {
      simulation = future.plan.simulation(from: distant, paused: future.paused)
    }
    start = distant ?? now
    portionCount = 0
  }

  /// Begins the simulation near the window if it does not get there from the present, and at the present when the window returns.
  mutating func turnFuture() {
    guard !isRehearsal, let simulation else { return }
    // Long runs that begin before the window are simulated, too.
    let begin = window.from - window.length
    if isFutureDistant, window.from < start {
      beginFuture(at: nil, now: now)
    } else if simulation.reached < begin, simulation.book.isFull || portionCount >= Self.portionsMax {
      beginFuture(at: begin, now: now)
    }
  }

  /// Returns the entry of a job's schedule next to `origin` that is in the future and not simulated; `nil` for none.
  func scheduledEntry(of job: Int, from origin: WallInstant, forward: Bool) -> WallInstant? {
    guard let schedule = simulated[job].flatMap({ future?.plan.jobs[$0].schedule }), jobs[job].pause == nil,
      !schedule.hasMoreThanOneEntryPerSecond, let simulation
    else { return nil }
    // The entries at the end of the simulation may not be known.
    let simulatedUntil = max(start, simulation.reached)
    if forward {
      if simulation.isOver { return nil }
      let earliest = max(origin, now)
      let isSimulated = start <= earliest && earliest < simulatedUntil
      return schedule.next(after: isSimulated ? simulatedUntil - .nanoseconds(1) : earliest)
    }
    let isSimulated = start <= origin && origin < simulatedUntil
    let latest = schedule.latest(atOrBefore: (isSimulated ? start : origin) - .nanoseconds(1))
    return latest.flatMap { $0 > now ? $0 : nil }
  }
}
