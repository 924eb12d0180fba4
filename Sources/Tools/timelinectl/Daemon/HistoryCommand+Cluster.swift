import TimelineControl
import TimelineCore
import TimelineSystem

// Entries of all nodes of a cluster.
extension HistoryCommand {
  /// Prints the entries of all nodes.
  func showCluster(
    _ parameters: Control.History, _ outcomes: Set<String>?, in zones: ShownZones
  ) throws {
    var parameters = parameters
    parameters.limit = min(n, ControlLimits.clusterHistoryMax)
    var reply = try call(Control.ClusterHistory(parameters))
    if let outcomes {
      reply.entries.removeAll { entry in entry.outcome.map { !outcomes.contains($0) } ?? true }
    }
    if output.json { return try Output.print(reply.entries.map(jsonLine).joined()) }
    if reply.entries.isEmpty { return CurrentProcess.printError("no entries in the cluster's store\n") }
    try Output.print(table(of: reply, in: zones))
    if reply.isCut { CurrentProcess.printError("there are older ones; --until shows them\n") }
  }

  private func table(of reply: ClusterHistoryReply, in zones: ShownZones) -> String {
    var table = TextTable([
      ("ENTRY", .left), ("JOB", .left), ("ENDED", .left), ("NODE", .left), ("TOKEN", .right),
      ("LATE", .right), ("TOOK", .right), ("ATTEMPTS", .right), ("REASON", .left),
    ])
    for entry in reply.entries {
      let zone = zones.zone(named: reply.zones?[entry.job] ?? reply.zone)
      table.add(
        [
          Words.text(entry.entry.instant, in: zone), entry.job, entry.outcome ?? "claimed", entry.node ?? "-",
          entry.token.map { "\($0)" } ?? "-", Words.length(entry.latenessNanoseconds),
          Words.length(entry.durationNanoseconds),
          entry.attempts == 0 ? "-" : "\(entry.attempts)", remark(on: entry, in: zone),
        ], colors: [2: Color(outcome: entry.outcome)])
    }
    return table.text
  }

  private func remark(on entry: EntryReport, in zone: Zone) -> String {
    var parts: [String] = []
    if entry.cause != "schedule" { parts.append(entry.cause) }
    if let first = entry.firstEntry, entry.entryCount > 1 {
      parts.append("\(entry.entryCount) entries since \(Words.text(first.instant, in: zone))")
    }
    if !entry.reason.isEmpty { parts.append(entry.reason) }
    if let end = entry.leaseUntil, entry.outcome == nil {
      parts.append("its node's lease ends at \(Words.text(end.instant, in: zone))")
    }
    return parts.joined(separator: "; ")
  }
}

extension DaemonVerb {
  /// Whether the cluster's nodes share the job (`run-on = "one"`), so that its entries are in the cluster's store.
  func isOfCluster(_ job: String) throws -> Bool {
    try call(Control.List()).jobs.first { $0.name == job }?.node != nil
  }
}
