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
    /// The moment, as people write it.
    package var to: String

    package init(to: String) { self.to = to }
  }
}

/// A call that changes the clock of a rehearsal. On the system's clock it is answered with ``ControlError/notRehearsing``.
package protocol ClockCall: ChangingCall where Reply == ClockReply {}

extension ClockCall {
  /// One action for all changes; its reason names the change.
  package static var audit: String? { "clock" }
}

/// Reply to `Clock` and to each method that changes the clock.
package struct ClockReply: Codable, Sendable, Hashable {
  /// State of the clock; after a change the new state.
  package var state: ClockState

  /// Makes a reply.
  package init(state: ClockState) { self.state = state }
}

/// State of the daemon's clock (`ClockState`).
package struct ClockState: Codable, Sendable, Hashable {
  /// `system`, or `scaled:60` or `scaled:max` in a rehearsal.
  package var clock: String
  /// Current time of the clock.
  package var now: Timestamp
  /// Whether a rehearsal's clock stands still.
  package var isPaused: Bool
  /// Offset from the system's clock by a file; `nil` for none.
  package var offsetNanoseconds: Int64?
  /// The daemon's zone.
  package var zone: String
  /// The zone of every job that is named; set afterwards.
  package var zones: [String: String]?
  /// The next entry of any job, if there is one.
  package var next: NextEntry?
  /// The entry that a step has reached.
  package var reached: NextEntry?

  /// Makes a state.
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
