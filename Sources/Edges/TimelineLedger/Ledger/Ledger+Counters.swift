package import TimelineCore
package import TimelineEngine

/// Counts of one job's entries in one hour: outcomes, lateness and durations.
package struct LedgerCounters: Sendable, Equatable {
  /// Start of the hour, a whole number of hours since the epoch. Entries count for the hour in which they ended.
  package var hour: WallInstant
  package var outcomes = OutcomeCounts()
  /// Delays from the nominal time to the start of the run, only for entries of the schedule. Manual runs and reactions are not
  /// counted.
  package var lateness = LatencyHistogram()
  /// Durations of runs, including all attempts and back-offs.
  package var duration = LatencyHistogram()

  package init(hour: WallInstant) {
    self.hour = hour
  }

  /// Returns the hour that contains an instant.
  package static func hour(of instant: WallInstant) -> WallInstant {
    let length = ElapsedTime.hours(1).nanoseconds
    let rest = instant.nanosecondsSinceEpoch % length
    return instant - ElapsedTime(nanoseconds: rest < 0 ? rest + length : rest)
  }

  mutating func add(_ record: EntryRecord) {
    outcomes.add(record.entryCount, of: record.outcome)
    guard let startedAt = record.startedAt else { return }
    duration.add(record.endedAt - startedAt)
    if record.cause.isOfSchedule { lateness.add(startedAt - record.entry.nominal) }
  }

  mutating func add(_ count: Int, _ measure: String, _ bucket: Int) {
    switch measure {
    case "lateness": lateness.add(count, in: bucket)
    case "duration": duration.add(count, in: bucket)
    default:
      if let outcome = Outcome(rawValue: measure) { outcomes.add(count, of: outcome) }
    }
  }

  /// Adds another hour's counts of the same job.
  package mutating func add(_ other: LedgerCounters) {
    for (outcome, count) in other.outcomes.sorted { outcomes.add(count, of: outcome) }
    lateness.add(other.lateness)
    duration.add(other.duration)
  }

  /// Rows for the file: a measure, its bucket and a count.
  var rows: [(measure: String, bucket: Int, count: Int)] {
    outcomes.sorted.map { ($0.outcome.rawValue, 0, $0.count) }
      + lateness.filled.map { ("lateness", $0.bucket, $0.count) }
      + duration.filled.map { ("duration", $0.bucket, $0.count) }
  }
}

/// Counts and watermarks that are kept in memory, and written to the file when the daemon is idle.
struct PendingCounts {
  /// Counters by job, then by hour.
  private(set) var byJob: [JobName: [WallInstant: LedgerCounters]] = [:]
  /// Watermarks of busy jobs that are not in the file yet.
  private(set) var watermarks: [JobName: WallInstant] = [:]

  var hasMore: Bool { !byJob.isEmpty || !watermarks.isEmpty }

  mutating func add(_ record: EntryRecord) {
    let hour = LedgerCounters.hour(of: record.endedAt)
    byJob[record.entry.job, default: [:]][hour, default: LedgerCounters(hour: hour)].add(record)
  }

  mutating func raiseWatermark(to key: EntryKey) {
    watermarks[key.job] = max(watermarks[key.job] ?? .min, key.nominal)
  }

  /// Removes the counts and watermarks that were written to the file.
  mutating func remove(_ jobs: [JobName], watermarksOf saved: [JobName]) {
    for job in jobs { byJob[job] = nil }
    for job in saved { watermarks[job] = nil }
  }
}

