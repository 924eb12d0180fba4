import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl status`: the state of the daemon.
struct StatusCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show how the daemon stands: what runs, what comes next, what failed last.",
    discussion: """
      With --exit-code it prints a verdict instead, and what to correct: a job that is overdue or failing, or that cannot run, a \
      ledger that cannot be written, a clock that is off. It exits 0 if there is no problem, 1 if there is one, and 69 if the daemon \
      cannot be reached.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Print whether something needs attention, and exit 1 if so.")
  var exitCode = false

  func run() throws {
    let zones = try shown.shown()
    if exitCode { return try judge(in: zones) }
    let status = try call(Control.Status())
    if output.json { return try Output.print(jsonLine(status)) }
    let isCalm = status.pausedCount == 0 && status.waitingCount == 0
    try Output.print(text(of: status, isCalm ? [] : try call(Control.List()).jobs, in: zones))
  }

  /// Maximum number of paused or waiting jobs that are named, so that the other rows stay visible.
  private static let namedMax = 5

  /// The rows about the daemon itself.
  private func daemonRows(of status: StatusReply, in zone: Zone) -> [(String, String)] {
    [
      ("timelined", "\(status.version), process \(status.pid)\(status.isDraining ? ", stopping" : "")"),
      ("configuration", status.configuration),
      ("clock", clock(of: status, in: zone)),
      ("mode", status.mode + (status.modeReason.map { $0 == "the default" ? "" : ": \($0)" } ?? "")),
      (
        "started",
        "\(Words.text(status.startedAt.instant, in: zone)), \(Words.length(age(of: status))) ago"
      ),
      (
        "jobs",
        "\(status.jobCount), \(status.runningCount) running"
          + (status.waitingCount == 0 ? "" : ", \(status.waitingCount) waiting")
          + (status.pausedCount == 0 ? "" : ", \(status.pausedCount) paused")
      ),
    ]
  }

  /// Nanoseconds since the daemon was started. In a rehearsal a leap of the clock counts, because the times beside
  /// the age include it.
  private func age(of status: StatusReply) -> Int64 {
    status.clock == "system"
      ? status.uptimeNanoseconds : (status.now.instant - status.startedAt.instant).nanoseconds
  }

  private func clock(of status: StatusReply, in zone: Zone) -> String {
    let shown = "it shows \(Words.text(status.now.instant, in: zone))"
    if status.clock != "system" {
      return "\(status.clock)\(status.isClockPaused ? ", paused" : ""), a rehearsal; \(shown)"
    }
    guard let offset = status.clockOffsetNanoseconds else { return "the system's" }
    return "the system's \(Words.offset(offset)) by --clock-offset-file; \(shown)"
  }

  /// The status in words. `jobs` has all jobs if a job is paused or waiting, and is empty otherwise.
  private func text(of status: StatusReply, _ jobs: [JobReport], in zones: ShownZones) -> String {
    let zone = zones.zone(named: status.zone)
    func jobZone(_ job: String) -> Zone { zones.zone(named: status.zones?[job] ?? status.zone) }
    let now = status.now.instant
    var rows = daemonRows(of: status, in: zone)
    rows += named(jobs, "waiting") { job in
      job.pausedSince == nil ? job.waiting.first.map { "\(job.name)\(Words.wait($0))" } : nil
    }
    rows += named(jobs, "paused") { job in
      job.pausedSince.map { since in
        let text = Words.text(since.instant, in: zones.zone(named: job.zone))
        return "\(job.name) since \(text)\(Words.origin(job.pausedBy, job.pauseReason))"
      }
    }
    if !status.groups.isEmpty {
      let groups = status.groups.map { group in
        "\(group.name) \(group.runningCount) of \(group.limit)"
          + (group.waitingCount == 0 ? "" : " (\(group.waitingCount) waiting)")
      }
      rows.append(("groups", groups.joined(separator: ", ")))
    }
    if let next = status.next {
      let entry = next.entry.instant
      rows.append(
        (
          "next",
          "\(next.job) at \(Words.text(entry, in: jobZone(next.job))), \(Words.toCome(entry, from: now))"
        ))
    } else {
      rows.append(("next", "none"))
    }
    rows.append(("entries", Words.counts(status.outcomes)))
    if let failure = status.lastFailure, let endedAt = failure.endedAt, let outcome = failure.outcome {
      rows.append(
        (
          "last failure",
          "\(failure.job) at \(Words.text(endedAt.instant, in: jobZone(failure.job))): \(outcome): \(failure.reason)"
        ))
    }
    if let cluster = status.cluster { rows.append(("cluster", cluster)) }
    if let left = status.leftToCron {
      rows.append(("left to cron", "\(left); `timelinectl takeover --dry-run` compares"))
    }
    rows += (status.importConflicts ?? []).map { ("runs twice", $0) }
    if let waits = clockWaits(of: status, in: jobZone) { rows.append(("clock set back", waits)) }
    if let fault = status.ledgerFault { rows.append(("ledger", "cannot be written: \(fault)")) }
    if let loss = status.ledgerLoss { rows.append(("ledger", loss)) }
    if let fault = status.controlFault { rows.append(("control socket", fault)) }
    if status.faultCount > 0 { rows += faults(status) }
    if let change = status.zoneChange { rows.append(("zones", text(of: change, in: zone, jobZone))) }
    return Words.lines(rows)
  }
}

extension StatusCommand {
  /// Rows called `title`: one for each of the first ``namedMax`` jobs with a text, and one with the number of other
  /// jobs with a text.
  private func named(
    _ jobs: [JobReport], _ title: String, _ text: (JobReport) -> String?
  ) -> [(String, String)] {
    let all = jobs.compactMap(text)
    let rows = all.prefix(Self.namedMax).map { (title, $0) }
    let rest = all.count - rows.count
    return rest > 0 ? rows + [(title, "and \(rest) more; `timelinectl list` shows all")] : rows
  }

  /// The jobs that wait because the clock was set back, and until when; `nil` if there are none.
  private func clockWaits(of status: StatusReply, in zone: (String) -> Zone) -> String? {
    guard status.clockWaitCount > 0 else { return nil }
    let waits = status.clockWaits.map { "\($0.job) until \(Words.text($0.entry.instant, in: zone($0.job)))" }
    let more = status.clockWaitCount - waits.count
    return waits.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
      + ": waiting for the clock to pass what was decided; `timelinectl release JOB` lets one go on"
  }

  /// A line for each of the first jobs with missing requirements.
  private func faults(_ status: StatusReply) -> [(String, String)] {
    let told = status.faults.prefix(5)
    let rows = told.map { fault in
      ("fault", "\(fault.job)\(fault.isSuspended ? " does not run" : ""): \(fault.message)")
    }
    let rest = status.faultCount - told.count
    return rest > 0 ? rows + [("fault", "\(rest) more jobs: see `timelinectl list`")] : rows
  }

  /// Text for people: `Europe/Berlin changed at 2026-11-21 19:00:00: report moves from ... to ...; 2 more jobs move`.
  private func text(of change: ZoneChangeReport, in zone: Zone, _ zoneOf: (String) -> Zone) -> String {
    let what =
      change.zones.isEmpty
      ? "the machine's zone is another" : "\(change.zones.joined(separator: ", ")) changed"
    let told = change.moves.prefix(3).map { move in
      let zone = zoneOf(move.job)
      return switch (move.before, move.after) {
      case (let before?, let after?):
        "\(move.job) moves from \(Words.text(before.instant, in: zone)) to \(Words.text(after.instant, in: zone))"
      case (let before?, nil): "\(move.job) loses \(Words.text(before.instant, in: zone))"
      case (nil, let after?): "\(move.job) gets \(Words.text(after.instant, in: zone))"
      case (nil, nil): "\(move.job) moves"
      }
    }
    let rest = change.movedCount - told.count
    let moves = told + (rest > 0 ? ["\(rest) more \(rest == 1 ? "job moves" : "jobs move")"] : [])
    return "\(what) at \(Words.text(change.at.instant, in: zone)): "
      + (moves.isEmpty ? "no entry moves" : moves.joined(separator: "; "))
  }
}
