import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl trigger`: a manual run.
struct TriggerCommand: RunVerb {
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

  func run() throws { try request(Control.Trigger(job: job)) }
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
