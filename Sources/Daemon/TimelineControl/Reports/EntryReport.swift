package import TimelineCore

/// An entry of a job, with or without an outcome (`Entry`): of a ledger, of a cluster's store, or of an event.
package struct EntryReport: Codable, Sendable, Hashable {
  package var job: String
  /// The nominal instant; the last one if the record stands for consecutive entries.
  package var entry: Timestamp
  /// The first nominal instant if the record stands for consecutive entries.
  package var firstEntry: Timestamp?
  /// Number of consecutive entries that this record stands for.
  package var entryCount: Int
  /// Cause of the run: `schedule`, `missed`, `trigger`, `rerun`, `backfill`, `reaction` or `recovery`.
  package var cause: String
  /// Nominal instant of the entry that a rerun repeats; `nil` for other causes and if unknown; not set by the
  /// initializer.
  package var of: Timestamp?
  /// Name of the outcome; `nil` before the entry has an outcome. Text, so that an older client can show an outcome of a newer
  /// daemon.
  package var outcome: String?
  /// Reason for the outcome in one line of text; may be empty.
  package var reason: String
  /// The run; `nil` for an entry without a run.
  package var run: UInt64?
  /// The node that settled or claimed the entry of a cluster's store; `nil` in other reports.
  package var node: String?
  /// Token of the claim in a cluster's store; `nil` for none, and in other reports.
  package var token: Int64?
  /// Instant at which the claim became durable; `nil` if unknown. Instant of the claim for an entry of a cluster's store that
  /// has no outcome.
  package var claimedAt: Timestamp?
  /// End of the lease of the node that claimed the entry of a cluster's store; `nil` with an outcome, and in other reports.
  package var leaseUntil: Timestamp?
  /// Start of the first attempt; `nil` for none.
  package var startedAt: Timestamp?
  /// Instant at which the entry was settled; `nil` before that instant.
  package var endedAt: Timestamp?
  /// Time from the start of the first attempt to the end. `nil` without an attempt, before the end, and if the clock shows an end
  /// before the start.
  package var durationNanoseconds: Int64?
  /// Time from the nominal instant to the start of the first attempt; `nil` without an attempt and for an entry that is not of
  /// the schedule.
  package var latenessNanoseconds: Int64?
  /// Processor time of the run and all its processes, over all attempts; `nil` before the end and if unknown.
  package var processorTimeNanoseconds: Int64?
  /// Peak memory of the run and all its processes, the largest of all attempts; `nil` before the end and if unknown.
  package var memoryPeakBytes: UInt64?
  /// Upper bound of the peak memory, if the exact peak is unknown.
  package var memoryPeakBoundBytes: UInt64?
  package var attempts: Int
  /// The operator who requested the run; `nil` for none.
  package var by: OperatorReport?
  /// The operator who cancelled the run; `nil` for none.
  package var cancelledBy: OperatorReport?

  /// Makes an entry. Computes the lateness from the instants, and also the duration if `elapsed` is `nil`.
  package init(
    job: String, entry: WallInstant, firstEntry: WallInstant? = nil, entryCount: Int = 1,
    cause: String = "schedule", isOfSchedule: Bool = true, outcome: Outcome?, reason: String = "",
    run: UInt64? = nil, node: String? = nil, token: Int64? = nil, claimedAt: WallInstant? = nil,
    leaseUntil: WallInstant? = nil, startedAt: WallInstant? = nil, endedAt: WallInstant? = nil,
    elapsed: ElapsedTime? = nil, usage: RunUsage = RunUsage(), attempts: Int = 0,
    by: OperatorReport? = nil, cancelledBy: OperatorReport? = nil
  ) {
    (self.job, self.entry, self.firstEntry) = (job, Timestamp(entry), firstEntry.map(Timestamp.init))
    (self.entryCount, self.cause, self.run, self.attempts) = (entryCount, cause, run, attempts)
    (self.outcome, self.reason) = (outcome?.rawValue, reason)
    (self.node, self.token, self.by, self.cancelledBy) = (node, token, by, cancelledBy)
    self.claimedAt = claimedAt.map(Timestamp.init)
    self.leaseUntil = leaseUntil.map(Timestamp.init)
    self.startedAt = startedAt.map(Timestamp.init)
    self.endedAt = endedAt.map(Timestamp.init)
    setUsage(usage)
    guard let startedAt else { return }
    let duration = elapsed ?? endedAt.map { $0 - startedAt }
    durationNanoseconds = duration.flatMap { $0 < .zero ? nil : $0.nanoseconds }
    latenessNanoseconds = isOfSchedule ? (startedAt - entry).nanoseconds : nil
  }
}

extension EntryReport {
  /// Sets the usage of the run.
  package mutating func setUsage(_ usage: RunUsage) {
    processorTimeNanoseconds = usage.processorTime?.nanoseconds
    memoryPeakBytes = usage.memoryPeak.flatMap { $0.isBound ? nil : $0.bytes }
    memoryPeakBoundBytes = usage.memoryPeak.flatMap { $0.isBound ? $0.bytes : nil }
  }

  /// Usage of the run, as far as it is known.
  package var usage: RunUsage {
    let peak =
      memoryPeakBytes.map { MemoryPeak(bytes: $0) }
      ?? memoryPeakBoundBytes.map { MemoryPeak(bytes: $0, isBound: true) }
    return RunUsage(
      processorTime: processorTimeNanoseconds.map(ElapsedTime.init(nanoseconds:)), memoryPeak: peak)
  }
}
