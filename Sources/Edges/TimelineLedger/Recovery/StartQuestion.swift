import TimelineCore
import TimelineEngine

/// Queries by which a starting daemon reads the state that an earlier daemon left in the file.
enum StartQuestion {
  /// The cursor of each job that has one.
  static let cursors = "SELECT name, cursor FROM job WHERE cursor IS NOT NULL"

  /// Entries that were started and have no outcome. For a run whose last attempt failed, also the time of the next attempt and
  /// the message of the last one.
  static let openEntries = """
    SELECT job, nominal, cause, started_at, attempts, entry_count, run, retry_at, CASE WHEN retry_at IS NOT NULL THEN
      (SELECT message FROM attempt WHERE attempt.run = entry.run AND number = entry.attempts) END
      FROM entry WHERE outcome IS NULL ORDER BY nominal, job
    """

  /// Schedule, watermark and pause of each job. For a job first seen after the given instant, also its last entry that has an
  /// outcome.
  static let jobs = """
    SELECT name, schedule, last_settled, known_since, paused_since,
      CASE WHEN known_since > ? THEN (SELECT max(nominal) FROM entry WHERE job = name AND outcome IS NOT NULL
        AND cause IN \(RunCause.ofSchedule)) END, furthest FROM job
    """

  /// The last run of each job that succeeded or failed. Cancelled runs and reactions do not count.
  static let lastRuns = """
    SELECT name, outcome, entry.nominal, ended_at FROM job CROSS JOIN entry ON entry.job = name AND entry.nominal = (SELECT nominal
      FROM entry WHERE job = name AND cause <> 'reaction' AND outcome IN (\(decisive)) ORDER BY nominal DESC LIMIT 1)
      WHERE known_since IS NOT NULL
    """

  /// The start of a job's last entry with a start.
  static let lastStart =
    "SELECT started_at FROM entry WHERE job = ? AND started_at IS NOT NULL ORDER BY nominal DESC LIMIT 1"

  /// Outcomes of the latest runs of a job, as far as failures are counted; the latest first.
  static let latestOutcomes = """
    SELECT outcome FROM entry WHERE job = ? AND cause <> 'reaction' AND outcome IN (\(decisive)) ORDER BY nominal DESC
      LIMIT \(FormerRun.failuresMax)
    """

  private static let decisive = (Outcome.names(of: .success) + Outcome.names(of: .failure))
    .map { "'\($0)'" }.joined(separator: ", ")

  /// Actions that paused jobs, for the jobs that are still paused.
  static let pauseActions = """
    SELECT \(OperatorAction.columns) FROM action WHERE number IN (SELECT pause_action FROM job
      WHERE pause_action IS NOT NULL)
    """

  /// The last change of the mode.
  static let mode = "SELECT \(ModeChange.columns) FROM mode ORDER BY number DESC LIMIT 1"

  /// The state of the last daemon's node in its cluster.
  static let node = "SELECT store FROM node"

  /// Whether there are records that may still be missing in the cluster's store.
  static let hasUploads = "SELECT 1 FROM upload WHERE sent_at IS NULL LIMIT 1"

  /// The highest number of a run.
  static let lastRun = "SELECT value FROM mark WHERE name = 'last run'"

  /// Returns the claims in the file whose entries have neither been started nor settled since. The claims are on the disk
  /// after the sync with the number `wait` has succeeded.
  static func claimsWithoutRow(
    in database: Database, before wait: SyncTracker.Number, at now: WallInstant
  ) throws(LedgerError) -> [(job: JobName, claim: Claim)] {
    var filed: [(job: JobName, claim: Claim)] = []
    try database.run("SELECT entries FROM claims") { row in
      filed += row.text(0).split(separator: "\n").compactMap { Claim.parse($0, before: wait) }
    }
    var open: [(job: JobName, claim: Claim)] = []
    for (job, claim) in filed {
      var hasRow = false
      // A record of several scheduled entries does not apply to a waiting entry of no schedule. A record that ended later than
      // `now` is of a clock that was ahead, and does not apply either.
      let isAlone = claim.cause.map { !$0.isOfSchedule } ?? false
      let values: InlineArray<3, Value> = [
        job.value, .instant(claim.nominal), .instant(isAlone ? .min : now),
      ]
      try database.run(.findEntry, values) { _ in hasRow = true }
      if !hasRow { open.append((job, claim)) }
    }
    return open
  }

  /// Runs all queries on a file in its newest form, only to detect ``LedgerError/damaged(path:reason:)``.
  static func askAll(of database: Database) throws(LedgerError) {
    for question in [
      cursors, openEntries, lastRuns, pauseActions, mode, lastRun, UpstreamRow.all, IncidentRow.all,
    ] {
      try database.run(question)
    }
    try database.run(jobs, [.instant(.max)])
    try database.run(latestOutcomes, [.text("")])
    _ = try claimsWithoutRow(in: database, before: SyncTracker().next, at: .max)
  }
}
