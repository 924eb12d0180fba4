import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl explain`: the meaning of a rule, and the effects of daylight saving on it.
struct ExplainCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say in words what a rule or a job's schedule means.",
    discussion: """
      Shows the rule in its canonical form and every change of the clocks in the coming years at which it names times \
      that are skipped or come twice, with what its policy does about them.
      A job is one of the daemon that runs; where it does not answer, and with --config, one of the configuration file.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var argument: ScheduleArgument

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many years ahead, at most 292.", valueName: "count"))
  var years = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "From which moment on: \(Moment.forms). Without a zone it is meant in --zone, or the machine's. Default: now.",
      valueName: "moment"))
  var from: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...ScheduleExplanation.yearsMax).contains(years) else {
      throw ValidationError("--years \(years): expected a number from 1 to \(ScheduleExplanation.yearsMax)")
    }
  }

  func run() throws {
    CurrentProcess.printError(ShownZones.warning(about: argument.zone))
    let start = try from.map { try Words.instant($0, option: "--from", in: argument.shown().chosen) }
    let own = try argument.ofDaemon(daemon.completed(by: root.daemon)) { client, job in
      try client.call(Control.Explain(job: job, from: start, years: years))
    }
    if let reply = own.answer { return try show(reply, in: argument.shown().zone(named: reply.zone)) }
    let meaning = try argument.meaning(withoutDaemon: own.failure)
    CurrentProcess.printError(meaning.warnings)
    if meaning.job != nil, let note = own.note { CurrentProcess.printError(note) }
    let begin = start ?? SystemTime.now()
    try show(
      ExplainReply(
        job: argument.what, zone: meaning.zone,
        meaning.schedule, from: begin, years: years),
      in: meaning.zone)
  }

  private func show(_ reply: ExplainReply, in zone: Zone) throws {
    try Output.print(output.json ? jsonLine(Explanation(reply)) : text(reply, in: zone))
  }

  private func text(_ explanation: ExplainReply, in zone: Zone) -> String {
    var lines = [explanation.words]
    if let form = explanation.canonicalForm { lines.append("canonical form: \(form)") }
    let next = explanation.next.map { $0.instant.text(in: zone) }
    lines.append("next: \(next ?? explanation.withoutNext ?? "never again")")
    if let rule = explanation.daylightSaving { lines.append("daylight saving: \(rule)") }
    let span = years == 1 ? "in the coming year" : "in the coming \(years) years"
    if explanation.changes.isEmpty {
      lines.append("no change of the clocks touches it \(span)")
    } else {
      lines.append("changes of the clocks that touch it \(span):")
      for change in explanation.changes {
        lines.append("  \(change.instant.instant.text(in: zone))  \(change.kind): \(change.words)")
      }
    }
    return lines.map { $0.printable + "\n" }.joined()
  }

  /// The explanation of a job or of a rule, as JSON.
  private struct Explanation: Encodable {
    var words: String
    var canonicalForm: String?
    var daylightSaving: String?
    var next: Timestamp?
    var changes: [ExplainReply.Change]

    init(_ reply: ExplainReply) {
      words = reply.words
      canonicalForm = reply.canonicalForm
      daylightSaving = reply.daylightSaving
      next = reply.next
      changes = reply.changes
    }
  }
}
