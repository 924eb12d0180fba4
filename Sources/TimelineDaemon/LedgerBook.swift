import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineSystem

/// The daemon's hand on the ledger: what cannot be written is announced once in a while and never stops a run.
///
/// A full disk must not become a night without backups: an entry whose claim cannot be written is run, and the operator is told
/// that the ledger is silent about it.
final class LedgerBook {
  let ledger: Ledger
  private let announcer: Announcer
  private var isFailing = false

  /// Entries are kept for thirty days.
  private static let retention = ElapsedTime.days(30)

  /// Opens the ledger in `folder`, which is made if need be; `nil` keeps everything in memory, as a rehearsal does.
  init(folder: String?, announcer: Announcer) throws(DaemonFailure) {
    self.announcer = announcer
    do {
      if let folder {
        try CurrentProcess.makeFolder(folder, mode: 0o750)
        ledger = try Ledger(path: folder + "/ledger.sqlite")
      } else {
        ledger = try Ledger(path: ":memory:")
      }
    } catch let error as LedgerError {
      throw DaemonFailure(.cannotStart, error.description)
    } catch {
      throw DaemonFailure(.cannotStart, "the state folder: \(error)")
    }
  }

  /// Takes in the configuration and tells what an earlier daemon left.
  func open(_ loaded: LoadedConfiguration, at now: WallInstant) throws(DaemonFailure) -> Ledger.Memory {
    do {
      try Self.adopt(loaded, ledger, at: now)
      return try ledger.recall(at: now)
    } catch {
      throw DaemonFailure(.cannotStart, error.description)
    }
  }

  /// Takes in a reloaded configuration.
  func adopt(_ loaded: LoadedConfiguration, at now: WallInstant) {
    attempt { () throws(LedgerError) in try Self.adopt(loaded, ledger, at: now) }
  }

  /// Claims entries; see the type for what happens when that cannot be written.
  func claim(_ keys: [EntryKey], at now: WallInstant) -> [ClaimAnswer] {
    attempt { () throws(LedgerError) in try ledger.claim(keys, at: now) }
      ?? keys.map { ClaimAnswer(entry: $0, verdict: .won) }
  }

  /// Gives claims up.
  func withdraw(_ keys: [EntryKey]) {
    attempt { () throws(LedgerError) in try ledger.withdraw(keys) }
  }

  /// Notes what is about to be started, before anything is: all in one transaction.
  func noteStarts(in effects: [EngineEffect]) {
    var hasStarts = false
    for case .start(let attempt) in effects {
      note(attempt)
      hasStarts = true
    }
    if hasStarts { commit() }
  }

  private func note(_ attempt: Attempt) {
    self.attempt { () throws(LedgerError) in try ledger.start(attempt) }
  }

  /// Files a disposition, with the cursor that its run left.
  func settle(_ record: EntryRecord, cursor: [UInt8]?) {
    attempt { () throws(LedgerError) in try ledger.settle(record, cursor: cursor) }
  }

  /// The cursor that the job's last success left; empty for none.
  func cursor(of job: JobName) -> [UInt8] {
    attempt { () throws(LedgerError) in try ledger.cursor(of: job) } ?? []
  }

  /// Ends the turn's transaction.
  func commit() {
    attempt { () throws(LedgerError) in try ledger.commit() }
  }

  /// Files what can wait and drops what is old.
  func tidy(at now: WallInstant) {
    attempt { () throws(LedgerError) in try ledger.tidy(droppingEntriesBefore: now - Self.retention) }
  }

  /// Lets go of the ledger, complete in its one file.
  func close() {
    attempt { () throws(LedgerError) in try ledger.close() }
  }

  private static func adopt(
    _ loaded: LoadedConfiguration, _ ledger: Ledger, at now: WallInstant
  ) throws(LedgerError) {
    let jobs = loaded.configuration.jobs.filter(\.isEnabled)
    try ledger.adopt(
      jobs: jobs.map { (name: $0.name, schedule: $0.schedule.identity) },
      countedJobs: Set(jobs.filter(\.schedule.firesMoreThanOncePerSecond).map(\.name)), at: now)
  }

  /// Does something to the ledger; tells the operator when it begins to fail and when it works again.
  @discardableResult
  func attempt<Result>(_ body: () throws(LedgerError) -> Result) -> Result? {
    do {
      let result = try body()
      if isFailing {
        isFailing = false
        announcer.announce(.notice, "the ledger can be written again")
      }
      return result
    } catch {
      if !isFailing {
        isFailing = true
        announcer.announce(.error, "\(error) (carrying on: jobs run, the ledger has gaps)")
      }
      return nil
    }
  }
}

extension ScheduleRule {
  /// A text that two schedules share only if they have the same entries, for the ledger to tell whether one was changed.
  ///
  /// Descriptions are for people and leave dates out, so a digest of the dates is added.
  var identity: String {
    guard case .explicit(let schedule) = self else { return description }
    var digest = StableDigest()
    for instant in schedule.instants { digest.combine(instant.description) }
    return "\(description); \(String(digest.value, radix: 16))"
  }
}
