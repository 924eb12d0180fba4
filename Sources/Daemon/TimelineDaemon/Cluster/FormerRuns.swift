import FoundationEssentials
import TimelineCluster
import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineStoreWire

/// Runs of the cluster's jobs that an earlier daemon left open, until this node owns the jobs. Also adds the ledger's data to
/// the store's data of a job that this node acquires.
final class FormerRuns {
  private var open: [JobName: [OpenRun]]
  private let jobs: LoadedJobs
  private let writer: LedgerWriter
  private let now: () -> WallInstant

  init(_ open: [OpenRun], jobs: LoadedJobs, writer: LedgerWriter, now: @escaping () -> WallInstant) {
    self.open = Dictionary(grouping: open, by: \.entry.job)
    (self.jobs, self.writer, self.now) = (jobs, writer, now)
  }

  /// Returns the nominal instants of a job's entries that were begun and have no outcome.
  func begunEntries(of job: JobName) -> [WallInstant] {
    let begun = open[job, default: []].filter { $0.attempts > 0 && !writer.hasOutcome(of: $0.entry) }
    return begun.map(\.entry.nominal)
  }

  /// Returns the first entry of a job's schedule among the open runs; `nil` for none. The store may lack these runs, until this
  /// node runs the job again.
  func firstOpenEntry(of job: JobName) -> WallInstant? {
    open[job]?.filter(\.cause.isOfSchedule).map(\.entry.nominal).min()
  }

  /// Returns a job for the engine to acquire: the store's data, completed from the ledger.
  ///
  /// - Parameters:
  ///   - reopened: The first entry whose outcome was dropped, so that it is decided anew; `nil` for none.
  ///   - runsUnclaimed: Called for each entry that the last daemon began without a claim and that this node continues.
  func takenJob(
    _ owned: OwnedJob, since reopened: WallInstant?, runsUnclaimed: (EntryKey) -> Void
  ) -> TakenJob {
    let now = now()
    let local = writer.watermark(of: owned.name)
    let settled = owned.held.lazy.map(\.nominal).filter { nominal in
      nominal <= now && self.writer.hasOutcome(of: EntryKey(job: owned.name, nominal: nominal))
    }
    // A job with an outcome is not new, even without a watermark: the clock may have been set to an earlier time since then.
    var watermark =
      [owned.watermark, local].compactMap(\.self).max() ?? settled.min().map { $0 - .nanoseconds(1) }
    let unclaimed = unclaimedEntries(of: owned)
    let waiting = unclaimed.filter { $0.attempts == 0 && $0.entry.nominal <= now }.map(\.entry.nominal)
    // The schedule yields again the entries that waited for the store or were about to run. Entries that this node has decided
    // since keep their outcomes.
    var decided = owned.decided
    let since = (waiting + [owned.undecidedSince, reopened].compactMap(\.self)).min()
    if let first = since, let reached = watermark, first <= reached {
      watermark = first - .nanoseconds(1)
      decided += writer.decided(of: owned.name, after: first, through: reached)
    }
    let doubtful = Dictionary(owned.doubtful.map { ($0.nominal, $0) }, uniquingKeysWith: { $1 })
    let held = Set(owned.held.map(\.nominal))
    let left = Dictionary(
      (self.open[owned.name] ?? []).map { ($0.entry.nominal, $0) }, uniquingKeysWith: { $1 })
    let open = owned.inheritedClaims.compactMap { claim -> OpenRun? in
      let key = EntryKey(job: owned.name, nominal: claim.nominal)
      // The entry has an outcome, which the store does not have yet.
      if writer.hasOutcome(of: key) { return nil }
      var run: OpenRun
      if held.contains(claim.nominal), let begun = writer.runBetweenAttempts(of: key) {
        run = begun
      } else if let entry = doubtful[claim.nominal] {
        run = OpenRun(
          run: RunID(number: 0), entry: key, cause: .schedule, attempts: 1, startedAt: now,
          entryCount: entry.entryCount)
        run.node = entry.node
      } else {
        run =
          left[claim.nominal]
          ?? OpenRun(
            run: RunID(number: 0), entry: key, cause: .schedule, attempts: 0, startedAt: now)
      }
      run.token = claim.token
      return run
    }
    let goesOn = jobs[owned.name]?.job.placement.storeDown == .ownerRuns
    let begun = goesOn ? unclaimed.filter { $0.attempts > 0 } : []
    for run in begun { runsUnclaimed(run.entry) }
    return TakenJob(
      name: owned.name, watermark: watermark, decided: decided, pausedSince: owned.pausedSince,
      isFailing: owned.isFailing,
      incidents: owned.incidents.compactMap { IncidentNote($0, of: owned.name) }, open: open + begun)
  }

  /// Returns the entries that the last daemon of this node ran, or was about to run, without a claim in the store. Entries up
  /// to the store's watermark, and entries with an outcome in the store, are left out: another node has decided them.
  private func unclaimedEntries(of job: OwnedJob) -> [OpenRun] {
    let claimed = Set(job.inheritedClaims.map(\.nominal))
    return (open[job.name] ?? []).filter { run in
      run.cause.isOfSchedule && !claimed.contains(run.entry.nominal)
        && job.watermark.map { run.entry.nominal > $0 } ?? true && !job.hasOutcome(at: run.entry.nominal)
        && !writer.hasOutcome(of: run.entry)
    }
  }

  /// Adopts the cursor of the last owner's run.
  func adoptCursor(of job: OwnedJob) {
    guard let text = job.cursor, let bytes = Data(base64Encoded: text) else { return }
    writer.keep(cursor: Array(bytes), of: job.name)
  }

  /// Withdraws the ledger's claims to entries of an acquired job that other owners have decided. At the next start, these
  /// claims would count as open entries and hold back the job's watermark in the store.
  func withdrawDecided(of job: OwnedJob) {
    open[job.name] = nil
    guard let decided = job.watermark else { return }
    writer.withdrawClaims(of: job.name, through: decided, except: Set(job.inheritedClaims.map(\.nominal)))
  }

  /// Ends runs in the ledger that an earlier daemon left open, if another node now owns their jobs. That node has decided about
  /// these runs. `name` is the name of this node.
  func endElsewhere(_ own: ClusterNode, of name: String) {
    for (job, open) in open {
      guard let node = own.owner(of: job), node != name else { continue }
      // The runs stay in the list: the store may lack them, so the job's watermark must not pass them.
      for run in open where run.attempts > 0 && !writer.hasOutcome(of: run.entry) {
        let record = EntryRecord(
          entry: run.entry, cause: run.cause, outcome: .unknown,
          reason:
            "the daemon died, and node \(node) has taken the job over: the cluster's history has what it decided",
          run: run.run, startedAt: run.startedAt, endedAt: now(), attempts: run.attempts)
        writer.settle(record, cursor: nil)
      }
    }
  }
}
