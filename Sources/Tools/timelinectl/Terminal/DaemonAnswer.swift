import TimelineClient
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTerminal

/// The daemon's answer to a request of the view.
struct DaemonAnswer {
  let event: ViewEvent

  /// Queries the daemon about one of `jobs`. Answers that wait for the cluster's store come from `patient`.
  init(
    _ request: ViewRequest, from connection: DaemonConnection, patient: DaemonConnection, zones: ShownZones,
    jobs: [ViewJob]
  ) throws {
    func zone(of name: JobName) -> Zone {
      jobs.first { $0.name == name }?.zone ?? zones.zone(named: nil)
    }
    switch request {
    case .quit: event = .tick
    case .trigger(let job):
      let reply = try connection.attempt(Control.Trigger(job: job.text))
      event = .message(RunText.text(of: reply, job: job.text))
    case .pause(let job):
      let reply = try connection.attempt(Control.Pause(jobs: [job.text]))
      let texts = reply.jobs.map { PauseCommand.text(of: $0, in: zone(of: job)) }
      event = .message(texts.joined(separator: ", "))
    case .resume(let job):
      let reply = try connection.attempt(Control.Resume(job: job.text))
      event = .message(ResumeCommand.text(of: reply, in: zone(of: job)))
    case .cancel(let job, let runs):
      try connection.attempt { client in
        for run in runs { try client.askToStop(run: run) }
      }
      event = .message("\(job): run \(runs.map { "\($0)" }.joined(separator: ", ")) asked to stop")
    case .logs(let job):
      let reply = try connection.attempt(Control.Logs(job: job.text))
      event = .answer(title: "output of \(job)", lines: Self.lines(of: reply, zones))
    case .why(let job, let moment):
      let zone = zones.chosen?.name
      let reply = try connection.attempt(
        Control.Why(job: job.text, moment: "\(moment)", zone: zone))
      let explanation = patient.explanation(of: reply, in: zones.zone(named: reply.zone))
      event = .answer(title: "why", lines: Self.lines(of: explanation.reply))
    }
  }

  private static func lines(of reply: LogsReply, _ zones: ShownZones) -> [String] {
    let zone = zones.zone(named: reply.zone)
    let lines = reply.runs.flatMap { run in
      let number = run.entry.run.map { "run \($0)  " } ?? ""
      let title =
        "-- \(Words.text(run.entry.entry.instant, in: zone))  \(number)\(run.entry.outcome ?? "running")"
      return [title] + Self.lines(run.output)
    }
    return lines.isEmpty ? ["nothing is kept of this job's output"] : lines
  }

  private static func lines(of reply: WhyReply) -> [String] {
    let width = reply.details.map(\.name.count).max() ?? 0
    let details = reply.details.map { detail in
      detail.name + String(repeating: " ", count: width - detail.name.count) + "  " + detail.text.printable
    }
    return [reply.headline.printable, ""] + details
      + (reply.output.map { ["", "It wrote:"] + Self.lines($0) } ?? [])
  }

  private static func lines(_ output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: true).map(\.printable)
  }
}
