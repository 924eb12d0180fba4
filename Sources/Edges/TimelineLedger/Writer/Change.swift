import TimelineCore
import TimelineEngine

/// One change to be written. It is a value, so that a failed write can be retried.
enum Change {
  case adopt([LedgerJob], at: WallInstant)
  case amend([LedgerJob], gone: [JobName], at: WallInstant)
  case start(Attempt, claimedAt: WallInstant?)
  case unstart(Attempt)
  case attempt(RunID, LedgerAttempt)
  case renumber(RunID, as: RunID)
  case retry(EntryKey, at: WallInstant)
  case upstream(EntryRecord, of: EntryKey)
  case rerun(RerunOrigin, at: EntryKey)
  case backfill(Backfill)
  case incidents([IncidentNote])
  case settle(EntryRecord, cursor: [UInt8]?, tail: String, usage: RunUsage)
  case cursor(JobName, [UInt8])
  case raiseWatermark(JobName, to: WallInstant)
  case pause(JobName, since: WallInstant?)
  case action(OperatorAction)
  case mode(ModeChange)
  case upload(EntryKey, StoreMark)
  case uploaded([EntryKey], at: WallInstant)
  case uploadAgain(since: WallInstant)
  case releaseUploads(JobName)
  case reopen(EntryKey)
  case node(NodeMemory)
  case attended([ClosedRange<WallInstant>], boot: Int64)
  case cut([RangeCut])
  case setWatermarks([Watermark])

  /// Whether the change is a configuration, or a change of a configuration.
  var isOfConfiguration: Bool {
    switch self {
    case .adopt, .amend: true
    default: false
    }
  }

  /// Writes the change. Must be called within a transaction. Returns `false` for an outcome that is not written because its entry
  /// already has one.
  func write(to database: Database) throws(LedgerError) -> Bool {
    switch self {
    case .adopt(let jobs, let now):
      try Self.adopt(jobs, at: now, in: database)
    case .amend(let jobs, let gone, let now):
      for job in jobs { try Self.adopt(job, at: now, in: database) }
      for name in gone { try database.run(.forget, [name.value]) }
    case .start(let attempt, let claimedAt): try Self.start(attempt, claimedAt, in: database)
    case .unstart(let attempt):
      try Self.takeBack(attempt, in: database)
    case .attempt(let run, let attempt):
      try database.run(
        .attempt,
        [
          run.value, .integer(Int64(attempt.number)), .instant(attempt.startedAt), .instant(attempt.endedAt),
          attempt.outcome.map { .text($0.rawValue) } ?? .null, .text(attempt.message),
        ])
    case .renumber(let run, let number):
      try database.run("UPDATE OR REPLACE attempt SET run = ?2 WHERE run = ?1", [run.value, number.value])
    case .retry(let entry, let instant):
      try database.run(.retry, [entry.job.value, .instant(entry.nominal), .instant(instant)])
    case .upstream(let record, let reaction):
      try UpstreamRow.write(record, of: reaction, to: database)
    case .rerun(let rerun, let entry): try RerunRow.write(rerun, at: entry, to: database)
    case .backfill(let backfill): try BackfillRow.write(backfill, to: database)
    case .incidents(let notes):
      for note in notes { try IncidentRow.write(note, to: database) }
    case .settle(let record, _, let tail, let used): return try Self.settle(record, tail, used, in: database)
    case .cursor, .raiseWatermark:
      break
    case .attended(let spans, let boot):
      try Self.mark(attended: spans, inBoot: boot, in: database)
    case .cut(let cuts):
      for cut in cuts { try cut.write(to: database) }
    case .setWatermarks(let watermarks):
      for watermark in watermarks { try Self.set(watermark, in: database) }
    case .pause(let job, let since):
      try database.run(.pause, [job.value, .instant(since)])
    case .action(let action):
      try database.run(.action, action.values)
      if action.verb == .pause, let job = action.job { try database.run(.pauseAction, [job.value]) }
    case .mode(let change):
      try database.run(.mode, change.values)
    case .upload(let entry, let mark):
      try database.run(.upload, mark.values(of: entry))
    case .uploaded(let entries, let now): try StoreMark.noteUpload(of: entries, at: now, in: database)
    case .uploadAgain(let since): try StoreMark.sendAgain(since: since, in: database)
    case .releaseUploads(let job): try StoreMark.release(job, in: database)
    case .reopen(let entry): try StoreMark.reopen(entry, in: database)
    case .node(let memory):
      try database.run("INSERT OR REPLACE INTO node VALUES (1, ?)", [.text(memory.store)])
    }
    return true
  }

  private static func start(
    _ attempt: Attempt, _ claimedAt: WallInstant?, in database: Database
  ) throws(LedgerError) {
    try database.run(
      .start,
      [
        attempt.entry.job.value, .instant(attempt.entry.nominal), .instant(attempt.startedAt),
        .text(attempt.cause.rawValue), .integer(Int64(attempt.number)), .integer(Int64(attempt.entryCount)),
        attempt.run.value, .instant(claimedAt),
      ])
    if !attempt.movedFrom.isEmpty { try MovedRow.write(attempt, to: database) }
  }

  private static func set(_ watermark: Watermark, in database: Database) throws(LedgerError) {
    try database.run(
      .setWatermark, [watermark.job.value, .instant(watermark.decided), .instant(watermark.furthest)])
  }