extension Ledger {
  /// Returns a job's counts, oldest first, for each hour that has counts and does not end before `since`.
  ///
  /// Counts are written to the file when the daemon is idle. A daemon that dies loses the counts of the last minutes.
  package func counters(of job: JobName, since: WallInstant) throws(LedgerError) -> [LedgerCounters] {
    let first = LedgerCounters.hour(of: since)
    var hours = (counts.byJob[job] ?? [:]).filter { $0.key >= first }
    try database.run(
      "SELECT hour, measure, bucket, count FROM tally WHERE job = ? AND hour >= ?",
      [.text(job.text), .integer(first.nanosecondsSinceEpoch)]
    ) { row in
      let hour = WallInstant(nanosecondsSinceEpoch: row.integer(0))
      hours[hour, default: LedgerCounters(hour: hour)]
        .add(Int(row.integer(3)), row.text(1), Int(clamping: row.integer(2)))
    }
    return hours.values.sorted(on: \.hour)
  }

  /// Returns a job's counts of the hour that contains `instant`; `nil` if nothing was counted in this hour.
  package func counters(of job: JobName, inHourOf instant: WallInstant) throws(LedgerError) -> LedgerCounters?
  {
    let hour = LedgerCounters.hour(of: instant)
    var found = counts.byJob[job]?[hour]
    try database.run(
      "SELECT measure, bucket, count FROM tally WHERE job = ? AND hour = ?",
      [.text(job.text), .integer(hour.nanosecondsSinceEpoch)]
    ) { row in
      found = found ?? LedgerCounters(hour: hour)
      found?.add(Int(row.integer(2)), row.text(0), Int(clamping: row.integer(1)))
    }
    return found
  }

  /// Returns the number of entries by outcome of each configured job, for the hours that do not end before `since`. Jobs
  /// without entries are left out.
  package func outcomes(since: WallInstant) throws(LedgerError) -> [JobName: OutcomeCounts] {
    var result: [JobName: OutcomeCounts] = [:]
    for job in jobs.configured {
      var sum = LedgerCounters(hour: since)
      for hour in try counters(of: job, since: since) { sum.add(hour) }
      if sum.outcomes.total > 0 { result[job] = sum.outcomes }
    }
    return result
  }

  /// Whether busy jobs have watermarks that are not in the file yet.
  package var hasWatermarksToSave: Bool { !counts.watermarks.isEmpty }

  /// Writes the watermarks of busy jobs to the file, a limited number per call. Returns whether there are more.
  ///
  /// Later starts are in the start log.
  package func saveWatermarks() throws(LedgerError) -> Bool {
    let saved = Array(counts.watermarks.keys.prefix(Self.watermarkCountMax))
    guard !saved.isEmpty else { return false }
    try commit()
    try database.transaction { () throws(LedgerError) in try writeWatermarks(of: saved) }
    counts.remove([], watermarksOf: saved)
    return hasWatermarksToSave
  }

  /// Number of watermarks written per call: about 0.5 ms of work, for which a start may have to wait.
  private static let watermarkCountMax = 100

  private func writeWatermarks(of jobs: [JobName]) throws(LedgerError) {
    for job in jobs {
      guard let nominal = counts.watermarks[job] else { continue }
      try database.run(.raiseWatermark, [.text(job.text), .integer(nominal.nanosecondsSinceEpoch)])
    }
  }

  /// Writes the counts of at most `countMax` jobs, and the watermarks of as many busy jobs, to the file.
  func fileCounts(ofJobs countMax: Int) throws(LedgerError) {
    let counted = Array(counts.byJob.keys.prefix(countMax))
    let saved = Array(counts.watermarks.keys.prefix(countMax))
    guard !counted.isEmpty || !saved.isEmpty else { return }
    try database.transaction { () throws(LedgerError) in
      try writeWatermarks(of: saved)
      for job in counted {
        for hour in (counts.byJob[job] ?? [:]).values {
          for row in hour.rows {
            try database.run(
              .tally,
              [
                .text(job.text), .integer(hour.hour.nanosecondsSinceEpoch), .text(row.measure),
                .integer(Int64(row.bucket)), .integer(Int64(row.count)),
              ])
          }
        }
      }
    }
    counts.remove(counted, watermarksOf: saved)
  }
}
