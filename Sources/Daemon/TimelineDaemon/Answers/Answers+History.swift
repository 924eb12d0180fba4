import TimelineCluster
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineStoreWire

// Entries that have ended, and the output of runs: `history` and `logs`.
extension Answers {
  /// Entries of the ledger that match a query.
  struct History {
    /// The entries, oldest first.
    var entries: [LedgerEntry]
    /// Whether the ledger has earlier entries that match.
    var isCut: Bool
    /// Whether the query names a counted job, whose scheduled entries have no records; `nil` for no.
    var isCounted: Bool?
    /// The zone for moments in the request that have no UTC offset.
    var zone: String
  }

  /// Returns the outcomes of entries. A removed job is found as long as the ledger has entries of the job.
  func history(_ parameters: Control.History) throws(ControlError) -> History {
    let name = parameters.job.flatMap(JobName.init)
    let zone = jobs.zone(of: name)
    let limit = parameters.limit ?? ControlLimits.historyDefault
    // One more entry than the reply may have shows whether there are earlier entries.
    var query = HistoryQuery(
      job: name, onlyFailures: parameters.onlyFailures ?? false, limit: limit + 1, hasDetails: false)
    if let text = parameters.job {
      let isKnown = name.map { jobs[$0] != nil || !writer.history(HistoryQuery(job: $0, limit: 1)).isEmpty }
      if isKnown != true { _ = try row(named: text) }
    }
    (query.since, query.until) = try period(of: parameters, in: zone)
    let entries = writer.history(query)
    return History(
      entries: entries.prefix(limit).reversed(), isCut: entries.count > limit,
      isCounted: name.flatMap(jobs.isCounted), zone: zone.name)
  }

  /// Returns the output of a job's last runs, oldest first, including active runs.
  func outputs(of job: JobName, limit: Int) -> [RunOutput] {
    let inFlight = runs.runs(of: job).values.filter { !$0.isWaiting }.sorted(on: \.attempt.run)
    // The ledger may also have active runs.
    let query = HistoryQuery(job: job, onlyRuns: true, limit: limit + inFlight.count)
    let past = writer.history(query).filter { !$0.isOpen }.prefix(limit)
    let outputs =
      past.reversed().map { RunOutput(entry: EntryReport($0), output: $0.outputTail) }
      + inFlight.map { RunOutput(entry: EntryReport($0), output: $0.output.text) }
    return outputs.suffix(limit)
  }

  /// Returns the query to the store for the requested entries of all nodes, and the zone of moments without an offset.
  func storeQuestion(_ parameters: Control.History) throws(ControlError) -> (HistoryCall, Zone) {
    if let text = parameters.job { _ = try row(named: text) }
    let zone = jobs.zone(of: parameters.job.flatMap(JobName.init))
    let (since, until) = try period(of: parameters, in: zone)
    let call = HistoryCall(
      job: parameters.job, since: since?.nanosecondsSinceEpoch, until: until?.nanosecondsSinceEpoch,
      outcomes: parameters.onlyFailures ?? false ? Outcome.names(of: .failure) : nil,
      limit: min(parameters.limit ?? ControlLimits.historyDefault, StoreWireLimits.recordsMax))
    return (call, zone)
  }

  /// Returns the first and the last instant of a request; `nil` for no limit. Throws an error if it ends before it begins.
  private func period(
    of parameters: Control.History, in zone: Zone
  ) throws(ControlError) -> (since: WallInstant?, until: WallInstant?) {
    let now = now
    let instant = { (text: String) throws(ControlError) in try self.moment(text, at: now, in: zone).start }
    let (since, until) = (try parameters.since.map(instant), try parameters.until.map(instant))
    if let since, let until, until < since {
      let text = parameters.until ?? ""
      throw .badMoment(
        text: text,
        reason: "\"\(text)\" is before \"\(parameters.since ?? "")\": let the period end after it begins")
    }
    return (since, until)
  }
}
