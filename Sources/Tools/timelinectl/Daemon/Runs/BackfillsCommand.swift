import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl backfills`: progress of backfills.
struct BackfillsCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "backfills",
    abstract: "Show the backfills that are open, and the last one of each job that has ended.",
    discussion: """
      REST is how long the entries take that are still to be run, by the durations of the job's last runs.
      Exits 0 when the daemon answers, whatever it has; 1 when there is no such job; 69 when the daemon does not answer.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The job. Default: all.", completion: .jobs)
  var job: String?

  func run() throws {
    let zones = try shown.shown()
    let backfills = try call(Control.Backfills(job: job)).backfills
    if output.json { return try Output.print(backfills.map(jsonLine).joined()) }
    if backfills.isEmpty { return CurrentProcess.printError("no backfills\n") }
    try Output.print(table(of: backfills, in: zones))
  }

  private func table(of backfills: [BackfillReport], in zones: ShownZones) -> String {
    var table = TextTable([
      ("JOB", .left), ("STATE", .left), ("FROM", .left), ("UNTIL", .left), ("DONE", .right),
      ("FAILED", .right), ("REST", .right), ("REASON", .left),
    ])
    for backfill in backfills {
      let zone = zones.zone(named: backfill.zone)
      table.add(
        [
          backfill.job, backfill.state, Words.text(backfill.from.instant, in: zone),
          Words.text(backfill.until.instant, in: zone), BackfillText.done(of: backfill),
          "\(backfill.failedCount)", Words.length(backfill.estimateNanoseconds.map(Int64.init)),
          backfill.reason ?? "",
        ], colors: colors(of: backfill))
    }
    return table.text
  }

  private func colors(of backfill: BackfillReport) -> [Int: Color] {
    let state: Color =
      switch BackfillReport.State(rawValue: backfill.state) {
      case .planned, .running, nil: .cyan
      case .paused, .suspended, .cancelled: .yellow
      case .ended: backfill.failedCount == 0 ? .green : .red
      }
    return backfill.failedCount == 0 ? [1: state] : [1: state, 5: .red]
  }
}
