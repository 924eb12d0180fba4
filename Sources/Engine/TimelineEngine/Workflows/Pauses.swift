import TimelineCore

/// Pauses of jobs that are not configured, or not enabled, in case the jobs come back.
struct Pauses: Sendable {
  /// Start of each pause.
  private var starts: [JobName: WallInstant] = [:]

  init() {}

  /// Keeps the pause of a job that is no longer configured.
  mutating func keep(_ name: JobName, since start: WallInstant) { starts[name] = start }

  /// Removes and returns the start of the pause of a job that comes back; `nil` if the job was not paused.
  mutating func take(_ name: JobName) -> WallInstant? { starts.removeValue(forKey: name) }

  /// Ends the oldest pauses beyond ``EngineLimits/removedJobsMax``, also in the ledger.
  mutating func prune(_ effects: inout some EffectSink) {
    while starts.count > EngineLimits.removedJobsMax,
      let oldest = starts.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      starts[oldest.key] = nil
      effects.append(.notePause(oldest.key, since: nil))
    }
  }
}
