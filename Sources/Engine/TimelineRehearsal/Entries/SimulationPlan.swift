package import TimelineCore
package import TimelineEngine

/// Jobs and settings of a simulation. The simulation can begin at any instant.
package struct SimulationPlan: Sendable {
  package var jobs: [JobDefinition]
  package var groups: [GroupName: Int]
  /// Seed of the jitter.
  package var seed: UInt64
  /// Mode for the whole simulation.
  package var mode: ScheduleMode

  package init(
    jobs: [JobDefinition], groups: [GroupName: Int] = [:], seed: UInt64 = 0, mode: ScheduleMode = .normal
  ) {
    self.jobs = jobs
    self.groups = groups
    self.seed = seed
    self.mode = mode
  }

  /// Returns the simulation that begins at `instant`, with the given paused jobs and active runs.
  package func simulation(
    from instant: WallInstant, paused: [JobName: WallInstant] = [:], active: [OpenRun] = []
  ) -> EntrySimulation {
    EntrySimulation(
      of: jobs, groups: groups, from: instant, mode: mode, seed: seed, paused: paused, active: active)
  }

  /// Returns a length of time that shows a few entries of most jobs: six times the median distance between two entries of a
  /// job.
  package func usualLength(from now: WallInstant) -> ElapsedTime {
    // The first thousand jobs are a sufficient sample.
    let distances = jobs.prefix(1_000).compactMap { job in
      job.schedule.next(after: now).flatMap { first in job.schedule.next(after: first).map { $0 - first } }
    }.sorted()
    guard !distances.isEmpty else { return .days(1) }
    return distances[(distances.count - 1) / 2] * 6
  }
}
