package import TimelineControl
package import TimelineCore

/// Verdict on a daemon: well, or faults for an operator to correct. Computed from values of the control interface.
package struct Health: Codable, Sendable, Equatable {
  /// Whether there is no problem. There may be notices.
  package var isWell: Bool
  /// Problems first.
  package var findings: [HealthFinding]

  /// Findings of one kind that are named. A thousand jobs with the same missing file are one message.
  package static let namedMax = 20
  /// The largest clock offset of a node without a problem: half of the offset that its cluster allows.
  package static let clockOffsetMax = ElapsedTime.milliseconds(500)

  /// Makes the verdict from a daemon's replies.
  ///
  /// - Parameters:
  ///   - isClockSynchronized: Whether the machine's clock is synchronized; `nil` if unknown.
  ///   - time: Writes an instant for people.
  package init(
    _ status: StatusReply, _ metrics: MetricsReply, isClockSynchronized: Bool?,
    time: (WallInstant) -> String
  ) {
    let all =
      Self.ledger(status) + (status.controlFault.map { [HealthFinding(.control, $0)] } ?? [])
      + Self.cluster(metrics) + Self.clock(status, isClockSynchronized)
      + Self.faults(status) + Self.limited(Self.overdue(status, metrics, time))
      + Self.limited(Self.failing(metrics)) + Self.limited(Self.unowned(metrics))
      + Self.clockWaits(status, time)
      + (status.leftToCron.map { [HealthFinding(.cron, as: .notice, "left to it: \($0)")] } ?? [])
      + Self.limited((status.importConflicts ?? []).map { HealthFinding(.cron, as: .notice, $0) })
      + (status.isDraining ? [HealthFinding(.stopping, as: .notice, "stops, and waits for active runs")] : [])
    findings = all.filter { $0.severity == .problem } + all.filter { $0.severity == .notice }
    isWell = !all.contains { $0.severity == .problem }
  }

  /// A line for the verdict and one for each finding, for people.
  package var lines: [String] {
    let count = findings.count { $0.severity == .problem }
    let verdict = isWell ? "well" : count == 1 ? "1 problem" : "\(count) problems"
    return [verdict] + findings.map(\.text)
  }
}

// Findings.
extension Health {
  private static func ledger(_ status: StatusReply) -> [HealthFinding] {
    let fault = status.ledgerFault.map {
      "cannot be written: \($0): jobs run, and what is not written is kept in memory"
    }
    let loss = status.ledgerLoss.map { "\($0): look after the jobs, then restart timelined" }
    return [fault, loss].compactMap { $0.map { HealthFinding(.ledger, $0) } }
  }

  private static func cluster(_ metrics: MetricsReply) -> [HealthFinding] {
    guard let cluster = metrics.daemon.cluster else { return [] }
    var findings: [HealthFinding] = []
    if !cluster.isStoreUp {
      findings.append(HealthFinding(.cluster, "the store cannot be used: see `timelinectl cluster`"))
    }
    if !cluster.isMember {
      let reason = cluster.joinFault ?? "see `timelinectl cluster`"
      findings.append(HealthFinding(.cluster, "this node is not a member: \(reason)"))
    }
    if let offset = cluster.clockOffsetNanoseconds.map(ElapsedTime.init(nanoseconds:)),
      offset.nanoseconds.magnitude > clockOffsetMax.nanoseconds.magnitude
    {
      let length = ElapsedTime(nanoseconds: offset.nanoseconds == .min ? .max : abs(offset.nanoseconds))
      findings.append(
        HealthFinding(
          .clock,
          "\(length.approximateText) \(offset > .zero ? "ahead of" : "behind") the store of the cluster: set it right, with chrony or systemd-timesyncd"
        ))
    }
    return findings
  }

  /// Clock findings. A rehearsal has its own clock.
  private static func clock(_ status: StatusReply, _ isSynchronized: Bool?) -> [HealthFinding] {
    guard status.clock == "system", isSynchronized == false else { return [] }
    return [
      HealthFinding(
        .clock, as: .notice,
        "nothing keeps it right: install chrony or systemd-timesyncd, unless the machine has another way")
    ]
  }

  private static func faults(_ status: StatusReply) -> [HealthFinding] {
    let findings = status.faults.map { fault in
      fault.isSuspended
        ? HealthFinding(
          .suspended, job: fault.job, "does not run: \(fault.message): correct it, then `timelinectl reload`")
        : HealthFinding(.fault, as: .notice, job: fault.job, "will not run after a restart: \(fault.message)")
    }
    return limited(findings.filter { $0.severity == .problem })
      + limited(findings.filter { $0.severity == .notice })
  }

  private static func overdue(
    _ status: StatusReply, _ metrics: MetricsReply, _ time: (WallInstant) -> String
  ) -> [HealthFinding] {
    metrics.jobs.compactMap { job in
      job.overdueEntry.map { entry in
        let delay = (status.now.instant - entry.instant).approximateText
        return HealthFinding(
          .overdue, job: job.job,
          "the entry of \(time(entry.instant)) has been due for \(delay) and has not begun: see `timelinectl why \(job.job) \(entry.instant)`"
        )
      }
    }
  }

  private static func failing(_ metrics: MetricsReply) -> [HealthFinding] {
    metrics.jobs.filter { $0.consecutiveFailures > 0 && !$0.isElsewhere }.map { job in
      let times = job.consecutiveFailures
      return HealthFinding(
        .failing, job: job.job,
        (times == 1 ? "the last run failed" : "the last \(times) runs failed")
          + ": see `timelinectl logs \(job.job)`")
    }
  }

  private static func unowned(_ metrics: MetricsReply) -> [HealthFinding] {
    guard let cluster = metrics.daemon.cluster, cluster.isMember else { return [] }
    let own = metrics.jobs.filter { $0.isElsewhere && $0.node == "" }.map(\.job)
    return (own + (cluster.orphans ?? [])).map { job in
      HealthFinding(.unowned, job: job, "no node of the cluster runs it: see `timelinectl cluster`")
    }
  }

  private static func clockWaits(
    _ status: StatusReply, _ time: (WallInstant) -> String
  ) -> [HealthFinding] {
    let named = status.clockWaits.map { wait in
      HealthFinding(
        .clockWait, job: wait.job,
        "waits until \(time(wait.entry.instant)), because the clock was set back: `timelinectl release \(wait.job)` lets it go on"
      )
    }
    let rest = status.clockWaitCount - named.count
    return rest > 0 ? named + [HealthFinding(.clockWait, more(rest))] : named
  }

  /// Returns the first findings of a kind, and the number of the others.
  private static func limited(_ findings: [HealthFinding]) -> [HealthFinding] {
    guard findings.count > namedMax, let first = findings.first else { return findings }
    return findings.prefix(namedMax)
      + [HealthFinding(first.kind, as: first.severity, more(findings.count - namedMax))]
  }

  private static func more(_ count: Int) -> String {
    "\(count) more like the last one: `timelinectl list` shows all"
  }
}
