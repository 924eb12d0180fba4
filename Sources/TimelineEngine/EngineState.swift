package import TimelineCore

/// All that the engine knows; a value that turns each event, with the instant at which it happened, into effects.
///
/// It reads no clock and performs nothing. The shell makes one, hands it `.wake` and from then on every event in
/// the order in which they happened, and performs the effects in the order in which they are returned. Equal
/// states given equal events at equal instants return equal effects.
package struct EngineState: Sendable {
  /// Makes the state in which nothing has happened yet; the first event to hand it is ``EngineEvent/wake``.
  ///
  /// - Parameters:
  ///   - jobs: The configuration, names unique; their order breaks ties.
  ///   - startedAt: Now. Without memory nothing before it is missed; an entry at this very instant is run.
  ///   - remembered: The nominal instant of each job's last settled entry; entries since then count as missed.
  ///     Leave out a job whose schedule has changed since.
  ///   - claims: Whether entries are claimed before they are run.
  ///   - until: The end of the timeline: no entry at or after it exists.
  package init(
    jobs: [JobDefinition], startedAt: WallInstant, remembered: [JobName: WallInstant] = [:],
    claims: ClaimRule = .ask, mode: ScheduleMode = .normal, cadence: Cadence = .live,
    until: WallInstant? = nil
  ) {
  }

  /// Takes in one event that happened at `now` and appends what is to be done about it, due entries included.
  package mutating func handle(
    _ event: EngineEvent, at now: WallInstant, into effects: inout [EngineEffect]
  ) {
  }

  /// Takes in one event that happened at `now` and returns what is to be done about it.
  package mutating func handle(_ event: EngineEvent, at now: WallInstant) -> [EngineEffect] {
    var effects: [EngineEffect] = []
    handle(event, at: now, into: &effects)
    return effects
  }
}

extension EngineState {
  /// The state of every configured job at `now`, in the order of the configuration.
  package func statuses(at now: WallInstant) -> [JobStatus] { [] }

  /// The state of one job at `now`; `nil` when there is no such job.
  package func status(of job: JobName, at now: WallInstant) -> JobStatus? { nil }

  /// The earliest entry to come of any job, and whose it is: what a status line shows.
  package var nextEntry: EntryKey? { nil }

  /// How many runs are in flight.
  package var runCount: Int { 0 }
}

/// Whether entries are claimed before they are run.
package enum ClaimRule: Sendable, Hashable {
  /// Ask with ``EngineEffect/claim(_:)`` and wait for the answer.
  case ask
  /// Every claim is won, nobody is asked: a rehearsal, or a daemon without a ledger.
  case takeAsWon
}
