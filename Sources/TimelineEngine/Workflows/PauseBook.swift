import TimelineCore

/// Pauses of jobs that are not configured, or not enabled, should these come back.
struct PauseBook: Sendable {
  /// Start of each pause.
  private var starts: [JobName: WallInstant] = [:]

  /// A book with no pauses.
  init() {}

  /// Keeps the pause of a job that is not configured any more.
  mutating func keep(_ name: JobName, since start: WallInstant) { starts[name] = start }

  /// Returns the start of the pause of a job that comes back, which is not kept any longer; `nil` when it was not paused.
  mutating func take(_ name: JobName) -> WallInstant? { starts.removeValue(forKey: name) }

  /// Ends the oldest pauses beyond ``EngineLimits/removedJobsMax``, and has the ledger forget them.
  mutating func prune(_ effects: inout some EffectSink) {
    while starts.count > EngineLimits.removedJobsMax,
      let oldest = starts.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      starts[oldest.key] = nil
      effects.append(.notePause(oldest.key, since: nil))
    }
  }
}
