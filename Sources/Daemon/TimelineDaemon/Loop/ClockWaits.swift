import TimelineConfiguration
import TimelineCore
import TimelineEngine

/// Jobs that start nothing because the clock was set to a time before entries that are already decided.
enum ClockWaits {
  /// Largest number of these jobs in the log and in a status: few beside 100,000 jobs.
  static let shownMax = 20

  /// Logs a warning about these jobs.
  static func announce(
    of engine: EngineState, _ jobs: LoadedJobs, _ announcer: Announcer, at now: WallInstant
  ) {
    // Shorter waits, after a small correction of the clock, are not reported.
    let waiting = engine.waitingForClock(at: now).filter { $0.nominal - now >= .seconds(1) }
    for entry in waiting.prefix(shownMax) {
      let zone = jobs.zone(of: entry.job)
      announcer.announce(
        .warning,
        "\(entry.job): waits until \(entry.nominal.text(in: zone)): its entries before that were decided while the clock was ahead: `timelinectl release \(entry.job)` runs them again"
      )
    }
    let more = waiting.count - shownMax
    if more > 0 {
      announcer.announce(
        .warning,
        "\(more) more jobs wait until the clock has passed what they decided: `timelinectl list` shows when")
    }
  }
}
