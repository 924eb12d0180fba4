import ArgumentParser
import TimelineControl

/// `timelinectl backup`: a copy of the ledger that other programs can read.
struct BackupCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the ledger while the daemon uses it.",
    discussion: """
      The daemon keeps its ledger open and to itself. It makes a whole copy beside it, ledger.backup.sqlite, in place of a former \
      one, while jobs run. Back up that file, or read it with sqlite3; only root and the user that the daemon runs as may.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  func run() throws {
    let reply = try call(Control.Backup())
    try Output.print(output.json ? try jsonLine(reply) : "\(reply.path)\n")
  }
}
