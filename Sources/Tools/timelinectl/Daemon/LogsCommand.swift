import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl logs`: the output of a job.
struct LogsCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "logs",
    abstract: "Show what a job wrote in its last runs, the active one included.",
    discussion: """
      Of each run the last 40 lines are kept, 4 KiB at most. The journal has more (`journalctl TIMELINE_JOB=JOB`): all that \
      the configuration's log-level lets through. Of output that comes too fast the beginning and the last lines are kept; what \
      is between them is dropped and counted.
      With --follow further lines are shown as they are written; Ctrl-C ends it.
      Exits 1 when there is no such job, 69 when the daemon does not answer or ends.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("Of how many runs, at most 100.", valueName: "count"))
  var n = ControlLimits.logsDefault

  @Flag(name: .shortAndLong, help: "Go on with what is written from now on.")
  var follow = false

  @Argument(help: "The job.", completion: .jobs)
  var job: String

  func validate() throws {
    let bound = ControlLimits.logsMax
    guard (1...bound).contains(n) else {
      throw ValidationError("-n \(n): expected a number from 1 to \(bound)")
    }
  }

  func run() throws {
    let zones = try shown.shown()
    guard follow else {
      let reply = try call(Control.Logs(job: job, limit: n))
      if output.json { return try Output.print(reply.runs.map(jsonLine).joined()) }
      try Output.print(text(of: reply, in: zones))
      if reply.isCounted == true {
        CurrentProcess.printError(
          "\(Words.counted(job)), and what runs without one wrote is in the journal alone (`journalctl TIMELINE_JOB=\(job)`)\n"
        )
      } else if reply.runs.isEmpty {
        CurrentProcess.printError("\(job) has not run yet\n")
      }
      return
    }
    var run: UInt64?
    try callForGood { client throws(VarlinkClientError) in
      try client.stream(Control.Logs(job: job, limit: n)) { reply in
        if output.json {
          try Output.print(jsonLine(reply))
        } else if let line = reply.line {
          if let number = reply.run, number != run {
            try Output.print(Color.faint("-- run \(number)") + "\n")
          }
          run = reply.run ?? run
          try Output.print(line.printable + "\n")
        } else {
          try Output.print(text(of: reply, in: zones))
          run = reply.runs.last?.entry.run
        }
      }
    }
  }

  private func text(of reply: LogsReply, in zones: ShownZones) -> String {
    let zone = zones.zone(named: reply.zone)
    return reply.runs.map { run in
      let number = run.entry.run.map { "run \($0)  " } ?? ""
      let ended = run.entry.outcome ?? "running"
      let color = Color(outcome: run.entry.outcome)
      let title =
        Color.faint("-- \(Words.text(run.entry.entry.instant, in: zone))  \(number)") + color(ended)
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: true)
      return title + "\n" + lines.map { $0.printable + "\n" }.joined()
    }.joined()
  }
}
