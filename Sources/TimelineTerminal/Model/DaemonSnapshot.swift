package import TimelineClocks
package import TimelineCore
package import TimelineRehearsal

/// The daemon's jobs and clock at one moment, and the future that follows from them.
package struct DaemonSnapshot {
  /// The jobs, in the daemon's order.
  package var jobs: [ViewJob]
  /// The time of the daemon's clock.
  package var now: WallInstant
  /// The speed of its clock; 0 while it is paused, `nil` if it goes from deadline to deadline.
  package var speed: Speed?
  /// Zone of the daemon.
  package var zone: Zone
  /// The future; `nil` if the configuration cannot be read.
  package var simulation: EntrySimulation?
  /// Index in the simulation of each of ``jobs``.
  package var simulated: [Int?]
  /// Source of the future, in words.
  package var futureSource: String

  /// Length of a window that shows a few entries of most jobs, if known.
  package var usualLength: ElapsedTime?

  /// Makes a snapshot.
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
