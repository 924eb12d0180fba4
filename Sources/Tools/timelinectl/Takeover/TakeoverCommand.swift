import ArgumentParser
import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineImport
import TimelineLoading
import TimelineSystem

/// `timelinectl takeover`: moves the jobs of crontabs from cron to timelined, after a comparison.
struct TakeoverCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "takeover",
    abstract: "Compare what cron ran with what timelined would have run, and take the jobs over.",
    discussion: """
      The jobs are those of `[include] crontabs`, which are left to cron while it is active. With --dry-run compares and changes \
      nothing. Without it compares, and if at least --after was compared and nothing differs, stops, disables and masks the units \
      of systemd that run crontabs, as root. --undo gives the jobs back.
      Exits 0 when nothing differs, or the jobs are taken over or given back; 1 otherwise; 69 when the daemon does not answer.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var output: OutputOptions

  @Flag(help: "Compare, and change nothing.")
  var dryRun = false

  @Flag(help: "Give the jobs back: start again what a takeover has stopped.")
  var undo = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Compare from this moment on. Default: a week ago, or --after where that is longer.", valueName: "time")
  )
  var since: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Length of time that must have been compared; a week is recommended. Default: 1d.",
      valueName: "duration"),
    transform: { try Words.length($0) })
  var after: ElapsedTime?

  @Flag(help: "Take the jobs over although something differs, or too little was compared.")
  var acceptDifferences = false

  @Option(
    help: ArgumentHelp(
      "Read cron's journal from this file, as `journalctl -o json` writes it; \"-\" reads standard input.",
      valueName: "file"), completion: .file())
  var journal: String?

  /// Default of `--after`, a night and a day: on most machines every regular job has then run once.
  private static let afterDefault = ElapsedTime.days(1)

  func validate() throws {
    if undo, dryRun || acceptDifferences || after != nil || journal != nil {
      throw ValidationError("--undo: give it alone: it gives the jobs back and compares nothing")
    }
    if dryRun, acceptDifferences || after != nil {
      throw ValidationError("--dry-run: leave --after and --accept-differences out: it takes nothing over")
    }
    _ = try start(at: SystemTime.now())
  }

  func run() throws {
    if !dryRun, CurrentProcess.effectiveUser != 0 {
      throw fail(
        "timelinectl: error: permission denied: only root can stop and start cron: run this as root, or compare with --dry-run",
        status: .permissionDenied)
    }
    if undo { return try giveBack() }
    let (comparison, crontabs) = try compare()
    let report = TakeoverReport(comparison, zone: ZoneCatalog().machineZone)
    try Output.print(output.json ? try report.jsonLines() : report.text)
    if dryRun {
      if comparison.differs || comparison.period == nil { throw ExitCode(ExitStatus.negative.rawValue) }
      return
    }
    if !acceptDifferences { try refuse(comparison) }
    try takeOver(of: crontabs)
  }

  private func start(at now: WallInstant) throws -> WallInstant {
    // The first and the last minute are incomplete.
    guard let since else { return now - max(.days(7), after ?? .zero) - .minutes(10) }
    do {
      return try Moment(parsing: since, now: now, in: ZoneCatalog().machineZone).start
    } catch {
      throw ValidationError("--since \(since): \(error)")
    }
  }

  private func compare() throws -> (TakeoverComparison, crontabs: [String]) {
    let status = try call(Control.Status())
    let (path, now) = (status.configuration, status.now.instant)
    let evidence = TakeoverEvidence(since: try start(at: now), now: now)
    let configuration = try evidence.configuration(at: path)
    let crontabs = configuration.crontabs
    guard !crontabs.lines.isEmpty else {
      throw fail(
        "timelinectl: error: \(path): no crontab with a line is included: name crontabs in [include], and reload timelined"
      )
    }
    let records = try crontabs.cronJobs.sorted().flatMap { job in
      try call { try evidence.records(of: job.text, from: $0) }
    }
    let comparison = TakeoverComparison(
      crontabs, records, with: try evidence.journal(in: journal), since: evidence.since, now: now,
      zone: ZoneCatalog().machineZone, entriesPerJobMax: configuration.daemon.ledger.entriesPerJobMax)
    return (comparison, configuration.daemon.crontabs)
  }

  /// Ends the program if too little was compared, or something differs.
  private func refuse(_ comparison: TakeoverComparison) throws {
    if comparison.differs {
      throw fail(
        "timelinectl: error: cron and timelined differ: nothing is changed: correct the crontab or the job, or give --accept-differences; --since leaves an older difference out"
      )
    }
    let after = after ?? Self.afterDefault
    guard comparison.length < after else { return }
    let compared = comparison.length > .zero ? "only \(comparison.length.approximateText) was" : "nothing was"
    throw fail(
      "timelinectl: error: \(compared) compared yet, less than \(after): nothing is changed: wait, or give a shorter --after"
    )
  }

  private func takeOver(of crontabs: [String]) throws {
    do throws(CronService.Failure) {
      let names = try CronService().stop(crontabs: crontabs)
      let count = names.count == 1 ? "\(names[0]) is" : "\(names.joined(separator: " and ")) are"
      CurrentProcess.printError("\(count) stopped and disabled\n")
    } catch {
      throw fail("timelinectl: error: \(error.text)")
    }
    try reload()
    if let left = try call(Control.Status()).leftToCron {
      throw fail("timelinectl: error: timelined still leaves \(left) to cron: see `timelinectl status`")
    }
    try Output.print(
      "timelined runs the jobs of the crontabs from now on, and reads changed crontabs as cron did; `timelinectl takeover --undo` gives them back\n"
    )
  }

  private func giveBack() throws {
    do throws(CronService.Failure) {
      let names = try CronService().start()
      CurrentProcess.printError("\(names.joined(separator: ", ")): started again\n")
    } catch {
      throw fail("timelinectl: error: \(error.text)")
    }
    try reload()
    let left = try call(Control.Status()).leftToCron
    try Output.print("left to cron: \(left ?? "no job, as no crontab with a line is included")\n")
  }

  private func reload() throws { _ = try call(Control.Reload()) }
}
