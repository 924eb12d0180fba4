import TimelineEngine

/// Statements that are prepared once and kept: statements for every wake, for every start and end of a run, and for every job
/// of a new configuration.
enum CachedStatement: Int, CaseIterable {
  case begin, commit, rollback
  case adopt, suspend, forget
  case findDecided, findRanges, copyRange, beginLater, setWatermark
  case findEntry, claims, start, settleStarted, settle, attempt, retry, output, raiseWatermark, cursor
  case pause, action, pauseAction, findActions, mode, upload, uploaded, mark, tally,
    dropEntry, dropAttempts,
    dropOutput

  /// Purpose of the statement, for messages to operators.
  var purpose: String {
    switch self {
    case .begin, .commit, .rollback: "writing"
    case .adopt, .suspend, .forget: "taking in the configuration"
    case .findEntry: "claiming entries"
    case .findDecided, .findRanges, .copyRange, .beginLater: "taking in that the clock was set back"
    case .setWatermark: "noting how far jobs have come"
    case .claims: "noting what is about to start"
    case .start: "noting a start"
    case .settleStarted, .settle, .attempt, .retry, .output, .raiseWatermark, .cursor: "noting an end"
    case .pause, .pauseAction: "noting a pause"
    case .action: "noting an operator's action"
    case .findActions: "reading the actions of operators"
    case .mode: "noting a change of the mode"
    case .upload, .uploaded: "noting what the cluster's store has"
    case .mark: "keeping count"
    case .tally: "noting counts"
    case .dropEntry, .dropAttempts, .dropOutput: "dropping what is old"
    }
  }

