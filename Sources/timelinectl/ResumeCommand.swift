import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl resume`: a paused job goes on.
struct ResumeCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a paused job go on.",
    discussion: """
      --catch-up says what becomes of the entries that fell due meanwhile: `latest` runs the last of them, `all` runs them one \
      after the other within the bound of missed entries, `skip` none. What is not run ends as `paused`. Without it the job's \
      own policy for missed entries counts.
      Exits 0 when the job is not paused any more, also when it was not before; 1 when there is no such job.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("latest, all or skip.", valueName: "choice"),
    completion: .choice(of: MissedPolicy.Choice.self))
  var catchUp: String?

  @Argument(help: "The job.", completion: .pausedJobs)
  var job: String

  func validate() throws { _ = try choice }

  private var choice: MissedPolicy.Choice? {
    get throws {
      guard let catchUp else { return nil }
      guard let choice = MissedPolicy.Choice(rawValue: catchUp) else {
        let words = MissedPolicy.Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--catch-up \(catchUp): expected one of \(words)")
      }
      return choice
    }
  }

  func run() throws {
    let choice = try choice
    let reply = try call { try $0.resume(job: job, catchUp: choice) }
    CurrentProcess.print(output.json ? try jsonLine(reply) : text(of: reply))
  }

  private func text(of reply: ResumeReply) -> String {
    guard let since = reply.pausedSince else { return "\(reply.job): was not paused\n" }
    let paused = "goes on; it was paused since \(Words.text(since.instant, in: ZoneCatalog().machineZone))"
    switch (reply.heldCount, reply.catchUp) {
    case (0, _): return "\(reply.job): \(paused)\n"
    case (let count, let catchUp):
      let entries = count == 1 ? "1 entry" : "\(count) entries"
      let meaning =
        switch MissedPolicy.Choice(rawValue: catchUp) {
        case .latest: count == 1 ? "it is run" : "the last is run"
        case .all: count == 1 ? "it is run" : "they are run in order, as its overlap policy lets them"
        case .skip, nil: count == 1 ? "it is not run" : "none is run"
        }
      return "\(reply.job): \(paused); \(entries) fell due: \(meaning) (\(catchUp))\n"
    }
  }
}
