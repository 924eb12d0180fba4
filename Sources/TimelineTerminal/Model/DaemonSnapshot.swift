package import TimelineClocks
package import TimelineCore
package import TimelineRehearsal

/// The daemon's jobs and clock at one moment, and the future that follows from them.
package struct DaemonSnapshot {
  /// In the daemon's order.
  package var jobs: [ViewJob]
  /// The time of the daemon's clock.
  package var now: WallInstant
  /// The speed of the daemon's clock: 0 while the clock is paused, `nil` if the clock moves from deadline to
  /// deadline.
  package var speed: Speed?
  package var zone: Zone
  /// The simulated future; `nil` if the configuration cannot be read.
  package var simulation: EntrySimulation?
  /// Index of each of ``jobs`` in ``simulation``; `nil` for a job that is not simulated.
  package var simulated: [Int?]
  /// Source of the future, in words.
  package var futureSource: String

  /// Length of a window that shows a few entries of most jobs; `nil` if unknown.
  package var usualLength: ElapsedTime?

  package init(
    jobs: [ViewJob], now: WallInstant, speed: Speed?, zone: Zone, simulation: EntrySimulation?,
    simulated: [Int?], futureSource: String
  ) {
    self.jobs = jobs
    self.now = now
    self.speed = speed
    self.zone = zone
    self.simulation = simulation
    self.simulated = simulated
    self.futureSource = futureSource
  }
}
