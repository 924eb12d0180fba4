import TimelineClocks
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Changes of a rehearsal's clock by operators. No change may be made from within an effect.
final class RehearsalClock {
  private let audit: Audit
  private let answers: Answers
  private let engine: EngineLoop
  private let jobs: LoadedJobs
  private let subscribers: EventSubscribers
  private let parts: DaemonParts

  init(
    _ parts: DaemonParts, answers: Answers, engine: EngineLoop, jobs: LoadedJobs, writer: LedgerWriter,
    subscribers: EventSubscribers
  ) {
    (self.parts, self.answers, self.engine, self.jobs) = (parts, answers, engine, jobs)
    (audit, self.subscribers) = (Audit(parts, writer), subscribers)
  }

  func pause(by: Operator) throws(ControlError) -> ClockReply {
    try prepare()
    pauseClock(by: by)
    return answers.clockReply()
  }

  /// Resumes the clock at its previous speed.
  func resume(by: Operator) throws(ControlError) -> ClockReply {
    try prepare()
    resumeClock(by: by)
    return answers.clockReply()
  }

  /// Resumes the clock at a speed or `max`; `0` pauses the clock.
  func setSpeed(_ text: String, by: Operator) throws(ControlError) -> ClockReply {
    try prepare()
    try setClockSpeed(text, by: by)
    return answers.clockReply()
  }

  /// Moves the clock to the next deadline.
  func step(by: Operator) throws(ControlError) -> ClockReply {
    try prepare()
    return answers.clockReply(reached: try stepClock(by: by))
  }

  /// Moves the clock to a moment in the zone of the daemon.
  func leap(to text: String, by: Operator) throws(ControlError) -> ClockReply {
    try prepare()
    try leapClock(to: text, by: by)
    return answers.clockReply()
  }

  /// Throws unless the daemon plays a rehearsal.
  private func prepare() throws(ControlError) {
    guard parts.options.clock.isRehearsal else { throw .notRehearsing }
    // Handles entries that are due now, before the clock changes, so that they count as on time.
    engine.post(.wake)
  }

  private func pauseClock(by: Operator) {
    guard !parts.clock.isPaused else { return }
    parts.clock.control { $0.pause(at: $1) }
    tellOfClock("paused", by: by)
  }

  private func resumeClock(by: Operator) {
    guard parts.clock.isPaused else { return }
    parts.clock.control { $0.resume(at: $1) }
    tellOfClock("resumed as \(parts.clock)", by: by)
  }

  private func setClockSpeed(_ text: String, by: Operator) throws(ControlError) {
    let pace: RehearsalTime.Pace?
    do throws(SpeedError) {
      pace = try RehearsalTime.Pace(parsing: text)
    } catch {
      throw .badSpeed(
        text: text,
        reason: "expected a number such as 60 or 0.5, a fraction such as 1/3, 0 to pause, or max")
    }
    guard let pace else { return pauseClock(by: by) }
    guard parts.clock.isPaused || parts.clock.rehearsal?.pace != pace else { return }
    parts.clock.control { $0.set(pace, at: $1) }
    tellOfClock("set to \(parts.clock)", by: by)
  }

  /// Moves the clock to the next deadline. Returns the entry that falls due then, or `nil` if the deadline belongs to a run.
  ///
  /// Deadlines of runs are not skipped: a plugin that is asked to stop, or called again, needs real time for that.
  private func stepClock(by: Operator) throws(ControlError) -> EntryKey? {
    guard let deadline = engine.deadline else { throw .nothingToCome }
    let next = engine.state.nextEntry
    tellOfClock("stepped to \(shown(deadline))", by: by)
    parts.clock.control { $0.leap(to: deadline, at: $1) }
    engine.post(.wake)
    return engine.state.nextEntry == next ? nil : next
  }

  /// Moves the clock to a moment, as if the machine had been suspended until this moment: no time passes, and the entries in
  /// between are missed.
  private func leapClock(to text: String, by: Operator) throws(ControlError) {
    let start = parts.clock.now
    let instant = try laterMoment(text, than: start)
    tellOfClock("moved ahead by \((instant - start).approximateText) to \(shown(instant))", by: by)
    parts.clock.control { $0.leap(to: instant, at: $1) }
    engine.leap(by: instant - start)
  }

  /// Returns the first instant later than `now` that `text` can mean. Here a time of day means its next occurrence; in other
  /// calls it means its last occurrence.
  private func laterMoment(_ text: String, than now: WallInstant) throws(ControlError) -> WallInstant {
    let written: Moment
    do {
      written = try answers.moment(text, at: now, in: jobs.settings.zone)
    } catch {
      guard case .badMoment(_, let reason) = error else { throw error }
      throw .badMoment(text: text, reason: reason.replacing(Moment.forms, with: Moment.laterForms))
    }
    let days = ["today ", "tomorrow "].compactMap {
      try? Moment(parsing: $0 + text, now: now, in: jobs.settings.zone)
    }
    let instants = ([written] + days).flatMap { $0.stretches.map(\.lowerBound) }
    guard let instant = instants.first(where: { $0 > now }) else {
      throw .badMoment(
        text: text,
        reason:
          "\"\(text)\" is not later than \(shown(now)), which the clock shows: it does not go back; name a later moment, such as `in 2h` or `tomorrow 02:30`"
      )
    }
    return instant
  }

  /// Returns an instant as readable text, to the millisecond.
  private func shown(_ instant: WallInstant) -> String {
    instant.text(in: jobs.settings.zone)
  }

  /// Records a change of the clock in the log and in the ledger, and reports it to subscribers.
  private func tellOfClock(_ change: String, by: Operator) {
    parts.announcer.announce(
      Announcement(level: .notice, kind: .operatorAction, text: "clock \(change) by \(by)", by: by))
    let action = audit.file(.clock, by: by, reason: change)
    subscribers.tell(.clockControlled(action))
  }
}
