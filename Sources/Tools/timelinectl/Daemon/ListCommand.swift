import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl list`: every job of the running daemon.
struct ListCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Show every job: its schedule, its next entry and how its last one ended.")

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let zones = try shown.shown()
    let jobs = try call(Control.List()).jobs
    if output.json {
      try Output.print(jobs.map(jsonLine).joined())
      return
    }
    var table = TextTable([
      ("JOB", .left), ("NEXT", .left), ("LAST", .left), ("LATE", .right), ("TOOK", .right),
      ("ENTRIES", .left),
      ("PLUGIN", .left), ("SCHEDULE", .left),
    ])
    for job in jobs {
      let last = job.last
      table.add([
        job.name, next(of: job, in: zones.zone(named: job.zone)), last?.outcome ?? "-",
        Words.length(last?.latenessNanoseconds),
        Words.length(last?.durationNanoseconds),
        Words.counts(job.outcomes, none: last == nil ? "none yet" : "none since the start"), job.plugin,
        job.schedule,
      ])
    }
    try Output.print(table.text)
    for job in jobs {
      if let fault = job.fault { try Output.print("\(job.name): \(fault.printable)\n") }
    }
  }

  private func next(of job: JobReport, in zone: Zone) -> String {
    if !job.running.isEmpty {
      let runs = job.running.map { text(of: $0, in: zone) }.joined(separator: ", ")
      let waiting = job.waitingCount == 0 ? "" : ", \(job.waitingCount) waiting"
      return "running (\(runs))" + waiting + (job.pausedSince == nil ? "" : ", paused")
    }
    if job.isElsewhere { return elsewhere(job, in: zone) }
    if let since = job.pausedSince {
      return "paused since \(Words.text(since.instant, in: zone))"
        + Words.origin(job.pausedBy, job.pauseReason)
    }
    if let first = job.waiting.first {
      let count = job.waitingCount > 1 ? "\(job.waitingCount) " : ""
      return "\(count)waiting\(Words.wait(first))"
    }
    if job.waitingCount > 0 { return "waiting" }
    let remark = job.waitsForClock ? " (clock set back)" : job.leftToCron == nil ? "" : " (left to cron)"
    return job.next.map { Words.text($0.instant, in: zone) + remark }
      ?? (job.fault == nil ? "-" : "cannot run")
  }

  /// The next entry of a job that another node runs.
  private func elsewhere(_ job: JobReport, in zone: Zone) -> String {
    guard let node = job.node, !node.isEmpty else { return "on no node" }
    return (job.next.map { Words.text($0.instant, in: zone) + " " } ?? "") + "on \(node)"
  }

  /// `run 7`, with the entry that it repeats if it is a rerun, and with its progress if its plugin reports it.
  private func text(of run: RunReport, in zone: Zone) -> String {
    let repeated = run.of.map { ", \(run.cause ?? "rerun") of \(Words.text($0.instant, in: zone))" } ?? ""
    let share = run.progressMillionths.map { " \($0 / 10_000) %" } ?? ""
    return "run \(run.run)\(repeated)\(share)" + (run.progressText.map { " \($0)" } ?? "")
  }
}
