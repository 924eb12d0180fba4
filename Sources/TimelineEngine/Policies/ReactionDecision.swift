import TimelineCore

/// Decision about the jobs that react to the end of an entry, and whether the next success is a recovery.
struct ReactionDecision: Sendable, Hashable {
  /// Jobs that react, each once.
  private(set) var listeners: [JobName] = []
  /// Whether the last run of the job failed.
  private(set) var hasFailed: Bool

  /// Decides by the job's reactions; `hasFailed` tells whether the run before failed, `hasOutput` whether this one has written something.
  init(_ reactions: Reactions, _ kind: Outcome.Kind, hasFailed: Bool, hasOutput: Bool) {
    self.hasFailed = hasFailed
    switch kind {
    case .failure:
      add(reactions.onFailure)
      self.hasFailed = true
    case .miss:
      add(reactions.onMissed)
    case .success:
      if hasFailed { add(reactions.onRecovery) }
      add(reactions.onSuccess)
      self.hasFailed = false
    case .cancellation, .omission:
      break
    }
    if hasOutput { add(reactions.onOutput) }
  }

  private mutating func add(_ listener: JobName?) {
    if let listener, !listeners.contains(listener) { listeners.append(listener) }
  }
}