  /// The SQL text. A parameter's number is its place in the list of values.
  var sql: String {
    switch self {
    case .begin: "BEGIN IMMEDIATE"
    case .commit: "COMMIT"
    case .rollback: "ROLLBACK"
    case .adopt:
      """
      INSERT INTO job (name, schedule, known_since) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET
        last_settled = CASE WHEN schedule = ?2 THEN last_settled END,
        known_since = CASE WHEN schedule = ?2 THEN coalesce(known_since, ?3) ELSE ?3 END,
        furthest = CASE WHEN schedule = ?2 THEN furthest END,
        schedule = ?2
      """
    // Makes a row for the pause, if there is none. Once the job can be scheduled, its schedule differs from the empty one.
    case .suspend: "INSERT INTO job (name, schedule) VALUES (?1, '') ON CONFLICT (name) DO NOTHING"
    case .forget:
      "UPDATE job SET last_settled = NULL, known_since = NULL WHERE name = ?1"
    case .findEntry:
      """
      SELECT outcome IS NOT NULL, started_at IS NOT NULL FROM entry WHERE job = ?1 AND nominal = ?2
        AND (first_nominal = nominal OR ended_at <= ?3 OR ?3 = -9223372036854775808)
        UNION ALL SELECT 1, 0 FROM entry INDEXED BY entry_several WHERE job = ?1 AND nominal > ?2 AND first_nominal <= ?2
        AND first_nominal < nominal AND outcome IS NOT NULL AND ended_at <= ?3
      """
    case .findDecided:
      """
      SELECT nominal FROM entry INDEXED BY entry_job WHERE job = ?1 AND nominal > ?2 AND first_nominal = nominal
        ORDER BY nominal LIMIT ?3
      """
    case .findRanges:
      """
      SELECT nominal, first_nominal, entry_count FROM entry INDEXED BY entry_several WHERE job = ?1 AND nominal > ?2
        AND first_nominal <= ?3 AND first_nominal < nominal AND outcome NOT IN ('excluded', 'dst-gap', 'dst-fold')
      """
    case .copyRange:
      """
      INSERT INTO entry (job, nominal, claimed_at, started_at, ended_at, cause, outcome, reason, attempts, entry_count,
        first_nominal) SELECT job, ?3, claimed_at, started_at, ended_at, cause, outcome, reason, attempts, ?5, ?4
        FROM entry WHERE job = ?1 AND nominal = ?2 ON CONFLICT (nominal, job) DO NOTHING
      """
    case .beginLater:
      "UPDATE entry SET first_nominal = ?4, entry_count = ?5 WHERE job = ?1 AND nominal = ?2 AND ?3 = nominal"
    case .setWatermark:
      """
      UPDATE job SET last_settled = ?2, known_since = min(known_since, ?2), furthest = ?3 WHERE name = ?1
      """
    case .claims:
      "INSERT INTO claims (number, entries) VALUES (1, ?1) ON CONFLICT (number) DO UPDATE SET entries = ?1"
    // Almost every end has a row with its start, and an update costs half as much as an insert that finds a conflict. The first
    // outcome of an entry is its only one.
    case .settleStarted:
      """
      UPDATE entry SET started_at = coalesce(?3, started_at), ended_at = ?4, cause = ?5, outcome = ?6, reason = ?7,
        attempts = ?8, entry_count = ?9, processor_time = ?12, memory_peak = ?13, memory_peak_bound = ?14
        WHERE job = ?1 AND nominal = ?2 AND first_nominal = ?10 AND run = ?11
        AND outcome IS NULL
      """
    case .start:
      """
      INSERT INTO entry (job, nominal, claimed_at, started_at, cause, attempts, entry_count, first_nominal, run)
        VALUES (?1, ?2, ?8, ?3, ?4, ?5, ?6, ?2, ?7)
        ON CONFLICT (nominal, job) DO UPDATE
        SET started_at = coalesce(started_at, ?3), cause = ?4, attempts = max(attempts, ?5), entry_count = ?6, run = ?7,
        retry_at = CASE WHEN attempts < ?5 THEN NULL ELSE retry_at END
        WHERE outcome IS NULL
      """
    case .settle:
      """
      INSERT INTO entry (job, nominal, started_at, ended_at, cause, outcome, reason, attempts, entry_count,
        first_nominal, run, processor_time, memory_peak, memory_peak_bound)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
        ON CONFLICT (nominal, job) DO UPDATE SET started_at = coalesce(?3, started_at), ended_at = ?4, cause = ?5,
        outcome = ?6, reason = ?7, attempts = ?8, entry_count = ?9, first_nominal = ?10, run = ?11,
        processor_time = ?12, memory_peak = ?13, memory_peak_bound = ?14 WHERE outcome IS NULL
      """
    // A recorded end is not replaced by a missing one.
    case .attempt:
      """
      INSERT INTO attempt (run, number, started_at, ended_at, status, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
        ON CONFLICT (run, number) DO UPDATE SET ended_at = ?4, status = ?5, message = ?6 WHERE ?4 IS NOT NULL
      """
    case .upload:
      "INSERT OR REPLACE INTO upload (job, nominal, epoch, token, sent_at) VALUES (?1, ?2, ?3, ?4, ?5)"
    case .uploaded: "UPDATE upload SET sent_at = ?3 WHERE nominal = ?2 AND job = ?1"
    case .retry: "UPDATE entry SET retry_at = ?3 WHERE nominal = ?2 AND job = ?1 AND outcome IS NULL"
    case .output: "INSERT OR REPLACE INTO output (run, tail) VALUES (?1, ?2)"
    case .raiseWatermark: "UPDATE job SET last_settled = max(coalesce(last_settled, ?2), ?2) WHERE name = ?1"
    case .cursor:
      """
      UPDATE job SET cursor = ?2, last_settled = max(coalesce(last_settled, ?3), coalesce(?3, last_settled))
        WHERE name = ?1
      """
    case .pause: "UPDATE job SET paused_since = ?2, pause_action = NULL WHERE name = ?1"
    case .action:
      "INSERT INTO action (\(OperatorAction.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
    case .pauseAction:
      """
      UPDATE job SET pause_action = (SELECT max(number) FROM action)
        WHERE name = ?1 AND paused_since IS NOT NULL
      """
    case .findActions:
      "SELECT \(OperatorAction.columns) FROM action WHERE job = ?1 AND nominal = ?2 ORDER BY number"
    case .mode:
      """
      INSERT INTO mode (\(ModeChange.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """
    case .mark: "INSERT INTO mark (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = ?2"
    case .tally:
      """
      INSERT INTO tally (job, hour, measure, bucket, count) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (job, hour, measure, bucket) DO UPDATE SET count = count + ?5
      """
    case .dropEntry: "DELETE FROM entry WHERE job = ?1 AND nominal = ?2"
    case .dropAttempts: "DELETE FROM attempt WHERE run = ?1"
    case .dropOutput: "DELETE FROM output WHERE run = ?1"
    }
  }
}
