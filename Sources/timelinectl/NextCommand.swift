import ArgumentParser
import TimelineCore
import TimelineSystem

/// `timelinectl next`: the next entries of a job or of a rule.
struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Show the next entries of a job, or of a rule that is tried out.",
    discussion:
      "An animation's entries depend on how long runs take; shown is what they would be if runs took no time."
  )

  @OptionGroup var argument: ScheduleArgument

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("How many entries, at most 10,000.", valueName: "count"))
  var n = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("After which instant (RFC 3339). Default: now.", valueName: "instant"))
  var from: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...10_000).contains(n) else {
      throw ValidationError("-n \(n): expected a number from 1 to 10000")
    }
  }

  func run() throws {
    let meaning = try argument.meaning()
    CurrentProcess.printError(meaning.warnings)
    let now = SystemTime.now()
    var instant = try from.map { try Words.instant($0, option: "--from") } ?? now
    var text = output.json ? "" : "\(meaning.schedule)\n"
    for _ in 0..<n {
      guard let next = meaning.schedule.next(after: instant) else {
        if !output.json { text += "no further entry\n" }
        break
      }
      text += try line(next, of: meaning, now: now)
      instant = next
    }
    try Output.print(text)
  }

  private func line(
    _ next: WallInstant, of meaning: ScheduleArgument.Meaning, now: WallInstant
  ) throws -> String {
    if output.json {
      // What was asked for stands first; between the fields of a rule there may be tabs.
      let what = try jsonLine(argument.what).dropLast()
      return "{\"\(meaning.job == nil ? "rule" : "job")\":\(what),\"entry\":\"\(next)\"}\n"
    }
    return "\(next.text(in: meaning.zone))  \(Words.distance(to: next, from: now))\n"
  }
}
