package import TimelineCore
package import TimelineEngine

/// A row of a dry run: one entry, or one minute of a job whose entries are counted.
package enum DryRunRow: Sendable, Equatable {
  case entry(DryRunEntry)
  /// The entries of one minute of a job with more than one entry per second.
  case minute(DryRunMinute)

  /// Index of the job in ``DryRunSummary/jobs``.
  package var job: Int {
    switch self {
    case .entry(let row): row.job
    case .minute(let row): row.job
    }
  }

  /// Sort key of rows: the instant of the entry, or the begin of the minute, but at least the begin of the dry run.
  package var entry: WallInstant {
    switch self {
    case .entry(let row): row.entry
    case .minute(let row): row.entry
    }
  }
}

/// Row for one entry, or for consecutive entries with the same outcome.
package struct DryRunEntry: Sendable, Equatable {
  /// Index of the job in ``DryRunSummary/jobs``.
  package var job: Int
  /// Nominal instant of the entry, or of the last of several entries.
  package var entry: WallInstant
  /// The nominal instant of the first entry.
  package var firstEntry: WallInstant
  /// Number of consecutive entries in the row. A window, for example, excludes many entries at once. An entry that ran has a
  /// row of its own.
  package var count: Int
  /// `nil` for an entry that did not run.
  package var start: WallInstant?
  /// `nil` for an entry that did not run.
  package var end: WallInstant?
  package var outcome: Outcome

  /// Makes the row of one entry. `start` and `end` are `nil` if the entry did not run.
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

  /// Makes the row of an entry of the job at index `job` of the summary. `firstEntry` is evaluated only for several entries.
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
package struct DryRunMinute: Sendable, Equatable {
  /// Index of the job in ``DryRunSummary/jobs``.
  package var job: Int
  package var minute: WallInstant
  /// Begin of the minute, or of the dry run if this is later.
  package var entry: WallInstant
  package var outcomes = OutcomeCounts()

  package init(job: Int, minute: WallInstant, entry: WallInstant) {
    self.job = job
    self.minute = minute
    self.entry = entry
  }

  /// The part of a minute of future entries that is later than `now`; `nil` for none.
  package func after(_ now: WallInstant) -> DryRunMinute? {
    guard minute + .minutes(1) > now else { return nil }
    var part = self
    part.entry = max(entry, now)
    return part
  }
}
