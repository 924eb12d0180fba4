import TimelineClocks
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

// Calls about the clock of a rehearsal.
extension Daemon {
  /// Returns the state of the clock; `reached` is the entry that a step has reached.
  func clockReply(reached: EntryKey? = nil) -> ClockReply {
    let next = engine.nextEntry
    var state = ClockState(
      clock: clock.description, now: now, isPaused: clock.isPaused, offset: clock.offset,
      zone: settings.zone.name, next: next.map(NextEntry.init), reached: reached.map(NextEntry.init))
    state.zones = zoneNames(of: [next, reached].compactMap { $0?.job.text })
    return ClockReply(state: state)
  }

  /// Changes the clock of a rehearsal; must not be called from within an effect.
  func control(_ control: ClockControl, by: Operator) throws(ControlError) -> ClockReply {
    guard options.clock.isRehearsal else { throw .notRehearsing }
    // Handles entries that are due now, before the clock changes, so that they count as on time.
    events.post(.wake)
    switch control {
    case .pause: pauseClock(by: by)
    case .resume: resumeClock(by: by)
    case .speed(let text): try setClockSpeed(text, by: by)
    case .step: return clockReply(reached: try stepClock(by: by))
    case .leap(let text): try leapClock(to: text, by: by)
    }
    return clockReply()
  }

  private func pauseClock(by: Operator) {
    guard !clock.isPaused else { return }
    clock.control { $0.pause(at: $1) }
    tellOfClock("paused", by: by)
  }

  private func resumeClock(by: Operator) {
    guard clock.isPaused else { return }
    clock.control { $0.resume(at: $1) }
    tellOfClock("resumed as \(clock)", by: by)
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
    guard clock.isPaused || clock.rehearsal?.pace != pace else { return }
    clock.control { $0.set(pace, at: $1) }
    tellOfClock("set to \(clock)", by: by)
  }

  /// Moves the clock to the next deadline. Returns the entry that falls due then, or `nil` if the deadline belongs to a run.
  ///
  /// Deadlines of runs are not skipped: a plugin that is asked to stop, or called again, needs real time for that.
  private func stepClock(by: Operator) throws(ControlError) -> EntryKey? {
    guard let deadline = events.deadline else { throw .nothingToCome }
    let next = engine.nextEntry
    tellOfClock("stepped to \(shown(deadline))", by: by)
    clock.control { $0.leap(to: deadline, at: $1) }
    events.post(.wake)
    return engine.nextEntry == next ? nil : next
  }

  /// Moves the clock to a moment, as if the machine had been suspended until then: no time passes, and entries in between are
  /// missed.
  private func leapClock(to text: String, by: Operator) throws(ControlError) {
    let start = now
    let instant = try laterMoment(text, than: start)
    tellOfClock("moved ahead by \((instant - start).approximateText) to \(shown(instant))", by: by)
    clock.control { $0.leap(to: instant, at: $1) }
    events.leap(by: instant - start)
  }

  /// Returns the first instant later than `now` that `text` can mean. A time of day means its next occurrence here, although it
  /// means its last occurrence in other calls.
  private func laterMoment(_ text: String, than now: WallInstant) throws(ControlError) -> WallInstant {
    let written = try moment(text, at: now, in: settings.zone)
    let days = ["today ", "tomorrow "].compactMap {
      try? Moment(parsing: $0 + text, now: now, in: settings.zone)
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
    instant.text(in: settings.zone)
  }

  /// Records a change of the clock in the log and in the ledger, and reports it to subscribers.
  private func tellOfClock(_ change: String, by: Operator) {
    announcer.announce(
      Announcement(level: .notice, kind: .operatorAction, text: "clock \(change) by \(by)", by: by))
    let action = file(.clock, by: by, reason: change)
    subscribers.tell(.clockControlled(action))
  }
}

extension NextEntry {
  /// The entry for clients.
  init(_ entry: EntryKey) { self.init(job: entry.job.text, entry: entry.nominal) }
}
