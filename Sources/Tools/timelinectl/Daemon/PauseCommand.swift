import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl pause`: starts no more runs of jobs until they are resumed.
struct PauseCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Start no entry of jobs until they are resumed; active runs go on.",
    discussion: """
      A pause outlives the daemon and a reload. What falls due meanwhile is held, and decided by resume. A paused job can \
      still be triggered manually.
      Exits 0 when the jobs are paused, also when they were before; 1 when there is no job of one of the names, and then none is \
      paused.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Why, at most \(ControlLimits.reasonBytesMax) bytes; shown by list, status and why.", valueName: "text")
  )
  var reason: String?

  @Argument(help: "The jobs.", completion: .jobs)
  var jobs: [String]

  func validate() throws {
    guard (reason ?? "").utf8.count <= ControlLimits.reasonBytesMax else {
      throw ValidationError("--reason: expected at most \(ControlLimits.reasonBytesMax) bytes")
    }
  }

  func run() throws {
    let zones = try shown.shown()
    let reply = try call(Control.Pause(jobs: jobs, reason: reason))
    if output.json { return try Output.print(reply.jobs.map(jsonLine).joined()) }
    let list = reply.jobs.contains(where: \.wasPaused) ? try call(Control.List()) : nil
    try Output.print(
      reply.jobs.map { Self.text(of: $0, in: zones.zone(named: list?.zone(of: $0.job))) + "\n" }.joined())
  }

  /// The pause of a job in words. For a job that was already paused, the text has the begin of the pause in `zone`.
  static func text(of job: PausedJob, in zone: Zone) -> String {
    let since = Words.text(job.pausedSince.instant, in: zone)
    let runs = job.runningCount == 1 ? "; 1 run goes on" : "; \(job.runningCount) runs go on"
    return
      "\(job.job): \(job.wasPaused ? "was paused already, since \(since)\(Words.origin(job.by, job.reason))" : "paused")"
      + (job.runningCount == 0 ? "" : runs)
  }
}
