import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl cancel`: a run is to stop.
struct CancelCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Ask a run to stop, and wait until it has.",
    discussion: """
      A run that does not stop is killed after its job's grace, with all that it started. `list` and `history` show the numbers \
      of runs.
      Exits 0 when the run is over, however it ended; 1 when there is no such run in flight.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("The run's number.", valueName: "run"), completion: .runs)
  var number: UInt64

  func run() throws {
    let last = try callAndWait { client throws(VarlinkClientError) in
      try client.cancelAndWait(run: number) { reply in
        if output.json { try Output.print(jsonLine(reply)) }
        if !output.json, reply.end == nil {
          CurrentProcess.printError("run \(reply.run) of \(reply.job) is asked to stop\n")
        }
      }
    }
    guard !output.json, let end = last.end else { return }
    let took = end.durationNanoseconds.map { " after \(Words.length($0))" } ?? ""
    let reason = end.reason.isEmpty ? "" : ": \(end.reason.printable)"
    try Output.print("run \(last.run) of \(last.job): \(end.disposition)\(took)\(reason)\n")
  }
}
