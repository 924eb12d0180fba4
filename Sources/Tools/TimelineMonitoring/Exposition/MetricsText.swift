package import TimelineControl
import TimelineCore

/// The state of a daemon as text for Prometheus and similar monitors.
///
/// Labels are names of jobs, and words from short fixed lists. Reasons and commands are excluded, because each new
/// text would be a new series for the monitor.
package struct MetricsText {
  let reply: MetricsReply
  var exposition: Exposition

  /// Returns the text of a daemon's reply.
  package static func text(of reply: MetricsReply, as format: ExpositionFormat) -> String {
    var text = MetricsText(reply: reply, exposition: Exposition(format))
    text.addDaemon()
    text.addLedger()
    if let cluster = reply.daemon.cluster { text.addCluster(cluster) }
    text.addEntries()
    text.addBackfills()
    text.addDurations()
    text.addStates()
    text.exposition.end()
    return text.exposition.text
  }

  private mutating func addDaemon() {
    let daemon = reply.daemon
    exposition.begin("build_info", .gauge, "Version of the daemon; the value is always 1.")
    exposition.add(1, [("version", daemon.version)])
    exposition.begin("start_time_seconds", .gauge, "Start of the daemon, in seconds since the epoch.")
    exposition.add(daemon.startedAt.seconds)
    exposition.begin("mode", .gauge, "1 for the mode that the daemon is in.")
    for mode in ["normal", "low-frequency"] { exposition.add(daemon.mode == mode, [("mode", mode)]) }
    exposition.begin("draining", .gauge, "1 while the daemon stops and waits for active runs.")
    exposition.add(daemon.isDraining)
    exposition.begin("jobs", .gauge, "Jobs that are configured and enabled.")
    exposition.add(daemon.jobCount)
    exposition.begin("clock_steps", .counter, "Times that the clock was set, or the machine resumed.")
    exposition.add(daemon.clockStepCount)
    exposition.begin("config_reloads", .counter, "Reloads of the configuration.")
    for (result, count) in daemon.reloads.sorted(by: <) { exposition.add(count, [("result", result)]) }
    exposition.begin("plugin_hosts", .gauge, "Processes that run plugins.")
    for (state, count) in daemon.pluginHosts.sorted(by: <) { exposition.add(count, [("state", state)]) }
  }

  private mutating func addLedger() {
    exposition.begin("ledger_writable", .gauge, "1 while the ledger can be written.")
    exposition.add(reply.daemon.isLedgerWritable)
    exposition.begin(
      "ledger_unwritten_entries", .gauge, "Outcomes that are in memory and not in the ledger yet.")
    exposition.add(reply.daemon.unwrittenEntryCount)
    exposition.begin(
      "ledger_commit_duration_seconds", .histogram, "Durations of transactions of the ledger.")
    add(reply.daemon.commits)
  }

  private mutating func addCluster(_ cluster: ClusterMetrics) {
    exposition.begin("node_member", .gauge, "1 while this node is a member of its cluster.")
    exposition.add(cluster.isMember)
    exposition.begin(
      "node_lease_remaining_seconds", .gauge,
      "Time for which this node may start runs without another renewal.")
    exposition.add(Seconds.text(cluster.trustNanoseconds ?? 0))
    exposition.begin("store_up", .gauge, "1 while the store of the cluster can be used.")
    exposition.add(cluster.isStoreUp)
    if let offset = cluster.clockOffsetNanoseconds {
      exposition.begin("clock_offset_seconds", .gauge, "Clock of this node minus that of the store.")
      exposition.add(Seconds.text(offset))
    }
    exposition.begin("claims", .counter, "Claims of entries that the store has answered.")
    exposition.add(cluster.counters["claimsGranted"] ?? 0, [("result", "granted")])
    exposition.add(cluster.counters["claimsDenied"] ?? 0, [("result", "denied")])
    exposition.begin("takeovers", .counter, "Jobs that this node became the owner of.")
    exposition.add(cluster.counters["takeovers"] ?? 0)
    exposition.begin("splits", .counter, "Entries that two nodes were granted.")
    exposition.add(cluster.counters["splits"] ?? 0)
  }

  /// Adds a histogram, also without durations, because a counter that begins at 0 shows its first increase.
  mutating func add(_ histogram: DurationHistogram, job: String? = nil) {
    let bounds = reply.bucketBounds
    // A histogram whose buckets do not match the daemon's bounds is omitted.
    guard histogram.counts.isEmpty || histogram.counts.count == bounds.count + 1 else { return }
    let own: Exposition.Labels = job.map { [("job", $0)] } ?? []
    var count = 0
    for index in 0...bounds.count {
      count += histogram.counts.isEmpty ? 0 : histogram.counts[index]
      let bound = index < bounds.count ? Seconds.bound(bounds[index]) : "+Inf"
      exposition.add("\(count)", own + [("le", bound)], suffix: "_bucket")
    }
    exposition.add(Seconds.text(histogram.sumNanoseconds), own, suffix: "_sum")
    exposition.add("\(count)", own, suffix: "_count")
  }
}

extension Timestamp {
  /// The instant in seconds since the epoch.
  var seconds: String { Seconds.text(instant.nanosecondsSinceEpoch) }
}
