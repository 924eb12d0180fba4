package import TimelineCore
package import TimelineEngine

// Entries that have an outcome ahead of a clock that was set back.
extension Ledger {
  /// Removes entries from records of several entries, because they are decided again. Called before the new decisions are
  /// recorded.
  ///
  /// The counts of these entries stay in their hour.
  package func cut(_ cuts: [RangeCut]) { backlog.append(.cut(cuts)) }

  /// Stores watermarks that do not follow from outcomes: the clock was set back, the clock has caught up again, or a schedule
  /// changed.
  package func note(_ watermarks: [Watermark]) { backlog.append(.setWatermarks(watermarks)) }

  /// Returns the entries later than `now` that have a run or an outcome of their own, by job, ascending: entries of schedules,
  /// triggers and reactions. Only rows later than `now` are read.
  ///
  /// Returns at most ``decidedMax`` entries, the next ones first. Further entries are only detected when they are claimed.
  package func decided(after now: WallInstant) throws(LedgerError) -> DecidedEntries {
    if newestRow <= now { return [:] }
    try writeBeforeReading()
    var found: [JobName: Set<WallInstant>] = [:]
    try database.run(
      """
      SELECT job, nominal FROM entry WHERE nominal > ?1 AND first_nominal = nominal
        ORDER BY nominal, job LIMIT ?2
      """, [.instant(now), .integer(Self.decidedMax)]
    ) { row in
      guard let job = JobName(row.text(0)) else { return }
      found[job, default: []].insert(WallInstant(nanosecondsSinceEpoch: row.integer(1)))
    }
    for key in unwrittenDecided where key.nominal > now { found[key.job, default: []].insert(key.nominal) }
    return found.mapValues { $0.sorted() }
  }

  /// Reads the entries that jobs have decided after their watermarks. `furthest` is the instant up to which the job has
  /// decided entries; `nil` for none.
  func repeated(
    of jobs: [(job: JobName, watermark: WallInstant, furthest: WallInstant?)]
  ) throws(LedgerError) -> RepeatedTime {
    var time = RepeatedTime()
    for (job, watermark, furthest) in jobs {
      var found: [WallInstant] = []
      try database.run(.findDecided, [job.value, .instant(watermark), .integer(Self.decidedMax)]) { row in
        found.append(WallInstant(nanosecondsSinceEpoch: row.integer(0)))
      }
      if !found.isEmpty { time.decided[job] = found }
      guard let furthest else { continue }
      time.furthest[job] = furthest
      let ranges = try RangeCut.ranges(of: job, after: watermark, through: furthest, in: database)
      time.ranges[job] = ranges.map { $0.first...$0.latest }
    }
    return time
  }

  /// Stores that entries up to `instant` may have been decided by a lost ledger.
  func noteUnknown(through instant: WallInstant) throws(LedgerError) {
    try database.transaction { () throws(LedgerError) in
      try database.run(.mark, [.text(Self.unknownThroughMark), .instant(instant)])
    }
  }

  /// Reads the instant up to which entries may have been decided by a lost ledger; `.min` for none.
  func unknownThrough() throws(LedgerError) -> WallInstant {
    var instant = WallInstant.min
    try database.run("SELECT value FROM mark WHERE name = ?", [.text(Self.unknownThroughMark)]) { row in
      instant = WallInstant(nanosecondsSinceEpoch: row.integer(0))
    }
    return instant
  }

  /// Reads the jobs that were released although a lost ledger may have decided their entries.
  func releasedJobs() throws(LedgerError) -> Set<JobName> {
    var jobs: Set<JobName> = []
    try database.run("SELECT name FROM mark WHERE name GLOB ?", [.text(Self.releasedMark + "*")]) { row in
      if let job = JobName(String(row.text(0).dropFirst(Self.releasedMark.count))) { jobs.insert(job) }
    }
    return jobs
  }

  /// Stores that a job was released, if a lost ledger may have decided entries after `now`. Must be called within a transaction.
  func noteReleased(_ job: JobName, at now: WallInstant) throws(LedgerError) {
    guard try unknownThrough() > now else { return }
    try database.run(.mark, [.text(Self.releasedMark + job.text), .instant(now)])
  }

  private static let unknownThroughMark = "unknown through"
  private static let releasedMark = "released "

  /// Entries with a start or an outcome of their own that could not be written yet. They count as decided, too.
  private var unwrittenDecided: [EntryKey] {
    var keys: [EntryKey] = []
    for change in backlog.changes {
      switch change {
      case .settle(let record, _, _, _) where record.entryCount == 1: keys.append(record.entry)
      case .start(let attempt, _): keys.append(attempt.entry)
      default: continue
      }
    }
    return keys
  }

  /// Maximum number of entries ahead of the clock that are read: ten for each of 10,000 jobs.
  private static let decidedMax: Int64 = 100_000
}

extension RangeCut {
  /// Returns a job's records of several entries that overlap a span. Excluded local times, and local times that a clock change
  /// skips or repeats, are left out, because they are no entries.
  static func ranges(
    of job: JobName, after start: WallInstant, through end: WallInstant, in database: Database
  ) throws(LedgerError) -> [MissedRange] {
    var ranges: [MissedRange] = []
    try database.run(.findRanges, [job.value, .instant(start), .instant(end)]) { row in
      let (latest, count) = (row.integer(0), Int(row.integer(2)))
      ranges.append(
        MissedRange(
          first: WallInstant(nanosecondsSinceEpoch: count > 1 ? row.integer(1) : latest),
          latest: WallInstant(nanosecondsSinceEpoch: latest), count: count))
    }
    return ranges
  }

  /// Writes the cut. Must be called within a transaction.
  ///
  /// If a single entry remains, the remaining part begins a nanosecond before the entry. This marks it as a part: the entry
  /// may be decided again, too.
  func write(to database: Database) throws(LedgerError) {
    for range in try Self.ranges(of: job, after: start, through: end, in: database) {
      let rests = rests(of: range)
      if rests == [range] { continue }
      for rest in rests where rest.latest < range.latest {
        try database.run(.copyRange, values(range, rest))
      }
      if let last = rests.last, last.latest == range.latest {
        try database.run(.beginLater, values(range, last))
      } else {
        try database.run(.dropEntry, [job.value, .instant(range.latest)])
      }
    }
  }

  private func values(_ range: MissedRange, _ rest: MissedRange) -> InlineArray<5, Value> {
    let first = rest.count > 1 ? rest.first : rest.latest - .nanoseconds(1)
    return [
      job.value, .instant(range.latest), .instant(rest.latest), .instant(first), .integer(Int64(rest.count)),
    ]
  }
}

extension RunCause {
  /// Causes of runs for entries of their job's schedule, as a list in SQL.
  static let ofSchedule =
    "(" + allCases.filter(\.isOfSchedule).map { "'\($0.rawValue)'" }.joined(separator: ", ") + ")"
}
