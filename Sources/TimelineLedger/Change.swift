import TimelineCore
import TimelineEngine

/// One thing that is to be written; kept as a value so that what could not be written can be tried again.
enum Change {
  case adopt([LedgerJob], at: WallInstant)
  case start(Attempt, claimedAt: WallInstant?)
  case attempt(RunID, LedgerAttempt)
  case settle(EntryRecord, cursor: [UInt8]?, tail: String)
  case cursor(JobName, [UInt8])
  case pause(JobName, since: WallInstant?)

  /// Writes it; must be called within a transaction. Gives `false` for a disposition that is not written because all its entry can
  /// have is there already.
  func write(to database: Database) throws(LedgerError) -> Bool {
    switch self {
    case .adopt(let jobs, let now):
      try Self.adopt(jobs, at: now, in: database)
    case .start(let attempt, let claimedAt):
      try database.run(
        .start,
        [
          attempt.entry.job.value, .instant(attempt.entry.nominal), .instant(attempt.startedAt),
          .text(attempt.cause.rawValue), .integer(Int64(attempt.number)), .integer(Int64(attempt.entryCount)),
          attempt.run.value, .instant(claimedAt),
        ])
    case .attempt(let run, let attempt):
      try database.run(
        .attempt,
        [
          run.value, .integer(Int64(attempt.number)), .instant(attempt.startedAt), .instant(attempt.endedAt),
          attempt.disposition.map { .text($0.rawValue) } ?? .null, .text(attempt.message),
        ])
    case .settle(let record, _, let tail):
      let values: InlineArray<11, Value> = [
        record.entry.job.value, .instant(record.entry.nominal), .instant(record.startedAt),
        .instant(record.endedAt), .text(record.cause.rawValue), .text(record.disposition.rawValue),
        .text(record.reason), .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)),
        .instant(record.firstNominal), record.run?.value ?? .null,
      ]
      if record.run == nil {
        try database.run(.settle, values)
      } else {
        try database.run(.settleStarted, orElse: .settle, values)
      }
      let isFirst = database.hasChangedRows
      if isFirst, let run = record.run, !tail.isEmpty { try database.run(.output, [run.value, .text(tail)]) }
      return isFirst
    case .cursor:
      break
    case .pause(let job, let since):
      try database.run(.pause, [job.value, .instant(since)])
    }
    return true
  }

  private static func adopt(
    _ jobs: [LedgerJob], at now: WallInstant, in database: Database
  ) throws(LedgerError) {
    var gone: Set<String> = []
    try database.run("SELECT name FROM job WHERE known_since IS NOT NULL OR last_settled IS NOT NULL") {
      gone.insert($0.text(0))
    }
    for job in jobs {
      gone.remove(job.name.text)
      try database.run(
        """
        INSERT INTO job (name, schedule, known_since) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET
          last_settled = CASE WHEN schedule = ?2 THEN last_settled END,
          known_since = CASE WHEN schedule = ?2 THEN coalesce(known_since, ?3) ELSE ?3 END,
          schedule = ?2
        """, [.text(job.name.text), .text(job.schedule), .integer(now.nanosecondsSinceEpoch)])
    }
    for name in gone {
      try database.run(
        "UPDATE job SET last_settled = NULL, known_since = NULL, paused_since = NULL WHERE name = ?",
        [.text(name)])
    }
  }

  /// What it says of its job beside its entry, of which the last word of a transaction is enough: where the job stands, and the
  /// cursor.
  var place: (job: JobName, stand: WallInstant?, cursor: [UInt8]?)? {
    switch self {
    case .settle(let record, let cursor, _):
      let stand = record.cause.isOfSchedule ? record.entry.nominal : nil
      return stand == nil && cursor == nil ? nil : (record.entry.job, stand, cursor)
    case .cursor(let job, let cursor): return (job, nil, cursor)
    default: return nil
    }
  }
}

extension JobName {
  var value: Value { .text(text) }
}

extension RunID {
  /// The number, which fits for as long as runs are counted from 1.
  var value: Value { .integer(Int64(bitPattern: number)) }
}
