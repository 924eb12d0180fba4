import ArgumentParser
import TimelineCore
import TimelineSystem

/// `timelinectl explain`: what a rule means, and what daylight saving does to it.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say in words what a rule or a job's schedule means.",
    discussion: """
      Shows the rule in its canonical form and every change of the clocks in the coming years at which it names times \
      that are skipped or come twice, with what its policy does about them.
      """)

  @OptionGroup var argument: ScheduleArgument

  @Option(
    parsing: .unconditional, help: ArgumentHelp("How many years ahead, at most 292.", valueName: "count"))
  var years = 2

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("From which instant on (RFC 3339). Default: now.", valueName: "instant"))
  var from: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...ScheduleExplanation.yearsMax).contains(years) else {
      throw ValidationError("--years \(years): expected a number from 1 to \(ScheduleExplanation.yearsMax)")
    }
  }

  func run() throws {
    let meaning = try argument.meaning()
    CurrentProcess.printError(meaning.warnings)
    let start = try from.map { try Words.instant($0, option: "--from") } ?? SystemTime.now()
    let explanation = meaning.schedule.explanation(from: start, years: years)
    if output.json {
      try Output.print(jsonLine(Explanation(explanation, next: meaning.schedule.next(after: start))))
    } else {
      try Output.print(text(explanation, meaning, from: start))
    }
  }

  /// The words for a schedule without a further entry that can be told.
  private func withoutEntry(_ schedule: ScheduleRule) -> String {
    guard case .explicit(let dates) = schedule else { return "never again" }
    if dates.isStartOfMachine { return "at the next start of the machine" }
    return dates.instants.isEmpty ? "only when it is triggered" : "never again"
  }

  private func text(
    _ explanation: ScheduleExplanation, _ meaning: ScheduleArgument.Meaning, from start: WallInstant
  ) -> String {
    var lines = [explanation.words]
    if let form = explanation.canonicalForm { lines.append("canonical form: \(form)") }
    let next = meaning.schedule.next(after: start).map { $0.text(in: meaning.zone) }
    lines.append("next: \(next ?? withoutEntry(meaning.schedule))")
    if let rule = explanation.daylightSaving { lines.append("daylight saving: \(rule)") }
    let span = years == 1 ? "in the coming year" : "in the coming \(years) years"
    if explanation.changes.isEmpty {
      lines.append("no change of the clocks touches it \(span)")
    } else {
      lines.append("changes of the clocks that touch it \(span):")
      for change in explanation.changes {
        lines.append("  \(change.instant.text(in: meaning.zone))  \(change.kind.rawValue): \(change.words)")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// An explanation as JSON.
  private struct Explanation: Encodable {
    struct Change: Encodable {
      var instant: String
      var kind: String
      var times: Int
      var entries: [String]
      var words: String
    }

    var words: String
    var canonicalForm: String?
    var daylightSaving: String?
    var next: String?
    var changes: [Change]

    init(_ explanation: ScheduleExplanation, next: WallInstant?) {
      words = explanation.words
      canonicalForm = explanation.canonicalForm
      daylightSaving = explanation.daylightSaving
      self.next = next?.description
      changes = explanation.changes.map {
        Change(
          instant: $0.instant.description, kind: $0.kind.rawValue, times: $0.timeCount,
          entries: $0.entries.map(\.description), words: $0.words)
      }
    }
  }
}
