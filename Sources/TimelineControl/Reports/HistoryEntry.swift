package import TimelineCore

/// An entry in the ledger (`HistoryEntry`).
package struct HistoryEntry: Codable, Sendable, Hashable {
  package var job: String
  /// The nominal instant; the last one if the record stands for consecutive entries.
  package var entry: Timestamp
  /// The first nominal instant if the record stands for consecutive entries.
  package var firstEntry: Timestamp?
  /// Number of consecutive entries that this record stands for.
  package var entryCount: Int
  /// Cause of the run: `schedule`, `missed`, `trigger`, `reaction` or `recovery`.
  package var cause: String
  /// Name of the outcome; `nil` before the entry has an outcome.
  package var outcome: String?
  /// Reason for the outcome in one line of text; may be empty.
  package var reason: String
  /// The run; `nil` for an entry without a run.
  package var run: UInt64?
  /// Instant at which the claim became durable; `nil` if unknown.
  package var claimedAt: Timestamp?
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
  /// The operator who triggered the entry; `nil` for none.
  package var by: OperatorReport?
  /// The operator who cancelled the run; `nil` for none.
  package var cancelledBy: OperatorReport?

  /// Makes an entry. Computes duration and lateness from the instants.
  package init(
    job: String, entry: WallInstant, firstEntry: WallInstant? = nil, entryCount: Int = 1,
    cause: String = "schedule",
    isOfSchedule: Bool = true, outcome: Outcome?, reason: String = "", run: UInt64? = nil,
    claimedAt: WallInstant? = nil, startedAt: WallInstant? = nil, endedAt: WallInstant? = nil,
    usage: RunUsage = RunUsage(), attempts: Int = 0, by: OperatorReport? = nil,
    cancelledBy: OperatorReport? = nil
  ) {
    self.job = job
    self.entry = Timestamp(entry)
    self.firstEntry = firstEntry.map(Timestamp.init)
    self.entryCount = entryCount
    self.cause = cause
    self.outcome = outcome?.rawValue
    self.reason = reason
    self.run = run
    self.claimedAt = claimedAt.map(Timestamp.init)
    self.startedAt = startedAt.map(Timestamp.init)
    self.endedAt = endedAt.map(Timestamp.init)
    self.attempts = attempts
    processorTimeNanoseconds = usage.processorTime?.nanoseconds
    memoryPeakBytes = usage.memoryPeak.flatMap { $0.isBound ? nil : $0.bytes }
    memoryPeakBoundBytes = usage.memoryPeak.flatMap { $0.isBound ? $0.bytes : nil }
    self.by = by
    self.cancelledBy = cancelledBy
    guard let startedAt else { return }
    durationNanoseconds = endedAt.flatMap { $0 < startedAt ? nil : ($0 - startedAt).nanoseconds }
    latenessNanoseconds = isOfSchedule ? (startedAt - entry).nanoseconds : nil
  }
}

extension HistoryEntry {
  /// The memory peak, or else the upper bound; `nil` if both are unknown.
  package var memoryPeak: MemoryPeak? {
    memoryPeakBytes.map { MemoryPeak(bytes: $0) }
      ?? memoryPeakBoundBytes.map { MemoryPeak(bytes: $0, isBound: true) }
  }
}
