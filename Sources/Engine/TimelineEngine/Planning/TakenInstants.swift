import TimelineCore

/// Nominal instants ahead of a clock that was set back at which jobs have entries already: entries of schedules, triggers and
/// reactions with a row in the ledger, and triggers and reactions that ran or waited when the clock was set back.
///
/// No other entry of the job gets such an instant. Otherwise one row of the ledger would stand for two entries. An entry
/// outside the schedule gets a free instant. An entry that a new schedule has at such an instant is decided.
///
/// The ledger returns a limited number of entries, and the limits of runs and waiting entries bound the others. While the clock
/// is right there are none.
struct TakenInstants: Sendable {
  /// Instants of each job, ascending.
  private var ofJobs: [JobName: [WallInstant]]
  /// The last of all instants; `.min` for none.
  private var last: WallInstant

  init(_ decided: DecidedEntries) {
    ofJobs = decided
    last = decided.values.reduce(.min) { max($0, $1.last ?? .min) }
  }

  /// Whether no job has such an instant.
  var isEmpty: Bool { ofJobs.isEmpty }

  /// Returns the instants of a job, ascending.
  func of(_ job: JobName) -> [WallInstant] { ofJobs.isEmpty ? [] : ofJobs[job] ?? [] }

  /// Adds instants of a job.
  mutating func insert(_ nominals: [WallInstant], of job: JobName) {
    for nominal in nominals where !of(job).includes(nominal) {
      ofJobs[job, default: []].insert(nominal, at: of(job).firstPlace(notBefore: nominal))
      last = max(last, nominal)
    }
  }

  /// Removes instants of a job that satisfy a condition, because an operator released the job.
  mutating func remove(of job: JobName, where isReleased: (WallInstant) -> Bool) {
    ofJobs[job]?.removeAll(where: isReleased)
  }

  /// Removes all instants if the clock has passed all of them. An entry outside the schedule can have an instant less than
  /// 1 µs before now.
  mutating func forget(at now: WallInstant) {
    if last < now - .microseconds(1) { self = TakenInstants([:]) }
  }
}
