import ArgumentParser
import TimelineControl
import TimelineCore

/// `timelinectl rerun`: another run of a past entry.
struct RerunCommand: RunVerb {
  static let configuration = CommandConfiguration(
    commandName: "rerun",
    abstract: "Run a past entry of a job's schedule again.",
    discussion: """
      The rerun is an entry of its own. Its plugin gets the time of the repeated entry as its nominal time, another run key, and no \
      cursor. A moment without a zone is meant in the job's; 02:30 names a minute, so it finds the entry within it.
      Exits 1 when the entry cannot be repeated, and when the run has failed already, or was not to be. With --wait it shows progress \
      and exits 0 only if the run succeeded.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Flag(help: "Wait for the end of the run.")
  var wait = false

  @Argument(help: "The job.", completion: .jobs)
  var job: String

  @Argument(
    help: ArgumentHelp(
      "The moment of the entry: \(Moment.forms). Blanks need no quotes.", valueName: "time"))
  var moment: [String]

  func run() throws { try request(Control.Rerun(job: job, moment: moment.joined(separator: " "))) }
}
