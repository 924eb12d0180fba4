import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl cancel`: asks runs to stop.
struct CancelCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "cancel",
    abstract: "Ask a run, or every active run of a job, to stop, and wait until it has.",
    discussion: """
      A run that does not stop is killed after its job's grace, with all that it started. `list` and `history` show the numbers \
      of runs.
      Exits 0 when the runs are over, however they ended; 1 when there is no such active run or job.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("The run's number, or the name of a job.", valueName: "run | job"),
    completion: .runsAndTheirJobs)
  var target: String

  func run() throws {
    if let number = UInt64(target) {
      let last = try callAndWait { client throws(VarlinkClientError) in
        try client.stream(Control.Cancel(run: number), each: report)
      }
      return try show(last)
    }
    guard JobName(target) != nil else {
      throw ValidationError("\(target): expected the number of a run or the name of a job")
    }
    let runs = try activeRuns()
    // All runs are asked to stop before any is awaited, so that a slow run does not delay the others.
    if runs.count > 1 { try call { client in for run in runs { try client.askToStop(run: run) } } }
    for run in runs {
      if let last = try callAndWait({ try $0.cancelIfActive(run: run, each: report) }) {
        try show(last)
      } else if !output.json {
        try Output.print("run \(run) of \(target): is over\n")
      }
    }
  }

  /// The numbers of the job's active and waiting runs.
  private func activeRuns() throws -> [UInt64] {
    let job = try call(Control.List()).jobs.first { $0.name == target }
    guard let job else {
      // The call throws an error of the daemon that suggests similar names.
      _ = try call(Control.Why(job: target, moment: "now"))
      return []
    }
    let runs = job.running.map(\.run) + job.waiting.compactMap(\.run)
    if runs.isEmpty {
      throw fail(
        "timelinectl: error: \(target): no active run: `timelinectl history \(target)` shows what ran")
    }
    return runs
  }

  private func report(_ reply: CancelReply) throws {
    if output.json { return try Output.print(jsonLine(reply)) }
    if reply.end == nil { CurrentProcess.printError("run \(reply.run) of \(reply.job) is asked to stop\n") }
  }

  private func show(_ last: CancelReply) throws {
    guard !output.json, let end = last.end else { return }
    let took = end.durationNanoseconds.map { " after \(Words.length($0))" } ?? ""
    let reason = end.reason.isEmpty ? "" : ": \(end.reason.printable)"
    try Output.print("run \(last.run) of \(last.job): \(end.outcome ?? "ended")\(took)\(reason)\n")
  }
}
