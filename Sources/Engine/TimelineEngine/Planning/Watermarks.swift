import TimelineCore

/// Watermarks that the ledger needs because outcomes do not imply them, and watermarks of removed jobs.
struct Watermarks: Sendable {
  /// Instant up to which claimed entries may have been decided in a ledger that was lost; `.min` for none.
  let unknownThrough: WallInstant
  /// Jobs that an operator released from waiting for ``unknownThrough``.
  private var released: Set<JobName>
  /// Watermarks to be recorded with the effects of the next event.
  private var pending: [Watermark] = []
  /// Watermarks of removed jobs, in case the jobs come back or the clock is set back.
  private var ofRemovedJobs: [JobName: WallInstant] = [:]

  init(unknownThrough: WallInstant, released: Set<JobName> = []) {
    (self.unknownThrough, self.released) = (unknownThrough, released)
  }

  /// Releases a job from waiting for ``unknownThrough``, even if it is removed and comes back.
  mutating func release(_ name: JobName) { released.insert(name) }

  /// Whether entries of the job up to ``unknownThrough`` may have been decided in a ledger that was lost, and no operator
  /// released the job.
  func isUnknown(_ name: JobName, after now: WallInstant) -> Bool {
    unknownThrough > now && !released.contains(name)
  }

  /// Whether no watermark is to be recorded.
  var isEmpty: Bool { pending.isEmpty }

  /// Adds a watermark to be recorded.
  mutating func append(_ watermark: Watermark) { pending.append(watermark) }

  /// Appends the effect that records watermarks, if there are watermarks to record.
  mutating func flush(_ effects: inout some EffectSink) {
    if pending.isEmpty { return }
    effects.append(.noteWatermarks(pending))
    pending = []
  }

  /// Removes and returns the watermark of a removed job that comes back; `nil` for none.
  mutating func take(_ name: JobName) -> WallInstant? { ofRemovedJobs.removeValue(forKey: name) }

  /// Stores the watermarks of jobs that are removed. Only the latest ``EngineLimits/removedJobsMax`` watermarks are kept.
  mutating func keep(_ watermarks: [(job: JobName, decided: WallInstant)]) {
    for (name, decided) in watermarks { ofRemovedJobs[name] = decided }
    while ofRemovedJobs.count > EngineLimits.removedJobsMax,
      let oldest = ofRemovedJobs.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      ofRemovedJobs[oldest.key] = nil
    }
  }
}
