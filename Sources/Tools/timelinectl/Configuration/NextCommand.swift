import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl next`: the next entries of a job or of a rule.
struct NextCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "next",
    abstract: "Show the next entries of a job, or of a rule that is tried out.",
    discussion: """
      A job is one of the daemon that runs; where it does not answer, and with --config, one of the configuration file.
      An animation's entries depend on how long runs take; shown is what they would be if runs took no time.
      """
  )

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var argument: ScheduleArgument

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("How many entries, at most 10,000.", valueName: "count"))
  var n = 5

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "After which moment: \(Moment.forms). Without a zone it is meant in --zone, or the machine's. Default: now.",
      valueName: "moment"))
  var from: String?

  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard (1...10_000).contains(n) else {
      throw ValidationError("-n \(n): expected a number from 1 to 10000")
    }
  }

  func run() throws {
    CurrentProcess.printError(ShownZones.warning(about: argument.zone))
    let start = try from.map { try Words.instant($0, option: "--from", in: argument.shown().chosen) }
    let own = try argument.ofDaemon(daemon.completed(by: root.daemon)) { client, job in
      try client.call(Control.Next(job: job, from: start, limit: min(n, ControlLimits.nextMax)))
    }
    if let reply = own.answer {
      try show(try rest(of: reply))
      return try notePause(of: reply)
    }
    let meaning = try argument.meaning(withoutDaemon: own.failure)
    CurrentProcess.printError(meaning.warnings)
    if meaning.job != nil, let note = own.note { CurrentProcess.printError(note) }
    let now = SystemTime.now()
    var instant = start ?? now
    var entries: [WallInstant] = []
    while entries.count < n, let next = meaning.schedule.next(after: instant) {
      entries.append(next)
      instant = next
    }
    try show(
      "\(meaning.schedule)", entries, meaning.schedule.occasion, isOfJob: meaning.job != nil,
      in: meaning.zone,
      now: now)
  }

  /// Returns `reply` with the entries that are still missing, because one reply has at most ``ControlLimits/nextMax``
  /// entries.
  private func rest(of reply: NextReply) throws -> NextReply {
    var reply = reply
    while reply.entries.count < n, reply.entries.count % ControlLimits.nextMax == 0,
      let last = reply.entries.last
    {
      let more = try call(
        Control.Next(
          job: reply.job, from: last.instant, limit: min(n - reply.entries.count, ControlLimits.nextMax)))
      reply.withoutNext = more.withoutNext
      if more.entries.isEmpty { break }
      reply.entries += more.entries
    }
    return reply
  }

  /// Prints that the job is paused, if it is: its entries are held.
  private func notePause(of reply: NextReply) throws {
    guard let job = try call(Control.List()).jobs.first(where: { $0.name == reply.job }),
      let since = job.pausedSince
    else { return }
    let zone = try argument.shown().zone(named: reply.zone)
    CurrentProcess.printError(
      "timelinectl: note: \(reply.job): paused since \(Words.text(since.instant, in: zone))"
        + "\(Words.origin(job.pausedBy, job.pauseReason)): its entries are held until `timelinectl resume \(reply.job)`\n"
    )
  }

  private func show(_ reply: NextReply) throws {
    let zone = try argument.shown().zone(named: reply.zone)
    try show(
      reply.schedule, reply.entries.map(\.instant), reply.withoutNext, isOfJob: true, in: zone,
      now: reply.now.instant)
  }

  private func show(
    _ schedule: String, _ entries: [WallInstant], _ occasion: String?, isOfJob: Bool, in zone: Zone,
    now: WallInstant
  ) throws {
    var text = output.json ? "" : "\(schedule.printable)\n"
    for entry in entries { text += try line(entry, isOfJob: isOfJob, in: zone, now: now) }
    if entries.count < n, !output.json {
      text += occasion.map { "next: \($0.printable)\n" } ?? "no further entry\n"
    }
    try Output.print(text)
  }

  private func line(
    _ next: WallInstant, isOfJob: Bool, in zone: Zone, now: WallInstant
  ) throws -> String {
    if output.json {
      // The argument is encoded as JSON, because a rule may contain tabs. Its key comes first.
      let what = try jsonLine(argument.what).dropLast()
      return "{\"\(isOfJob ? "job" : "rule")\":\(what),\"entry\":\"\(next)\"}\n"
    }
    return "\(next.text(in: zone))  \(Words.distance(to: next, from: now))\n"
  }
}
