package import TimelineCore

/// An entry in the ledger (`HistoryEntry`).
package struct HistoryEntry: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The nominal instant; of consecutive entries the last.
  package var entry: Timestamp
  /// The first of consecutive entries.
  package var firstEntry: Timestamp?
  /// Number of consecutive entries that this record stands for.
  package var entryCount: Int
  /// Cause of the run: `schedule`, `missed`, `trigger`, `reaction` or `recovery`.
  package var cause: String
  /// Name of the outcome; `nil` while there is none.
  package var outcome: String?
  /// Reason for the outcome, one line for people; may be empty.
  package var reason: String
  /// The run, if there was one.
  package var run: UInt64?
  /// Instant at which the claim became durable, if known.
  package var claimedAt: Timestamp?
  /// Instant at which the first attempt began, if there was one.
  package var startedAt: Timestamp?
  /// Instant at which the entry was settled, if it is.
  package var endedAt: Timestamp?
  /// Time from the start of the first attempt to the end. `nil` without an attempt, before the end, and when the clock
  /// shows an end before the start.
  package var durationNanoseconds: Int64?
  /// Time from the nominal instant to the start of the first attempt, for an entry of the schedule that was started.
  package var latenessNanoseconds: Int64?
  /// Processor time of the run and all its processes, over all attempts; `nil` before the end and if unknown.
  package var processorTimeNanoseconds: Int64?
  /// The most memory of the run and all its processes at one time, in any attempt; `nil` before the end and if unknown.
  package var memoryPeakBytes: UInt64?
  /// An upper bound of this memory, if the exact value is unknown.
  package var memoryPeakBoundBytes: UInt64?
  /// Number of attempts.
  package var attempts: Int
  /// The operator who triggered it, if one did.
  package var by: OperatorReport?
  /// The operator who cancelled it, if one did.
  package var cancelledBy: OperatorReport?

  /// Makes an entry; duration and lateness follow from the instants.
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
  /// The peak of its memory, or the bound; `nil` if neither is known.
  package var memoryPeak: MemoryPeak? {
    memoryPeakBytes.map { MemoryPeak(bytes: $0) }
      ?? memoryPeakBoundBytes.map { MemoryPeak(bytes: $0, isBound: true) }
  }
}
