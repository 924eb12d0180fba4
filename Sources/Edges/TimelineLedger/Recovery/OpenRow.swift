import TimelineCore
import TimelineEngine

/// An entry without an outcome.
struct OpenRow {
  let entry: EntryKey
  private(set) var cause: RunCause
  private var startedAt: WallInstant?
  private var attempts: Int
  private var entryCount: Int
  private var number: RunID?
  private var boot: Int64?
  private var isStartable = false
  /// Whether the entry's claim, or a start that was taken back, shows that the entry waited.
  private(set) var hasWaited = false
  private var isAskedFor = false
  private var retryAt: WallInstant?
  private var message = ""

  /// Makes an entry that is claimed and was not started. A claim has a cause only if its entry is known to wait.
  init(_ claim: Claim, of job: JobName, repeating origin: RerunOrigin?) {
    entry = EntryKey(job: job, nominal: claim.nominal)
    (cause, attempts, entryCount) = (claim.cause ?? origin?.cause ?? .schedule, 0, 1)
    (hasWaited, isAskedFor) = (claim.cause != nil, claim.isAskedFor)
    (boot, isStartable) = (claim.boot == 0 ? nil : Int64(claim.boot), claim.isStartable)
  }

  init(_ attempt: Attempt) {
    entry = attempt.entry
    (cause, attempts, entryCount) = (attempt.cause, 0, 1)
    start(attempt)
  }

  init?(_ row: borrowing Row) {
    guard let job = JobName(row.text(0)) else { return nil }
    entry = EntryKey(job: job, nominal: WallInstant(nanosecondsSinceEpoch: row.integer(1)))
    cause = RunCause(rawValue: row.text(2)) ?? .schedule
    startedAt = row.optionalInteger(3).map(WallInstant.init(nanosecondsSinceEpoch:))
    attempts = Int(row.integer(4))
    entryCount = max(1, Int(row.integer(5)))
    number = row.optionalInteger(6).map { RunID(number: UInt64(bitPattern: $0)) }
    retryAt = row.optionalInteger(7).map(WallInstant.init(nanosecondsSinceEpoch:))
    message = row.text(8)
  }

  /// Applies a start.
  mutating func start(_ attempt: Attempt) {
    startedAt = startedAt ?? attempt.startedAt
    (cause, attempts, entryCount, number) = (attempt.cause, attempt.number, attempt.entryCount, attempt.run)
  }

  /// Applies a start that was taken back. If it was the first attempt, the entry waits again. Any other attempt is due again.
  mutating func unstart(_ attempt: Attempt) {
    guard number == attempt.run, attempts == attempt.number else { return }
    attempts -= 1
    if attempts > 0 { retryAt = attempt.startedAt } else { (startedAt, number, hasWaited) = (nil, nil, true) }
  }

  /// Whether the entry was started in the boot `present`, or its start may have been lost. A scheduled entry that is not due
  /// at `now` was not started. An entry of no schedule is due when it is made, even if the clock was set back since.
  func mayHaveRun(since present: Int64?, startsAreLost: Bool, at now: WallInstant) -> Bool {
    if startedAt != nil { return true }
    let isDue = entry.nominal <= now || !cause.isOfSchedule
    return isStartable && (present == nil || boot != present || startsAreLost && isDue)
  }

  /// Returns the run. A run without a number gets the next number if the entry may have run. A reaction gets its upstream
  /// entry from `upstreams`, and a repetition the entry that it repeats from `reruns`.
  func run(
    numberedAfter last: inout RunID, mayHaveRun: Bool, _ upstreams: [EntryKey: EntryRecord],
    _ reruns: [EntryKey: RerunOrigin]
  ) -> OpenRun {
    if number == nil, mayHaveRun { last.number += 1 }
    var open = OpenRun(
      run: number ?? (mayHaveRun ? last : RunID(number: 0)), entry: entry, cause: cause,
      attempts: mayHaveRun ? max(1, attempts) : 0, startedAt: startedAt ?? entry.nominal,
      entryCount: entryCount)
    (open.hasWaited, open.isAskedFor) = (hasWaited && !mayHaveRun, isAskedFor)
    (open.retryAt, open.message) = (retryAt, message)
    if cause == .reaction { open.upstream = upstreams[entry] }
    if cause.repeatsEntry { open.rerun = reruns[entry] }
    return open
  }
}