  /// Writes an outcome, and the last lines of the run's output.
  private static func settle(
    _ record: EntryRecord, _ tail: String, _ usage: RunUsage, in database: Database
  ) throws(LedgerError) -> Bool {
    let peak = { (isBound: Bool) -> Value in
      guard let peak = usage.memoryPeak, peak.isBound == isBound else { return .null }
      return .integer(Int64(clamping: peak.bytes))
    }
    let values: InlineArray<14, Value> = [
      record.entry.job.value, .instant(record.entry.nominal), .instant(record.startedAt),
      .instant(record.endedAt), .text(record.cause.rawValue), .text(record.outcome.rawValue),
      .text(record.reason), .integer(Int64(record.attempts)), .integer(Int64(record.entryCount)),
      .instant(record.firstNominal), record.run?.value ?? .null,
      usage.processorTime.map { .integer($0.nanoseconds) } ?? .null, peak(false), peak(true),
    ]
    if record.run == nil {
      try database.run(.settle, values)
    } else {
      try database.run(.settleStarted, orElse: .settle, values)
    }
    let isFirst = database.hasChangedRows
    if record.cause == .reaction { try UpstreamRow.settle(record, in: database) }
    if isFirst, record.cause.repeatsEntry { try RerunRow.settle(record, in: database) }
    if isFirst, let run = record.run, !tail.isEmpty { try database.run(.output, [run.value, .text(tail)]) }
    return isFirst
  }

  /// Writes the spans that daemons attended, in place of the former marks, and the boot of this daemon.
  private static func mark(
    attended spans: [ClosedRange<WallInstant>], inBoot boot: Int64, in database: Database
  ) throws(LedgerError) {
    try database.run(.mark, [.text("running in boot"), .integer(boot)])
    try database.run("DELETE FROM mark WHERE name GLOB ?", [.text(AttendedMarks.prefix + "*")])
    for span in spans {
      try database.run(
        .mark,
        [.text(AttendedMarks.name(span.lowerBound)), .integer(span.upperBound.nanosecondsSinceEpoch)])
    }
  }

  /// Takes a start back. If it was the first attempt, the entry loses its row and has a claim that waits. Any other attempt is
  /// due again.
  private static func takeBack(_ attempt: Attempt, in database: Database) throws(LedgerError) {
    let (job, nominal, run) = (
      attempt.entry.job.value, Value.instant(attempt.entry.nominal), attempt.run.value
    )
    guard attempt.number > 1 else {
      if !attempt.movedFrom.isEmpty { try MovedRow.remove(attempt.entry, from: database) }
      return try database.run(
        "DELETE FROM entry WHERE job = ?1 AND nominal = ?2 AND run = ?3 AND outcome IS NULL",
        [job, nominal, run])
    }
    try database.run(
      """
      UPDATE entry SET attempts = ?4, retry_at = ?5
        WHERE job = ?1 AND nominal = ?2 AND run = ?3 AND attempts = ?4 + 1 AND outcome IS NULL
      """,
      [job, nominal, run, .integer(Int64(attempt.number - 1)), .instant(attempt.startedAt)])
  }

  /// Writes the changes of a configuration, in the order of the names. The table has the same order, so the rows that are read
  /// and written are adjacent. Of two jobs with one name the first counts.
  private static func adopt(
    _ jobs: [LedgerJob], at now: WallInstant, in database: Database
  ) throws(LedgerError) {
    let order = jobs.indices.sorted { (jobs[$0].name, $0) < (jobs[$1].name, $1) }
    var rest = order[...]
    var changed: [Int] = []
    var gone: [JobName] = []
    try database.run("SELECT name, schedule, known_since, last_settled FROM job ORDER BY name") { row in
      guard let name = JobName(row.text(0)) else { return }
      while let next = rest.first, jobs[next].name < name { changed.append(rest.removeFirst()) }
      let isKnown = row.optionalInteger(2) != nil
      if let next = rest.first, jobs[next].name == name {
        if !jobs[next].isSuspended, !isKnown || row.text(1) != jobs[next].schedule { changed.append(next) }
        while let next = rest.first, jobs[next].name == name { rest.removeFirst() }
      } else if isKnown || row.optionalInteger(3) != nil {
        gone.append(name)
      }
    }
    changed += rest
    var last: JobName?
    for job in changed.lazy.map({ jobs[$0] }) where job.name != last {
      try Self.adopt(job, at: now, in: database)
      last = job.name
    }
    for name in gone { try database.run(.forget, [name.value]) }
  }

  private static func adopt(
    _ job: LedgerJob, at now: WallInstant, in database: Database
  ) throws(LedgerError) {
    if job.isSuspended { return try database.run(.suspend, [job.name.value]) }
    try database.run(.adopt, [job.name.value, .text(job.schedule), .instant(now)])
  }

  /// Watermark and cursor that the change sets for its job. A transaction writes only the latest of each.
  var progress: (job: JobName, watermark: WallInstant?, cursor: [UInt8]?)? {
    switch self {
    case .settle(let record, let cursor, _, _):
      let watermark = record.cause.isOfSchedule && !record.isAhead ? record.entry.nominal : nil
      return watermark == nil && cursor == nil ? nil : (record.entry.job, watermark, cursor)
    case .cursor(let job, let cursor): return (job, nil, cursor)
    case .raiseWatermark(let job, let nominal): return (job, nominal, nil)
    default: return nil
    }
  }
}

extension JobName {
  var value: Value { .text(text) }
}

extension RunID {
  /// The number for a statement. It fits as long as runs are counted from 1.
  var value: Value { .integer(Int64(bitPattern: number)) }
}
