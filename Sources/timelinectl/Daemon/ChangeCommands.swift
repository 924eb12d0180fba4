import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl trigger`: a manual run.
struct TriggerCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "trigger",
    abstract: "Run a job now, whatever its schedule says.",
    discussion: """
      Exits 1 when the run has failed already, or was not to be. With --wait it shows progress and exits 0 only if the run \
      succeeded.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Flag(help: "Wait for the end of the run.")
  var wait = false

  @Argument(help: "The job.", completion: .jobs)
  var job: String

  func run() throws {
    guard wait else {
      let reply = try call(Control.Trigger(job: job))
      try show(reply)
      if let end = reply.end, end.outcome != Outcome.succeeded.rawValue { throw ExitCode(1) }
      return
    }
    // The note is printed after a delay, so that it does not appear for a run that starts at once.
    var waitingNote: String?
    let last = try callAndWait(
      wait: { stream in
        if let note = waitingNote {
          if try stream.wait(toWrite: false, atMost: Self.noteDelay) { return }
          CurrentProcess.printError(note + "\n")
          waitingNote = nil
        }
        _ = try stream.wait(toWrite: false, atMost: nil)
      },
      { client in
        try client.stream(Control.Trigger(job: job)) { reply in
          waitingNote = nil
          if output.json { return try Output.print(jsonLine(reply)) }
          guard let text = progress(reply) else { return }
          if reply.run == 0 { waitingNote = text } else { CurrentProcess.printError(text + "\n") }
        }
      })
    if !output.json { try show(last) }
    if last.end?.outcome != Outcome.succeeded.rawValue { throw ExitCode(1) }
  }

  /// Time that a run must wait before the note is printed.
  private static let noteDelay = ElapsedTime.milliseconds(100)

  private func progress(_ reply: TriggerReply) -> String? {
    if reply.run == 0 && reply.end == nil { return "\(job): waits for its turn" }
    let share = reply.progressMillionths.map { "\($0 / 10_000) %" }
    let parts = [share, reply.progressText?.printable].compactMap { $0 }.filter { !$0.isEmpty }
    return parts.isEmpty ? nil : parts.joined(separator: "  ")
  }

  private func show(_ reply: TriggerReply) throws {
    try Output.print(output.json ? jsonLine(reply) : Self.text(of: reply, job: job) + "\n")
  }

  /// Text of a reply, without a line end.
  static func text(of reply: TriggerReply, job: String) -> String {
    if let end = reply.end {
      let took = end.durationNanoseconds.map { " after \(Words.length($0))" } ?? ""
      let reason = end.reason.isEmpty ? "" : ": \(end.reason.printable)"
      return "\(job): \(end.outcome ?? "ended")\(took)\(reason)"
    }
    return reply.run == 0 ? "\(job): waits for its turn" : "\(job): run \(reply.run) started"
  }
}

/// `timelinectl reload`: makes the daemon read its configuration again; called by `ExecReload=` of the unit.
struct ReloadCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Make the daemon read its configuration again.",
    discussion: """
      Returns when the new configuration is in force. Jobs that did not change keep running and keep their phase. A \
      configuration with any error changes nothing; then the errors are shown and the exit status is 1.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  func run() throws {
    let reply = try call(Control.Reload())
    if output.json {
      try Output.print(jsonLine(reply))
      return
    }
    let parts = [("added", reply.added), ("changed", reply.changed), ("removed", reply.removed)]
      .filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: ", "))" }
    try Output.print((parts + ["\(reply.unchangedCount) unchanged"]).joined(separator: "; ") + "\n")
    for warning in reply.warnings {
      CurrentProcess.printError("timelinectl: warning: \(warning.printable)\n")
    }
  }
}

/// `timelinectl stop`: stops the daemon in an orderly way.
struct StopCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "stop",
    abstract: "Make the daemon wait for its runs and end.",
    discussion: """
      Runs are waited for as long as `drain-timeout` says, and entries that wait are kept for the next start. To ask again changes \
      nothing; --now asks the runs to stop at once.
      Under systemd use `systemctl stop timelined`, or the daemon counts as having ended by itself, and the next question starts it again.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Flag(help: "Ask runs to stop at once.")
  var now = false

  func run() throws {
    let reply = try call(Control.Stop(now: now))
    let count = reply.runningCount
    let text = now ? "stopping now, \(count) asked to stop\n" : "stopping, \(count) to wait for\n"
    try Output.print(output.json ? jsonLine(reply) : text)
  }
}
