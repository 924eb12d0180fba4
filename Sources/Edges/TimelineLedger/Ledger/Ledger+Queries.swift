package import TimelineCore
package import TimelineEngine

// Queries for clients. Each query uses an index and is bounded, because it runs on the daemon's only thread.
extension Ledger {
  /// Returns the entries that were started or settled, newest nominal instant first. Entries of one instant are ordered by the
  /// names of their jobs.
  package func history(_ query: HistoryQuery) throws(LedgerError) -> [LedgerEntry] {
    try writeBeforeReading()
    var query = query
    query.limit = min(max(0, query.limit), HistoryQuery.limitMax)
    var found: [LedgerEntry] = []
    // These records are at or after `until`, so they precede the other records in the list.
    if let reaching = HistoryQuestion(reachingOverEndOf: query) {
      found = try entries(reaching.source, reaching.values, hasDetails: query.hasDetails)
      query.limit -= found.count
    }
    let inside = HistoryQuestion(query)
    return found + (try entries(inside.source, inside.values, hasDetails: query.hasDetails))
  }

  /// Returns the entry at `instant`, including a claimed entry, or the record of several entries that spans the instant.
  package func entry(of job: JobName, at instant: WallInstant) throws(LedgerError) -> LedgerEntry? {
    try writeBeforeReading()
    let values: [Value] = [.text(job.text), .integer(instant.nanosecondsSinceEpoch)]
    if let entry = try entries("entry WHERE job = ? AND nominal = ?", values).first { return entry }
    if let claim = jobs.knownNumber(of: job).flatMap({ claims.claim(of: instant, of: $0) }) {
      var entry = LedgerEntry(claim, of: job)
      entry.record.rerun = try RerunRow.rerun(at: entry.record.entry, in: database)
      if entry.record.rerun != nil { entry.record.cause = .rerun }
      return entry
    }
    let several = try entries(
      "entry INDEXED BY entry_several WHERE job = ? AND nominal > ? AND first_nominal < nominal ORDER BY nominal LIMIT \(HistoryQuestion.reachingMax)",
      values)
    return several.first { $0.record.firstNominal <= instant }
  }

  /// Returns the last entry before `instant` and the first entry after it. Claims, and the result of ``entry(of:at:)``, are
  /// left out.
  package func neighbors(
    of job: JobName, around instant: WallInstant
  ) throws(LedgerError) -> (before: LedgerEntry?, after: LedgerEntry?) {
    try writeBeforeReading()
    let values: [Value] = [.text(job.text), .integer(instant.nanosecondsSinceEpoch)]
    let before = try entries("entry WHERE job = ? AND nominal < ? ORDER BY nominal DESC LIMIT 1", values)
    let after = try entries(
      "entry WHERE job = ?1 AND nominal > ?2 AND first_nominal > ?2 ORDER BY nominal LIMIT 1", values)
    return (before.first, after.first)
  }

  /// Returns the reactions to an entry, the latest first. Open reactions wait or run.
  package func reactions(to upstream: EntryKey, limit: Int) throws(LedgerError) -> [LedgerEntry] {
    try writeBeforeReading()
    var found: [LedgerEntry] = []
    for reaction in try UpstreamRow.reactions(to: upstream, limit: limit, in: database) {
      let waiting = EntryRecord(
        entry: reaction, cause: .reaction, outcome: .unknown, endedAt: reaction.nominal)
      found.append(
        try entry(of: reaction.job, at: reaction.nominal) ?? LedgerEntry(record: waiting, isOpen: true))
    }
    found += try entries(
      """
      entry INDEXED BY entry_upstream WHERE upstream_nominal = ? AND upstream_job = ?
        ORDER BY nominal DESC LIMIT \(limit)
      """, [.instant(upstream.nominal), upstream.job.value], hasDetails: false)
    return Array(found.prefix(limit))
  }

  /// Returns the last lines of output of a run that has ended; empty if none are kept.
  package func output(of run: RunID) throws(LedgerError) -> String {
    try writeBeforeReading()
    var tail = ""
    try database.run("SELECT tail FROM output WHERE run = ?", [run.value]) { tail = $0.text(0) }
    return tail
  }

  /// Commits pending changes, unless an earlier commit failed. A ledger that cannot be written can still be read.
  func writeBeforeReading() throws(LedgerError) {
    if !isBehind { try commit() }
  }

