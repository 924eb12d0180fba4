import TimelineCore
import TimelineEngine

/// What a start asks the file of what an earlier daemon left.
enum StartQuestion {
  /// The cursor of each job that has one.
  static let cursors = "SELECT name, cursor FROM job WHERE cursor IS NOT NULL"

  /// What was started and has no disposition; of a run whose last attempt has failed also when the next one is due, and what that
  /// attempt said.
  static let openEntries = """
    SELECT job, nominal, cause, started_at, attempts, entry_count, run, retry_at, CASE WHEN retry_at IS NOT NULL THEN
      (SELECT message FROM attempt WHERE attempt.run = entry.run AND number = entry.attempts) END
      FROM entry WHERE disposition IS NULL ORDER BY nominal, job
    """

  /// Where each job stands; of one that was first seen after the instant that is given, also its last entry.
  static let jobs = """
    SELECT name, schedule, last_settled, known_since, paused_since,
      CASE WHEN known_since > ? THEN (SELECT max(nominal) FROM entry WHERE job = name AND disposition IS NOT NULL
        AND cause IN ('schedule', 'missed', 'recovery')) END, furthest FROM job
    """

  /// The jobs that do not work, by the dispositions of runs that say so; a run that was cancelled says nothing, and that of a
  /// reaction tells nobody.
  static let failing = """
    SELECT name FROM job WHERE known_since IS NOT NULL AND (SELECT disposition FROM entry WHERE job = name
      AND cause <> 'reaction' AND disposition IN ('succeeded', 'failed', 'timed-out', 'lost', 'unknown')
      ORDER BY nominal DESC LIMIT 1) <> 'succeeded'
    """

  /// The actions that paused jobs, of those that still are.
  static let pauseActions = """
    SELECT \(OperatorAction.columns) FROM action WHERE number IN (SELECT pause_action FROM job
      WHERE pause_action IS NOT NULL)
    """

  /// The highest number of a run.
  static let lastRun = "SELECT value FROM mark WHERE name = 'last run'"

  /// What was claimed in the file and has neither been started nor settled since; an intent is on the disk before the wait of
  /// this number.
  static func claimsWithoutRow(
    in database: Database, before wait: DiskWaits.Number, at now: WallInstant
  ) throws(LedgerError) -> [(job: JobName, claim: Claim)] {
    var filed: [(job: JobName, claim: Claim)] = []
    try database.run("SELECT entries FROM claims") { row in
      filed += row.text(0).split(separator: "\n").compactMap { Claim.parse($0, before: wait) }
    }
    var open: [(job: JobName, claim: Claim)] = []
    for (job, claim) in filed {
      var hasRow = false
      // No record of entries of the schedule speaks for one that was asked for and waits, nor one of a clock that was ahead.
      let isAlone = claim.cause.map { !$0.isOfSchedule } ?? false
      let values: InlineArray<3, Value> = [
        job.value, .instant(claim.nominal), .instant(isAlone ? .min : now),
      ]
      try database.run(.findEntry, values) { _ in hasRow = true }
      if !hasRow { open.append((job, claim)) }
    }
    return open
  }

  /// Asks them all of a file in its newest form, for no answer but ``LedgerError/damaged(path:reason:)``.
  static func askAll(of database: Database) throws(LedgerError) {
    for question in [cursors, openEntries, failing, pauseActions, lastRun, UpstreamRow.all] {
      try database.run(question)
    }
    try database.run(jobs, [.instant(.max)])
    _ = try claimsWithoutRow(in: database, before: DiskWaits().next, at: .max)
  }
}
