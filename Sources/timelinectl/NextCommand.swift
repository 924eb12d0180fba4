import ArgumentParser
import TimelineConfiguration
import TimelineCore
import TimelineSystem

/// `timelinectl next`: a job's next entries, from its schedule alone.
struct NextCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Show the next entries of a job.",
    discussion:
      "An animation's entries depend on how long runs take; shown is what they would be if runs took no time."
  )

  @OptionGroup var source: ConfigurationOptions

  @Option(name: .short, help: ArgumentHelp("How many entries, at most 10,000.", valueName: "count"))
  var n = 5

  @Option(help: ArgumentHelp("After which instant (RFC 3339). Default: now.", valueName: "instant"))
  var from: String?

  @OptionGroup var output: OutputOptions

  @Argument(help: "The job.")
  var job: String

  func validate() throws {
    guard (1...10_000).contains(n) else {
      throw ValidationError("-n \(n): expected a number from 1 to 10000")
    }
  }

  func run() throws {
    let configuration = try source.load()
    _ = try Words.jobs([job], among: configuration.jobs.map(\.definition))
    guard let name = JobName(job), let found = configuration.job(named: name) else { return }
    let now = SystemTime.now()
    var instant = try from.map { try Words.instant($0, option: "--from") } ?? now
    var text = output.json ? "" : "\(found.schedule)\n"
    for _ in 0..<n {
      guard let next = found.schedule.next(after: instant) else {
        if !output.json { text += "no further entry\n" }
        break
      }
      text += line(next, in: found.zone, now: now)
      instant = next
    }
    CurrentProcess.print(text)
  }

  private func line(_ next: WallInstant, in zone: Zone, now: WallInstant) -> String {
    if output.json { return "{\"job\":\"\(job)\",\"entry\":\"\(next)\"}\n" }
    let distance = next - now
    let relative =
      distance >= .zero ? "in \(distance.approximateText)" : "\((now - next).approximateText) ago"
    return "\(next.text(in: zone))  \(relative)\n"
  }
}
