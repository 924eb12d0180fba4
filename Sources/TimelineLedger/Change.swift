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
        attempt.entry.values + [
          .integer(attempt.startedAt.nanosecondsSinceEpoch), .text(attempt.cause.rawValue),
          .integer(Int64(attempt.number)), .integer(Int64(attempt.entryCount)), attempt.run.value,
          .instant(claimedAt?.nanosecondsSinceEpoch),
        ])
    case .attempt(let run, let attempt):
      try database.run(
        .attempt,
        [
          run.value, .integer(Int64(attempt.number)), .integer(attempt.startedAt.nanosecondsSinceEpoch),
          .instant(attempt.endedAt?.nanosecondsSinceEpoch),
          attempt.disposition.map { .text($0.rawValue) } ?? .null, .text(attempt.message),
        ])
    case .settle(let record, let cursor, let tail):
      let values: [Value] =
        record.entry.values + [
          .instant(record.startedAt?.nanosecondsSinceEpoch), .integer(record.endedAt.nanosecondsSinceEpoch),
          .text(record.cause.rawValue), .text(record.disposition.rawValue), .text(record.reason),
          .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)),
          .integer(record.firstNominal.nanosecondsSinceEpoch), record.run?.value ?? .null,
        ]
      if record.run == nil {
        try database.run(.settle, values)
      } else {
        try database.run(.settleStarted, orElse: .settle, values)
      }
      let isFirst = database.hasChangedRows
      if isFirst, let run = record.run, !tail.isEmpty { try database.run(.output, [run.value, .text(tail)]) }
      if let cursor { try database.run(.cursor, [.text(record.entry.job.text), .blob(cursor)]) }
      return isFirst
    case .cursor(let job, let cursor):
      try database.run(.cursor, [.text(job.text), .blob(cursor)])
    case .pause(let job, let since):
      try database.run(.pause, [.text(job.text), .instant(since?.nanosecondsSinceEpoch)])
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

  /// Where the job stands when this has been written, if that is what it says.
  var stand: EntryKey? {
    guard case .settle(let record, _, _) = self, record.cause.isOfSchedule else { return nil }
    return record.entry
  }
}

extension EntryKey {
  /// The primary key.
  var values: [Value] { [.text(job.text), .integer(nominal.nanosecondsSinceEpoch)] }
}

extension RunID {
  /// The number, which fits for as long as runs are counted from 1.
  var value: Value { .integer(Int64(bitPattern: number)) }
}
