import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl why`: what happened at a moment, and why.
struct WhyCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say what happened at a moment of a job's timeline, and why.",
    discussion: """
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

  @Argument(help: ArgumentHelp("The moment: \(Moment.forms). Blanks need no quotes.", valueName: "time"))
  var moment: [String]

  func run() throws {
    let zone = try shown.shown().chosen?.name
    var reply = try call { try $0.why(job: job, moment: moment.joined(separator: " "), zone: zone) }
    if reply.node != nil, let entry = reply.entry?.instant {
      reply.details += clusterDetails(of: entry)
    }
    try Output.print(output.json ? jsonLine(reply) : text(of: reply))
  }

  /// Returns a line for each node of which the cluster's store has something about an entry.
  private func clusterDetails(of entry: WallInstant) -> [WhyReply.Detail] {
    let parameters = HistoryParameters(
      job: job, since: "\(entry)", until: "\(entry + .nanoseconds(1))", limit: ControlLimits.clusterHistoryMax
    )
    let reply: ClusterHistoryReply
    do {
      reply = try daemon.completed(by: root.daemon).attempt { try $0.clusterHistory(parameters) }
    } catch {
      return [WhyReply.Detail("store", (error as? CallFailure)?.message ?? "\(error)")]
    }
    if reply.entries.isEmpty { return [WhyReply.Detail("store", "has nothing of the entry")] }
    return reply.entries.map { found in
      let token = found.token.map { ", token \($0)" } ?? ""
      let state =
        found.outcome.map { "\($0)\(found.reason.isEmpty ? "" : ": \(found.reason)")" }
        ?? "claimed, without an outcome"
      return WhyReply.Detail("store", "node \(found.node)\(token): \(state)")
    }
  }

  private func text(of reply: WhyReply) -> String {
    let word = reply.record?.outcome ?? reply.omission
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
