import TimelineCore

/// Watermarks of jobs as far as a ledger is to know them beyond what outcomes imply, and those of jobs that were removed.
struct WatermarkBook: Sendable {
  /// Instant up to which claimed entries may have been decided by a ledger that was lost; `.min` for none.
  let unknownThrough: WallInstant
  /// Jobs that an operator released from waiting for that.
  private var released: Set<JobName>
  /// Watermarks to be told with the effects of the next event.
  private var pending: [Watermark] = []
  /// Watermarks of removed jobs, should these come back or the clock go back.
  private var ofRemovedJobs: [JobName: WallInstant] = [:]

  /// A book with no watermarks.
  init(unknownThrough: WallInstant, released: Set<JobName> = []) {
    (self.unknownThrough, self.released) = (unknownThrough, released)
  }

  /// Releases a job from waiting for ``unknownThrough``, also when it is removed and comes back.
  mutating func release(_ name: JobName) { released.insert(name) }

  /// Whether entries of the job up to ``unknownThrough`` may have been decided by a ledger that was lost, and nobody released it.
  func isUnknown(_ name: JobName, after now: WallInstant) -> Bool {
    unknownThrough > now && !released.contains(name)
  }

  /// Whether no watermark is to be told.
  var isEmpty: Bool { pending.isEmpty }

  /// Takes in a watermark to be told.
  mutating func append(_ watermark: Watermark) { pending.append(watermark) }

  /// Appends the effect that tells watermarks, if there are any.
  mutating func flush(_ effects: inout some EffectSink) {
    if pending.isEmpty { return }
    effects.append(.noteWatermarks(pending))
    pending = []
  }

  /// Returns the watermark of a removed job that comes back, which is not kept any longer; `nil` when there is none.
  mutating func take(_ name: JobName) -> WallInstant? { ofRemovedJobs.removeValue(forKey: name) }

  /// Keeps the watermarks of jobs that are removed: of all that are kept, the latest ``EngineLimits/removedJobsMax``.
  mutating func keep(_ watermarks: [(job: JobName, decided: WallInstant)]) {
    for (name, decided) in watermarks { ofRemovedJobs[name] = decided }
    while ofRemovedJobs.count > EngineLimits.removedJobsMax,
      let oldest = ofRemovedJobs.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    {
      ofRemovedJobs[oldest.key] = nil
    }
  }
}
