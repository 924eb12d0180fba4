import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl history`: the outcomes of entries.
struct HistoryCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Show what became of entries, newest last.",
    discussion: """
      A moment is \(Moment.forms), in quotes if it has several words; without a zone it is meant in the job's, or the daemon's when no job is named.
      Exits 0 when the ledger was asked, whatever it has; 1 when there is no such job or a moment cannot be read; \
      69 when the daemon does not answer.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("From this moment on.", valueName: "time"))
  var since: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Before this moment.", valueName: "time"))
  var until: String?

  @Flag(help: "Only what failed, timed out, was lost or is unknown.")
  var failed = false

  @Flag(help: "Only what was missed.")
  var missed = false

  @Option(
    help: ArgumentHelp(
      "Only these outcomes, separated by commas, such as missed,overlapped.", valueName: "outcomes"),
    completion: .choice(of: Outcome.self))
  var outcome: String?

  @Option(
    name: .short, parsing: .unconditional,
    help: ArgumentHelp("How many of the last entries, at most 1,000.", valueName: "count"))
  var n = ControlLimits.historyDefault

  @Flag(
    help:
      "In a cluster, only what this node's ledger has. Default: what all nodes did, for the cluster's jobs.")
  var local = false

  @Argument(help: "The job. Default: all.", completion: .jobs)
  var job: String?

  func validate() throws {
    _ = try outcomes
    let bound = ControlLimits.historyMax
    guard (1...bound).contains(n) else {
      throw ValidationError(
        "-n \(n): expected a number from 1 to \(bound); --since and --until narrow the search")
    }
    // `--since 2m ago` is parsed as the moment `2m` and a job called `ago`. A moment of several words without quotes
    // is an error.
    for (option, words) in [("--since", since), ("--until", until)] {
      guard let words, let job, JobName(job) == nil || !Self.isMoment(words),
        Self.isMoment("\(words) \(job)")
      else { continue }
      throw ValidationError("a moment of several words stands in quotes: \(option) \"\(words) \(job)\"")
    }
  }

  private static func isMoment(_ text: String) -> Bool {
    (try? Moment(parsing: text, now: SystemTime.now(), in: .utc)) != nil
  }

  /// Requested outcomes; `nil` for all.
  private var outcomes: Set<String>? {
    get throws {
      var wanted: Set<String> = missed ? [Outcome.missed.rawValue] : []
      for word in (outcome ?? "").split(separator: ",", omittingEmptySubsequences: outcome == nil) {
        guard Outcome(rawValue: String(word)) != nil else {
          let words = Outcome.allCases.map(\.rawValue)
          throw ValidationError(
            "--outcome \(word): expected some of \(words.joined(separator: ", "))"
              + Words.suggestion(for: String(word), among: words))
        }
        wanted.insert(String(word))
      }
      if wanted.isEmpty { return nil }
      return failed ? wanted.union(HistorySearch.failures) : wanted
    }
  }

  func run() throws {
    let zones = try shown.shown()
    let parameters = Control.History(
      job: job, since: since, until: until, onlyFailures: failed, limit: n)
    let outcomes = try outcomes
    if !local, let job, try isOfCluster(job) { return try showCluster(parameters, outcomes, in: zones) }
    let reply = try call { client in
      guard let outcomes else { return try client.call(parameters) }
      return try HistorySearch(parameters, for: outcomes).run { try client.call($0) }
    }
    if output.json {
      try Output.print(reply.entries.map(jsonLine).joined())
      return
    }
    let counted = reply.isCounted == true ? job.map(Words.countedElsewhere) : nil
    if reply.entries.isEmpty, let counted { return CurrentProcess.printError(counted) }
    if reply.entries.isEmpty {
      CurrentProcess.printError(
        "no entries\(failed && !missed && outcome == nil ? " that failed" : missed || outcome != nil ? " that ended so" : "")\(since ?? until == nil ? " yet" : " then")\n"
      )
      return
    }
    try Output.print(table(of: reply, in: zones))
    if reply.isCut {
      let bound = ControlLimits.historyMax
      let more = n < bound ? "-n \(min(n * 4, bound)) or --until shows" : "--until shows"
      CurrentProcess.printError("there are older ones; \(more) more\n")
    }
    CurrentProcess.printError(counted ?? "")
  }

  private func table(of reply: HistoryReply, in zones: ShownZones) -> String {
    // A run has a processor time only if plugin hosts have control groups.
    let showsProcessorTime = reply.entries.contains { $0.processorTimeNanoseconds != nil }
    let showsMemory = reply.entries.contains { $0.usage.memoryPeak != nil }
    var table = TextTable(
      [("ENTRY", .left), ("JOB", .left), ("ENDED", .left), ("LATE", .right), ("TOOK", .right)]
        + (showsProcessorTime ? [("CPU", .right)] : []) + (showsMemory ? [("MEMORY", .right)] : [])
        + [("ATTEMPTS", .right), ("RUN", .right), ("REASON", .left)])
    for entry in reply.entries {
      let zone = zones.zone(named: reply.zones?[entry.job] ?? reply.zone)
      table.add(
        [
          Words.text(entry.entry.instant, in: zone), entry.job, entry.outcome ?? "running",
          Words.length(entry.latenessNanoseconds), Words.length(entry.durationNanoseconds),
        ] + (showsProcessorTime ? [Words.length(entry.processorTimeNanoseconds)] : [])
          + (showsMemory ? [entry.usage.memoryPeak?.text ?? "-"] : []) + [
            entry.attempts == 0 ? "-" : "\(entry.attempts)", entry.run.map { "\($0)" } ?? "-",
            remark(on: entry, in: zone),
          ], colors: [2: Color(outcome: entry.outcome)])
    }
    return table.text
  }

  /// Remarks on an entry: the cause unless it is the schedule, the number of entries if the record has several, the
  /// reason for the outcome, and the user who canceled the run.
  private func remark(on entry: EntryReport, in zone: Zone) -> String {
    var parts: [String] = []
    switch entry.cause {
    case "schedule": break
    case "trigger": parts.append(entry.by.map { "triggered by \(Words.name(of: $0))" } ?? "manual")
    case "rerun", "backfill":
      parts.append(entry.cause + (entry.of.map { " of \(Words.text($0.instant, in: zone))" } ?? ""))
      if let by = entry.by { parts.append("requested by \(Words.name(of: by))") }
    case "missed" where entry.run == nil: break
    case "missed": parts.append("catch-up")
    default: parts.append(entry.cause)
    }
    if let first = entry.firstEntry, entry.entryCount > 1 {
      parts.append("\(entry.entryCount) entries since \(Words.text(first.instant, in: zone))")
    }
    if !entry.reason.isEmpty { parts.append(entry.reason) }
    if let by = entry.cancelledBy { parts.append("cancelled by \(Words.name(of: by))") }
    return parts.joined(separator: "; ")
  }
}
