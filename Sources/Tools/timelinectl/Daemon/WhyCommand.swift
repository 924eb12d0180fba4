import ArgumentParser
import TimelineClient
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl why`: the events at a moment, and their reasons.
struct WhyCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say what happened at a moment of a job's timeline, and why.",
    discussion: """
      Without a time it is about the last entry that did not succeed, else the last one.
      A moment without a zone is meant in the job's, also where --zone shows another. A time without a day is the last one. 02:30 names a minute, so it finds \
      an entry within it.
      Exits 0 with an answer, whatever it is; 1 when there is no such job or the moment cannot be read; 69 when the daemon does \
      not answer.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: "The job.", completion: .jobs)
  var job: String

  @Argument(
    help: ArgumentHelp(
      "The moment: \(Moment.forms). Blanks need no quotes. Default: the last entry that did not succeed, else the last.",
      valueName: "time"))
  var moment: [String] = []

  func run() throws {
    let zones = try shown.shown()
    let zone = zones.chosen?.name
    let moment = moment.isEmpty ? try lastOfInterest() : moment.joined(separator: " ")
    let reply = try call(Control.Why(job: job, moment: moment, zone: zone))
    let story = daemon.completed(by: root.daemon).explanation(
      of: reply, in: zones.zone(named: reply.zone))
    try Output.print(output.json ? jsonLine(story.reply) : text(of: story.reply, outcome: story.outcome))
  }

  /// The last entry that ended without success, or else the last entry; the current time if there are no records.
  private func lastOfInterest() throws -> String {
    let last: Timestamp?
    if try isOfCluster(job) {
      let question = Control.History(job: job, limit: ControlLimits.clusterHistoryMax)
      let entries = try call(Control.ClusterHistory(question)).entries
      last = (entries.last { $0.outcome.map(Self.isUnsuccessful) ?? false } ?? entries.last)?.entry
    } else {
      let one = Control.History(job: job, limit: 1)
      last = try call { client in
        let failed = try HistorySearch(one, for: Self.unsuccessful).run { try client.call($0) }.entries.last
        let reply = try client.call(one)
        if reply.isCounted == true, !reply.entries.isEmpty, !output.json {
          CurrentProcess.printError(Words.countedElsewhere(job))
        }
        return (failed ?? reply.entries.last)?.entry
      }
    }
    return last.map { "\($0.instant)" } ?? "now"
  }

  private static let unsuccessful = Set(Outcome.allCases.map(\.rawValue)).subtracting(
    Outcome.names(of: .success))

  private static func isUnsuccessful(_ outcome: String) -> Bool { unsuccessful.contains(outcome) }

  private func text(of reply: WhyReply, outcome: String?) -> String {
    let word = outcome ?? reply.omission
    let headline = reply.headline.printable
    var text = headline + "\n\n"
    if let word, let range = headline.firstRange(of: ": \(word). ") {
      let (before, after) = (headline[..<range.lowerBound], headline[range.upperBound...])
      text = "\(before): \(Color(outcome: word)(word)). \(after)\n\n"
    }
    let width = reply.details.map(\.name.count).max() ?? 0
    for detail in reply.details {
      text +=
        "  \(detail.name)\(String(repeating: " ", count: width - detail.name.count))  \(detail.text.printable)\n"
    }
    guard let output = reply.output else { return text }
    text += "\nIt wrote:\n"
    for line in output.split(separator: "\n", omittingEmptySubsequences: false) {
      text += "  \(Color.faint("|")) \(line.printable)\n"
    }
    return text
  }
}
