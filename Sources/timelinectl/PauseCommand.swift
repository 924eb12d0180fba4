import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl pause`: nothing of a job is started any more.
struct PauseCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "pause",
    abstract: "Start no entry of jobs until they are resumed; runs in flight go on.",
    discussion: """
      A pause outlives the daemon and a reload. What falls due meanwhile is held, and decided by resume. A paused job can \
      still be triggered by hand.
      Exits 0 when the jobs are paused, also when they were before; 1 when there is no job of one of the names, and then none is \
      paused.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Argument(help: "The jobs.", completion: .jobs)
  var jobs: [String]

  func run() throws {
    let reply = try call { try $0.pause(jobs: jobs) }
    if output.json { return try Output.print(reply.jobs.map(jsonLine).joined()) }
    let zone = ZoneCatalog().machineZone
    try Output.print(
      reply.jobs.map { job in
        let since = Words.text(job.pausedSince.instant, in: zone)
        let runs = job.runningCount == 1 ? "; 1 run goes on" : "; \(job.runningCount) runs go on"
        return "\(job.job): \(job.wasPaused ? "was paused already, since \(since)" : "paused")"
          + (job.runningCount == 0 ? "" : runs) + "\n"
      }.joined())
  }
}
