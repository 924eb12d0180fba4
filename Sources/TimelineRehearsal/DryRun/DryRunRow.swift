package import TimelineCore
package import TimelineEngine

/// A row of a dry run: one entry, or one minute of a job whose entries are counted.
package enum DryRunRow: Sendable, Hashable {
  /// One entry.
  case entry(DryRunEntry)
  /// The entries of one minute of a job with more than one entry per second.
  case minute(DryRunMinute)

  /// Index of its job in ``DryRunSummary/jobs``.
  package var job: Int {
    switch self {
    case .entry(let row): row.job
    case .minute(let row): row.job
    }
  }

  /// Sort key of rows: the instant of the entry, or the begin of the minute, but not before the begin of the dry run.
  package var entry: WallInstant {
    switch self {
    case .entry(let row): row.entry
    case .minute(let row): row.entry
    }
  }
}

/// Row for one entry, or for consecutive entries with the same outcome.
package struct DryRunEntry: Sendable, Hashable {
  /// Index of its job in ``DryRunSummary/jobs``.
  package var job: Int
  /// The nominal instant; of several entries the last.
  package var entry: WallInstant
  /// The nominal instant of the first entry.
  package var firstEntry: WallInstant
  /// Number of consecutive entries in the row. A window, for example, excludes many at once; an entry that ran has a
  /// row of its own.
  package var count: Int
  /// Start of the run; `nil` for an entry that did not run.
  package var start: WallInstant?
  /// End of the run; `nil` for an entry that did not run.
  package var end: WallInstant?
  /// Outcome of the entries.
  package var outcome: Outcome

  /// Makes the row of one entry; `start` and `end` are `nil` when it did not run.
  package init(
    job: Int, entry: WallInstant, start: WallInstant?, end: WallInstant?, outcome: Outcome
  ) {
    self.job = job
    self.entry = entry
    firstEntry = entry
    count = 1
    self.start = start
    self.end = end
    self.outcome = outcome
  }

  /// Makes the row of an entry of the job at index `job` of the summary; `firstEntry` is evaluated only for several entries.
  init(_ brief: EndBrief, job: Int, firstEntry: @autoclosure () -> WallInstant) {
    self.job = job
    entry = brief.nominal
    self.firstEntry = brief.entryCount == 1 ? brief.nominal : firstEntry()
    count = brief.entryCount
    start = brief.startedAt
    end = brief.startedAt == nil ? nil : brief.endedAt
    outcome = brief.outcome
  }

  /// Whether the row is for one entry only.
  var isOne: Bool { firstEntry == entry }

  /// Whether this row comes before `other`: by entry, then by the order of jobs.
  func precedes(_ other: DryRunEntry) -> Bool {
    entry == other.entry ? job < other.job : entry < other.entry
  }
}

/// Row for the entries of one job in one minute of UTC.
package struct DryRunMinute: Sendable, Hashable {
  /// Index of its job in ``DryRunSummary/jobs``.
  package var job: Int
  /// The begin of the minute.
  package var minute: WallInstant
  /// The begin of the minute, or of the dry run if that is later.
  package var entry: WallInstant
  /// Number of entries by outcome.
  package var outcomes = OutcomeCounts()

  /// Makes the row of a minute without entries.
  package init(job: Int, minute: WallInstant, entry: WallInstant) {
    self.job = job
    self.minute = minute
    self.entry = entry
  }
}