  /// Returns the entries of `source`, with their attempts and output if `hasDetails`.
  func entries(
    _ source: String, _ values: [Value], hasDetails: Bool = true
  ) throws(LedgerError) -> [LedgerEntry] {
    var found: [LedgerEntry] = []
    try database.run("SELECT \(Self.entryColumns) FROM \(source)", values) { row in
      if let entry = LedgerEntry(row) { found.append(entry) }
    }
    for index in found.indices where found[index].record.cause.repeatsEntry {
      found[index].record.rerun = try RerunRow.rerun(at: found[index].record.entry, in: database)
    }
    for index in found.indices where found[index].mayHaveActions {
      found[index].actions = try actions(on: found[index].record.entry)
    }
    for index in found.indices where hasDetails {
      guard let run = found[index].record.run else { continue }
      let key: [Value] = [run.value]
      try database.run("SELECT tail FROM output WHERE run = ?", key) { found[index].outputTail = $0.text(0) }
      try database.run(
        "SELECT number, started_at, ended_at, status, message FROM attempt WHERE run = ? ORDER BY number", key
      ) { found[index].attempts.append(LedgerAttempt($0)) }
      if let attempt = runs[run]?.attempt,
        found[index].attempts.last.map({ $0.number < attempt.number }) ?? false
      {
        found[index].attempts.append(attempt)
      } else if found[index].attempts.isEmpty {
        found[index].attempts = found[index].onlyAttempt
      }
    }
    return found
  }

  /// The columns that ``LedgerEntry/init(_:)`` reads, in its order.
  static let entryColumns = """
    job, nominal, cause, outcome, reason, run, started_at, ended_at, attempts, entry_count, first_nominal, claimed_at,
    processor_time, memory_peak, memory_peak_bound, upstream_job, upstream_nominal
    """
  /// Number of ``entryColumns``.
  static let entryColumnCount: Int32 = 17
}

extension LedgerEntry {
  /// Makes an entry that is claimed and has no row.
  fileprivate init(_ claim: Claim, of job: JobName) {
    self.init(
      record: EntryRecord(
        entry: EntryKey(job: job, nominal: claim.nominal), outcome: .unknown, endedAt: claim.claimedAt),
      isOpen: true, claimedAt: claim.claimedAt)
  }

  /// Reads a row; `nil` for an invalid job name.
  init?(_ row: borrowing Row) {
    guard let job = JobName(row.text(0)) else { return nil }
    let outcome = row.optionalText(3).map { Outcome(rawValue: $0) ?? .unknown }
    let startedAt = row.optionalInteger(6).map(WallInstant.init(nanosecondsSinceEpoch:))
    let claimedAt = row.optionalInteger(11).map(WallInstant.init(nanosecondsSinceEpoch:))
    let nominal = WallInstant(nanosecondsSinceEpoch: row.integer(1))
    let endedAt = row.optionalInteger(7).map(WallInstant.init(nanosecondsSinceEpoch:))
    self.init(
      record: EntryRecord(
        entry: EntryKey(job: job, nominal: nominal), cause: RunCause(rawValue: row.text(2)) ?? .schedule,
        outcome: outcome ?? .unknown, reason: row.text(4),
        run: row.optionalInteger(5).map { RunID(number: UInt64(bitPattern: $0)) }, startedAt: startedAt,
        endedAt: endedAt ?? startedAt ?? nominal, attempts: Int(row.integer(8)),
        entryCount: Int(row.integer(9)),
        // If one entry is left in a record of several, its `first_nominal` is a nanosecond before the entry, and is not used.
        firstNominal: row.integer(9) > 1 ? WallInstant(nanosecondsSinceEpoch: row.integer(10)) : nominal),
      isOpen: outcome == nil, claimedAt: claimedAt,
      usage: RunUsage(
        processorTime: row.optionalInteger(12).map(ElapsedTime.init(nanoseconds:)),
        memoryPeak: row.optionalInteger(13).map { MemoryPeak(bytes: UInt64(clamping: $0)) }
          ?? row.optionalInteger(14).map { MemoryPeak(bytes: UInt64(clamping: $0), isBound: true) }))
    if let upstream = row.optionalText(15).flatMap(JobName.init), let instant = row.optionalInteger(16) {
      record.upstream = EntryKey(job: upstream, nominal: WallInstant(nanosecondsSinceEpoch: instant))
    }
  }

  /// The attempt of a run with a single attempt. It has no row of its own, because its start and end are the start and end of
  /// the run.
  fileprivate var onlyAttempt: [LedgerAttempt] {
    guard let startedAt = record.startedAt, record.attempts == 1 else { return [] }
    return [
      LedgerAttempt(
        number: 1, startedAt: startedAt, endedAt: isOpen ? nil : record.endedAt,
        outcome: isOpen ? nil : record.outcome, message: record.reason)
    ]
  }
}

extension LedgerAttempt {
  fileprivate init(_ row: borrowing Row) {
    self.init(
      number: Int(row.integer(0)), startedAt: WallInstant(nanosecondsSinceEpoch: row.integer(1)),
      endedAt: row.optionalInteger(2).map(WallInstant.init(nanosecondsSinceEpoch:)),
      outcome: row.optionalText(3).map { Outcome(rawValue: $0) ?? .unknown }, message: row.text(4))
  }
}
