package import TimelineClocks
package import TimelineCore
package import TimelineRehearsal

/// The daemon's jobs and clock at one moment, and the future that follows from them.
package struct DaemonSnapshot {
  /// The simulated future of a daemon.
  package struct Future {
    package var plan: SimulationPlan
    /// Paused jobs, with the beginnings of their pauses.
    package var paused: [JobName: WallInstant]
    /// The simulation that begins with the daemon's present state.
    package var simulation: EntrySimulation

    package init(plan: SimulationPlan, paused: [JobName: WallInstant], simulation: EntrySimulation) {
      (self.plan, self.paused, self.simulation) = (plan, paused, simulation)
    }
  }

  /// In the daemon's order.
  package var jobs: [ViewJob]
  /// The time of the daemon's clock.
  package var now: WallInstant
  /// The speed of the daemon's clock: 0 while the clock is paused, `nil` if the clock moves from deadline to
  /// deadline.
  package var speed: Speed?
  package var zone: Zone
  /// `nil` if the configuration cannot be read.
  package var future: Future?
  /// Index of each of ``jobs`` in the plan; `nil` for a job that is not simulated.
  package var simulated: [Int?]
  /// Source of the future, in words.
  package var futureSource: String

  /// Length of a window that shows a few entries of most jobs; `nil` if unknown.
  package var usualLength: ElapsedTime?

  package init(
    jobs: [ViewJob], now: WallInstant, speed: Speed?, zone: Zone, future: Future?,
    simulated: [Int?], futureSource: String
  ) {
    self.jobs = jobs
    self.now = now
    self.speed = speed
    self.zone = zone
    self.future = future
    self.simulated = simulated
    self.futureSource = futureSource
  }
}
