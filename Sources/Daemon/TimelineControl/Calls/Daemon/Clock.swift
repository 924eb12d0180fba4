package import TimelineCore

extension Control {
  /// State of the daemon's clock.
  package struct Clock: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = ClockReply

    package init() {}
  }

  /// Stops the clock of a rehearsal.
  package struct PauseClock: ClockCall {
    package init() {}
  }

  /// Lets the clock of a rehearsal continue at its previous speed.
  package struct ResumeClock: ClockCall {
    package init() {}
  }

  /// Lets the clock of a rehearsal continue at another speed.
  package struct SetClockSpeed: ClockCall {
    /// A speed, or `max`; `0` pauses the clock.
    package var speed: String

    package init(speed: String) { self.speed = speed }
  }

  /// Moves the clock of a rehearsal to the next deadline.
  package struct StepClock: ClockCall {
    package init() {}
  }

  /// Moves the clock of a rehearsal to a moment in the zone of the daemon.
  package struct LeapClock: ClockCall {
    /// Text such as `in 2h` or `tomorrow 02:30`.
    package var to: String

    package init(to: String) { self.to = to }
  }
}

/// A call that changes the clock of a rehearsal. On the system's clock it is answered with ``ControlError/notRehearsing``.
package protocol ClockCall: ChangingCall where Reply == ClockReply {}

extension ClockCall {
  /// One action for all changes; the recorded reason names the change.
  package static var audit: String? { "clock" }
}

/// Reply to `Clock` and to each method that changes the clock.
package struct ClockReply: Codable, Sendable, Equatable {
  /// The state after the change, if the call changes the clock.
  package var state: ClockState

  package init(state: ClockState) { self.state = state }
}

/// State of the daemon's clock (`ClockState`).
package struct ClockState: Codable, Sendable, Equatable {
  /// `system`, or `scaled:60` or `scaled:max` in a rehearsal.
  package var clock: String
  package var now: Timestamp
  /// Whether a rehearsal's clock is paused.
  package var isPaused: Bool
  /// Offset from the system's clock that a file sets; `nil` for none.
  package var offsetNanoseconds: Int64?
  /// The daemon's zone.
  package var zone: String
  /// The zone of each job named in this state, by the job's name; not set by the initializer.
  package var zones: [String: String]?
  /// The next entry of all jobs; `nil` for none.
  package var next: NextEntry?
  /// The entry that a step has reached; `nil` for none, and after other calls.
  package var reached: NextEntry?

  package init(
    clock: String, now: WallInstant, isPaused: Bool = false, offset: ElapsedTime? = nil, zone: String,
    next: NextEntry? = nil, reached: NextEntry? = nil
  ) {
    self.clock = clock
    self.now = Timestamp(now)
    self.isPaused = isPaused
    offsetNanoseconds = offset?.nanoseconds
    self.zone = zone
    self.next = next
    self.reached = reached
  }
}
