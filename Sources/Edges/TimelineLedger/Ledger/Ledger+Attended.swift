package import TimelineCore
import TimelineEngine

/// Wall time that daemons have attended. The file keeps these spans, because the clock may show the same time again.
struct AttendedMarks {
  /// Start of the present span; `nil` before it is known.
  var since: WallInstant?
  /// Latest instant of the present span so far.
  var through: WallInstant = .min
  /// Value of ``through`` in the file.
  var filedThrough: WallInstant = .min

  /// Prefix of the marks' names. The start of a span follows the prefix. The mark's value is the end of the span.
  static let prefix = "attended "

  static func name(_ since: WallInstant) -> String { prefix + String(since.nanosecondsSinceEpoch) }
}

extension Ledger {
  /// Records the spans that were attended before the present span, and the start of the present span. Called after a start of
  /// the daemon, and after the clock was set.
  package func attend(former: [ClosedRange<WallInstant>], since: WallInstant) {
    attended = AttendedMarks(since: since, through: since, filedThrough: since)
    backlog.append(.attended(former + [since...since], boot: boot ?? 0))
  }

  /// Extends the present span to `now`; written with the next commit.
  package func attend(through now: WallInstant) {
    attended.through = max(attended.through, now)
  }

  /// Writes the end of the present span. Must be called within a transaction.
  func fileAttended() throws(LedgerError) {
    guard let since = attended.since, attended.through > attended.filedThrough else { return }
    try database.run(
      .mark, [.text(AttendedMarks.name(since)), .integer(attended.through.nanosecondsSinceEpoch)])
    attended.filedThrough = attended.through
  }

  /// Returns the spans that earlier daemons attended, ascending: spans in the file and in ``attendedBefore``.
  func readAttended() throws(LedgerError) -> [ClosedRange<WallInstant>] {
    var spans = attendedBefore
    try database.run("SELECT name, value FROM mark WHERE name GLOB ?", [.text(AttendedMarks.prefix + "*")]) {
      row in
      guard let first = Int64(row.text(0).dropFirst(AttendedMarks.prefix.count)) else { return }
      let since = WallInstant(nanosecondsSinceEpoch: first)
      spans.append(since...max(since, WallInstant(nanosecondsSinceEpoch: row.integer(1))))
    }
    return spans.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
  }

  /// Returns the instant up to which entries without rows may have run unrecorded; `nil` for none. If a daemon of another boot
  /// did not close its ledger, this is `bootedAt`, the start of the machine: a loss of power may have taken the last records.
  func unknownThrough(bootedAt: WallInstant) throws(LedgerError) -> WallInstant? {
    var formerBoot: Int64?
    try database.run("SELECT value FROM mark WHERE name = 'running in boot'") { formerBoot = $0.integer(0) }
    guard let formerBoot else { return nil }
    return boot == nil || formerBoot != boot ? bootedAt : nil
  }

  /// Deletes the outcomes of a job's scheduled entries after `now`, so that these entries fall due again. Returns the number
  /// of entries that had an outcome of their own.
  ///
  /// Manual triggers and reactions do not fall due again and keep their outcomes. A record of several entries keeps its entries
  /// up to `now`.
  package func release(_ job: JobName, _ schedule: ScheduleRule, at now: WallInstant) throws(LedgerError)
    -> Int
  {
    try commit()
    var count = 0
    let values: [Value] = [job.value, .instant(now)]
    let condition = """
      job = ?1 AND first_nominal > ?2 AND outcome IS NOT NULL AND cause IN \(RunCause.ofSchedule)
      """
    try database.transaction { () throws(LedgerError) in
      try RangeCut(job: job, after: now, through: .max, schedule: schedule).write(to: database)
      try database.run("SELECT count(*) FROM entry WHERE \(condition)", values) { count = Int($0.integer(0)) }
      try noteReleased(job, at: now)
      for table in ["attempt", "output"] {
        try database.run(
          "DELETE FROM \(table) WHERE run IN (SELECT run FROM entry WHERE \(condition))", values)
      }
      try database.run("DELETE FROM entry WHERE \(condition)", values)
      try database.run("DELETE FROM moved WHERE job = ?1 AND nominal > ?2", values)
      try database.run(
        "UPDATE job SET last_settled = min(last_settled, ?2), known_since = min(known_since, ?2), furthest = NULL WHERE name = ?1",
        values)
    }
    counts.remove([], watermarksOf: [job])
    return count
  }
}
