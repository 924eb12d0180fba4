import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl resume`: resumes paused jobs.
struct ResumeCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Let a paused job, or all of them, go on.",
    discussion: """
      --catch-up says what becomes of the entries that fell due meanwhile: `latest` runs the last of them, `all` runs them one \
      after the other, of more than 100 the last 100, `skip` none. Without it the job's own policy for missed entries counts. \
      Either way what is later than the `window` of that policy allows is not run. What is not run ends as `paused`.
      Exits 0 when the job is not paused any more, also when it was not before; 1 when there is no such job.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp("latest, all or skip.", valueName: "choice"),
    completion: .choice(of: MissedPolicy.Choice.self))
  var catchUp: String?

  @Flag(help: "Every job that is paused.")
  var all = false

  @Argument(help: "The job.", completion: .pausedJobs)
  var job: String?

  func validate() throws {
    _ = try choice
    if all == (job != nil) { throw ValidationError("expected a job or --all, and not both") }
  }

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
    let zones = try shown.shown()
    let jobs = try call(Control.List()).jobs.filter { job == nil ? $0.pausedSince != nil : $0.name == job }
    let replies = try call { client in
      // For an unknown name the daemon's error suggests a similar name.
      try (job.map { [$0] } ?? jobs.map(\.name)).map {
        try client.call(Control.Resume(job: $0, catchUp: choice))
      }
    }
    if replies.isEmpty, !output.json { CurrentProcess.printError("no job is paused\n") }
    let own = Dictionary(jobs.map { ($0.name, $0.zone) }, uniquingKeysWith: { $1 })
    try Output.print(
      replies.map { reply in
        try output.json
          ? jsonLine(reply) : Self.text(of: reply, in: zones.zone(named: own[reply.job] ?? nil)) + "\n"
      }.joined())
  }

  /// The end of a pause in words, with its begin in `zone`.
  static func text(of reply: ResumeReply, in zone: Zone) -> String {
    guard let since = reply.pausedSince else { return "\(reply.job): was not paused" }
    let paused = "resumed; it was paused since \(Words.text(since.instant, in: zone))"
    guard reply.heldCount > 0 else { return "\(reply.job): \(paused)" }
    let entries = reply.heldCount == 1 ? "1 entry" : "\(reply.heldCount) entries"
    return "\(reply.job): \(paused); \(entries) fell due: \(meaning(of: reply)) (\(reply.catchUp))"
  }

  /// The treatment of the held entries in words. At least one entry is held.
  private static func meaning(of reply: ResumeReply) -> String {
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
