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
    let zone = name.flatMap { jobs[$0]?.job.zone } ?? jobs.settings.zone
    let limit = parameters.limit ?? ControlLimits.historyDefault
    // One more entry than the reply may have shows whether there are earlier entries.
    var query = HistoryQuery(
      job: name, onlyFailures: parameters.onlyFailures ?? false, limit: limit + 1, hasDetails: false)
    if let text = parameters.job {
      let isKnown = name.map { jobs[$0] != nil || !writer.history(HistoryQuery(job: $0, limit: 1)).isEmpty }
      if isKnown != true { _ = try row(named: text) }
    }
    let now = now
    query.since = try parameters.since.map { text throws(ControlError) in
      try moment(text, at: now, in: zone).start
    }
    query.until = try parameters.until.map { text throws(ControlError) in
      try moment(text, at: now, in: zone).start
    }
    if let since = query.since, let until = query.until, until < since {
      let text = parameters.until ?? ""
      throw .badMoment(
        text: text,
        reason: "\"\(text)\" is before \"\(parameters.since ?? "")\": let the period end after it begins")
    }
    let entries = writer.history(query)
    return History(
      entries: entries.prefix(limit).reversed(), isCut: entries.count > limit,
      isCounted: name.flatMap(jobs.isCounted), zone: zone.name)
  }

  /// Returns the output of a job's last runs, oldest first, including active runs.
  func outputs(of job: JobName, limit: Int) -> [RunOutput] {
    let inFlight = runs.runs(of: job).values.filter { !$0.isWaiting }.sorted {
      $0.attempt.run < $1.attempt.run
    }
    // The ledger may also have active runs.
    let query = HistoryQuery(job: job, onlyRuns: true, limit: limit + inFlight.count)
    let past = writer.history(query).filter { !$0.isOpen }.prefix(limit)
    let outputs =
      past.reversed().map { RunOutput(entry: HistoryEntry($0), output: $0.outputTail) }
      + inFlight.map { RunOutput(entry: HistoryEntry($0), output: $0.output.text) }
    return outputs.suffix(limit)
  }

  /// Returns the query to the store for the requested entries of all nodes, and the zone of moments without an offset.
  func storeQuestion(
    _ parameters: Control.History, _ cluster: String
  ) throws(ControlError) -> (HistoryCall, Zone) {
    if let text = parameters.job { _ = try row(named: text) }
    let zone = parameters.job.flatMap(JobName.init).flatMap { jobs[$0]?.job.zone } ?? jobs.settings.zone
    let now = now
    let since = try parameters.since.map { text throws(ControlError) in
      try moment(text, at: now, in: zone).start
    }
    let until = try parameters.until.map { text throws(ControlError) in
      try moment(text, at: now, in: zone).start
    }
    let call = HistoryCall(
      cluster: cluster, job: parameters.job, since: since?.nanosecondsSinceEpoch,
      until: until?.nanosecondsSinceEpoch,
      outcomes: parameters.onlyFailures ?? false ? Outcome.names(of: .failure) : nil,
      limit: min(parameters.limit ?? ControlLimits.historyDefault, StoreWireLimits.recordsMax))
    return (call, zone)
  }
}
