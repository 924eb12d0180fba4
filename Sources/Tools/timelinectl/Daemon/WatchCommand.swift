import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineLoading
import TimelineSystem

/// `timelinectl watch`: events as they happen; on a terminal a full-screen view of past and future.
struct WatchCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Show starts, ends, progress, pauses, clock steps and reloads as they happen.",
    discussion: """
      On a terminal it is a full screen with past and future, unless a job is named: arrows select, Enter explains an entry, \
      t triggers, s pauses or resumes, c cancels, l shows logs, w asks why, ? shows all keys, q quits. The future is simulated from \
      the daemon's configuration file. With --lines, --json or a job, or if standard input or output is not a terminal, lines are \
      printed; Ctrl-C ends them.
      Jobs with more than one entry a second are shown entry by entry only when they are named. A watcher that does not keep \
      up is told how many lines it lost.
      Exits 1 when there is no such job, 69 when the daemon does not answer or ends.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Flag(help: "Print lines, also on a terminal.")
  var lines = false

  @Argument(help: "The job. Default: all.", completion: .jobs)
  var job: String?

  func run() throws {
    if CurrentProcess.isOnTerminal, !lines, !output.json, job == nil {
      return try DaemonView(daemon.completed(by: root.daemon), zones: try shown.shown()).run()
    }
    var lines = WatchLines(zones: try shown.shown())
    try callForGood { client throws(VarlinkClientError) in
      try client.stream(Control.Watch(job: job)) { reply in
        try Output.print(output.json ? jsonLine(reply) : lines.text(of: reply))
      }
    }
  }
}

/// A line for each event, under lines with the date.
struct WatchLines {
  private let zones: ShownZones
  private var date: CivilDate?
  private var jobWidth = 8

  init(zones: ShownZones) {
    self.zones = zones
  }

  /// The line of an event. If the date has changed, a line with the date comes first.
  mutating func text(of reply: WatchReply) -> String {
    let zone = zones.zone(named: reply.zone)
    let civil = zone.civil(at: reply.at.instant)
    var text = ""
    if civil.date != date {
      date = civil.date
      text = Color.faint("-- \(civil.date)") + "\n"
    }
    let job = reply.job ?? "-"
    jobWidth = max(jobWidth, job.count)
    let padding = String(repeating: " ", count: jobWidth - job.count)
    let (word, rest) = words(for: reply, in: zone)
    let kind = word + String(repeating: " ", count: max(0, 10 - word.count))
    let color: Color? = reply.end.map { Color(outcome: $0.outcome) }
    let line =
      "\(civil.time.millisecondText) \(zone.abbreviation(at: reply.at.instant))  \(job)\(padding)  \(color.map { $0(kind) } ?? kind)  \(rest)"
    return text + line.trimmingBlanks + "\n"
  }

  private func words(for reply: WatchReply, in zone: Zone) -> (word: String, rest: String) {
    switch WatchReply.Kind(rawValue: reply.kind) {
    case .watching:
      return ("watching", reply.job == nil ? "Ctrl-C ends it" : "this job alone; Ctrl-C ends it")
    case .started:
      let attempt = reply.attempt.map { $0 > 1 ? "  attempt \($0)" : "" } ?? ""
      return ("started", "run \(reply.run ?? 0)  \(cause(of: reply, in: zone))\(attempt)")
    case .waiting: return ("waiting", "run \(reply.run ?? 0)  \(reply.text?.printable ?? "")")
    case .progress:
      let parts = [reply.progressMillionths.map { "\($0 / 10_000) %" }, reply.text?.printable]
      return ("progress", "run \(reply.run ?? 0)  " + parts.compactMap { $0 }.joined(separator: "  "))
    case .ended: return (reply.end?.outcome ?? "ended", end(of: reply, in: zone))
    case .lost:
      return ("lost", "\(reply.count ?? 0) lines were not sent: they came faster than they were read")
    default: return (reply.kind, reply.text?.printable ?? "")
    }
  }

  private func cause(of reply: WatchReply, in zone: Zone) -> String {
    let entry = reply.entry.map { time($0.instant, beside: reply.at.instant, in: zone) } ?? ""
    switch reply.cause {
    case "trigger": return "manual"
    case "missed": return "catch-up for \(entry)"
    case "rerun", "backfill":
      let repeated = reply.of.map { " of \(time($0.instant, beside: reply.at.instant, in: zone))" }
      return (reply.cause ?? "") + (repeated ?? "")
    case "reaction": return "reaction"
    case "recovery": return "entry \(entry) again"
    default: return "entry \(entry)"
    }
  }

  private func end(of reply: WatchReply, in zone: Zone) -> String {
    guard let end = reply.end else { return "" }
    var parts = [reply.run.map { "run \($0)" }, cause(of: reply, in: zone)].compactMap { $0 }
    if end.entryCount > 1 { parts.append("for \(end.entryCount) entries") }
    if let late = end.latenessNanoseconds { parts.append("late \(Words.length(late))") }
    if let took = end.durationNanoseconds { parts.append("took \(Words.length(took))") }
    if end.attempts > 1 { parts.append("\(end.attempts) attempts") }
    return parts.joined(separator: "  ") + (end.reason.isEmpty ? "" : ": \(end.reason.printable)")
  }

  private func time(_ instant: WallInstant, beside other: WallInstant, in zone: Zone) -> String {
    let civil = zone.civil(at: instant)
    return (civil.date == zone.civil(at: other).date ? "" : "\(civil.date) ") + civil.time.shown
  }
}
