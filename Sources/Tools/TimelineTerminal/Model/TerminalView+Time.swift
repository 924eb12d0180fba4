import TimelineCore
import TimelineRehearsal

// The course of time: the now-line moves, and entries ahead of it are simulated.
extension TerminalView {
  /// Advances to the current time of the clock, and simulates ahead.
  mutating func moveOn() {
    if let destination { travel(to: destination) }
    if isRehearsal, destination == nil, playhead.isMax, !playhead.isPaused { hurry() }
    window.follow(now)
    simulateAhead()
  }

  /// Simulates the entries of the window, a portion at a time.
  mutating func simulateAhead() {
    turnFuture()
    guard destination?.isOfClock != true, let until = simulation.map({ $0.reached }), until < window.until
    else { return }
    // If a window has more entries than can be kept, only a part of its future is simulated. Its past is dropped when
    // now approaches the end of this part.
    let isNear = until < now + ElapsedTime(nanoseconds: window.length.nanoseconds / 8)
    // The entries between now and a window that was scrolled ahead are still in the future.
    makeRoom(before: min(window.from, now), orElse: isNear ? now : nil)
    _ = simulation?.advance(to: window.until)
    portionCount += 1
    turnFuture()
  }

  /// Drops entries before `instant` if the simulation is full. If this does not make room, drops the entries before
  /// `other`.
  private mutating func makeRoom(before instant: WallInstant, orElse other: WallInstant?) {
    guard simulation?.book.isFull == true else { return }
    simulation?.drop(before: instant)
    if simulation?.book.isFull == true, let other { simulation?.drop(before: other) }
  }

  /// Advances by the length of the window, because a larger leap would show no entries, or by one step of the highest
  /// speed if the step is longer. Advances less if the entries do not fit into one portion of the simulation.
  private mutating func hurry() {
    let target = now + max(window.length, Playhead.topStep(in: pictureInterval))
    makeRoom(before: min(window.from, now), orElse: simulation?.reached)
    let isDone = simulation?.advance(to: target + window.length) ?? true
    let reached = simulation?.reached ?? target
    let next = isDone ? target : min(target, reached - window.length)
    if next > now { playhead.move(to: next, at: base) }
  }

  private mutating func travel(to destination: Destination) {
    switch destination {
    case .nextEntry(let instant):
      if let next = nextEntry(after: instant) { return arrive(at: next) }
      // No simulated entry is later than `instant`, so all of them may be dropped.
      let begin = max(instant, simulation?.reached ?? instant)
      makeRoom(before: instant, orElse: simulation?.reached)
      guard simulation?.isOver == false else { return stop("no later entry") }
      _ = simulation?.advance(to: max(begin, window.until) + window.length)
      if let next = nextEntry(after: instant) { arrive(at: next) }
    case .moment(let moment):
      let reached = simulation?.reached ?? moment
      makeRoom(before: reached - window.length, orElse: reached)
      if simulation?.advance(to: moment) ?? true { arrive(at: moment) }
    case .earlierEntry(let instant): findEarlierEntry(before: instant)
    case .laterEntry(let instant): findLaterEntry(after: instant)
    }
  }

  /// Ends the move to a destination. On the way to a moment, the clock stops at the last simulated instant, because
  /// earlier entries may have been dropped.
  mutating func interruptJourney() {
    guard let destination else { return }
    if case .moment(let moment) = destination {
      arrive(at: max(now, min(simulation?.reached ?? moment, moment)))
    }
    self.destination = nil
  }

  private mutating func arrive(at instant: WallInstant) {
    destination = nil
    playhead.move(to: instant, at: base)
    window.returnTo(instant)
  }

  private mutating func stop(_ text: String) {
    destination = nil
    message = text
  }

  /// The first entry of a shown job after `instant`; `nil` until its whole instant is simulated, so that no entry is
  /// skipped.
  private func nextEntry(after instant: WallInstant) -> WallInstant? {
    let reached = simulation?.reached ?? .min
    return shownJobs.compactMap { job -> WallInstant? in
      let entry = entries(of: job).first { $0.entry > instant }?.entry
      let minute = minutes(of: job).first { $0.entry > instant }?.entry
      return [entry, minute].compactMap { $0 }.min()
    }.min().flatMap { $0 <= reached ? $0 : nil }
  }

  /// Goes to a moment: moves the rehearsal's clock, or the window over a daemon's entries. If the moment is before
  /// the kept entries, the rehearsal is simulated again.
  mutating func go(to moment: WallInstant) {
    guard let plan, let simulation else {
      // The entry that was selected is no longer the one to go on from.
      selectedEntry = nil
      return moment == now ? window.returnTo(now) : window.center(on: moment)
    }
    if moment >= now {
      destination = .moment(moment)
    } else if moment >= max(start, simulation.book.keptFrom ?? .min) {
      arrive(at: moment)
    } else {
      self.simulation = plan.simulation(from: moment)
      start = moment
      selectedEntry = nil
      arrive(at: moment)
      message = "rehearsal restarted at this moment"
    }
  }
}
