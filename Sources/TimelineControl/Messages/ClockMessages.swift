package import TimelineCore

/// A change of a rehearsal's clock; each has a method of its own.
package enum ClockControl: Sendable, Hashable {
  /// Stop the clock.
  case pause
  /// Continue at the previous speed.
  case resume
  /// Continue at a speed, or `max`; `0` pauses the clock.
  case speed(String)
  /// Move it to the next entry.
  case step
  /// Move it to a moment in the zone of the daemon.
  case leap(to: String)
}

/// Parameters of `SetClockSpeed`.
package struct SetClockSpeedParameters: Codable, Sendable, Hashable {
  /// A speed, or `max`.
  package var speed: String

  /// Makes parameters.
  package init(speed: String) {
    self.speed = speed
  }
}

/// Parameters of `LeapClock`.
package struct LeapClockParameters: Codable, Sendable, Hashable {
  /// The moment, as people write it.
  package var to: String

  /// Makes parameters.
  package init(to: String) {
    self.to = to
  }
}

/// Reply to `Clock` and to each method that changes the clock.
package struct ClockReply: Codable, Sendable, Hashable {
  /// State of the clock; after a change the new state.
  package var state: ClockState

  /// Makes a reply.
  package init(state: ClockState) {
    self.state = state
  }
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
