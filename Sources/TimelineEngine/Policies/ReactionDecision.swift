import TimelineCore

/// Decision about who reacts to the end of an entry, and whether the next success is a recovery.
struct ReactionDecision: Sendable, Hashable {
  /// Job that reacts; `nil` for none.
  var listener: JobName?
  /// Whether the last run of the job failed.
  var hasFailed: Bool

  /// Decides by the job's reactions; `hasFailed` tells whether the run before failed.
  init(_ reactions: Reactions, _ kind: Outcome.Kind, hasFailed: Bool) {
    self.hasFailed = hasFailed
    switch kind {
    case .failure:
      listener = reactions.onFailure
      self.hasFailed = true
    case .miss:
      listener = reactions.onMissed
    case .success:
      listener = hasFailed ? reactions.onRecovery : nil
      self.hasFailed = false
    case .cancellation, .omission:
      break
    }
  }
}
