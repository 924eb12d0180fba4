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
      after the other, of more than 100 the last 100, `skip` none. Without it the job's own policy for missed entries counts. \
      Either way what is later than the `window` of that policy allows is not run. What is not run ends as `paused`.
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
    try Output.print(output.json ? jsonLine(reply) : text(of: reply))
  }

  private func text(of reply: ResumeReply) -> String {
    guard let since = reply.pausedSince else { return "\(reply.job): was not paused\n" }
    let paused = "goes on; it was paused since \(Words.text(since.instant, in: ZoneCatalog().machineZone))"
    guard reply.heldCount > 0 else { return "\(reply.job): \(paused)\n" }
    let entries = reply.heldCount == 1 ? "1 entry" : "\(reply.heldCount) entries"
    return "\(reply.job): \(paused); \(entries) fell due: \(meaning(of: reply)) (\(reply.catchUp))\n"
  }

  /// What becomes of the entries that were held, of which there are some.
  private func meaning(of reply: ResumeReply) -> String {
    let isOne = reply.heldCount == 1
    let whyNot = "`timelinectl history \(reply.job)` says why"
    let all = "in order, as its overlap policy lets them"
    return switch (MissedPolicy.Choice(rawValue: reply.catchUp), reply.takenCount) {
    case (.skip, _), (nil, _): isOne ? "it is not run" : "none is run"
    case (_, 0): isOne ? "it is not run, \(whyNot)" : "none is run, \(whyNot)"
    case _ where isOne: "it is run"
    case (.latest, _): "the last is run"
    case (.all, reply.heldCount): "they are run \(all)"
    case (.all, let count):
      "\(count) of them \(count == 1 ? "is" : "are") run \(all); \(whyNot) the others are not"
    }
  }
}
