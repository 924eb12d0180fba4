import ArgumentParser
import TimelineControl
import TimelineCore
import TimelineSystem

/// `timelinectl backfill`: runs of the past entries that have no success.
struct BackfillCommand: DaemonVerb {
  static let configuration = CommandConfiguration(
    commandName: "backfill",
    abstract: "Run past entries without a success again, one after the other.",
    discussion: """
      Every entry of the job's schedule from --from to before --until is run as by `rerun`, the oldest first, unless it has \
      succeeded or a rerun of it has. Entries without a record are left out and counted. The backfill goes on without this program, \
      and after a restart of the daemon; `backfills` shows it. A job has one at a time.
      A moment is \(Moment.forms), in quotes if it has several words; without a zone it is meant in the job's.
      Exits 1 when the daemon refuses the backfill, or asks whether it is meant and nothing answers. With --wait it shows progress \
      and exits 0 only if every entry was run and none failed; Ctrl-C ends the wait and not the backfill.
      """)

  @ParentCommand var root: Timelinectl
  @OptionGroup var daemon: DaemonConnection
  @OptionGroup var shown: ZoneOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var selection: BackfillOptions

  @Flag(help: "Start no more runs of the job's backfill until it is resumed; active runs go on.")
  var pause = false

  @Flag(help: "Let the job's backfill go on that was paused with --pause.")
  var resume = false

  @Flag(help: "End the job's backfill; active runs go on.")
  var cancel = false

  @Argument(help: "The job.", completion: .jobs)
  var job: String

  private var changes: [BackfillChange] {
    BackfillChange.allCases.filter {
      switch $0 {
      case .pause: pause
      case .resume: resume
      case .cancel: cancel
      }
    }
  }

  func validate() throws {
    let changes = changes.map { "--\($0.rawValue)" }
    if changes.count > 1 {
      throw ValidationError("\(changes.joined(separator: " and ")): expected one of them")
    }
    guard let change = changes.first else { return try selection.validateRequest(of: job) }
    if let other = selection.given.first {
      throw ValidationError(
        "\(change): changes the backfill that the job has: leave out \(other), which begins another")
    }
  }

  func run() throws {
    let zones = try shown.shown()
    if let change = changes.first {
      return try show(call(Control.ChangeBackfill(job: job, change: change)).backfill, in: zones)
    }
    let backfill = try request()
    if output.json || !selection.wait { try show(backfill, in: zones) }
    if !output.json && !selection.dryRun { CurrentProcess.printError(BackfillText.leftOut(of: backfill)) }
    guard selection.wait else { return }
    let last = try BackfillWait(
      for: backfill, over: daemon.completed(by: root.daemon), printsJSON: output.json
    ).run()
    if !output.json { try Output.print(BackfillText.text(of: last) + "\n") }
    CurrentProcess.printError(BackfillText.adviceAfterEnd(of: last))
    if last.state != BackfillReport.State.ended.rawValue || last.failedCount > 0 { throw ExitCode(1) }
  }

  /// Requests the backfill. If the daemon has a question, asks the operator and requests the backfill again.
  private func request() throws -> BackfillReport {
    var request = try selection.request(for: job)
    while true {
      switch try answer(to: request) {
      case .backfill(let backfill): return backfill
      case .question(let reason):
        guard try Confirmation.ask("\(job): \(reason)", skippedBy: "--yes") else {
          throw fail("timelinectl: note: \(job): no backfill was started")
        }
        request.isConfirmed = true
      }
    }
  }

  private enum Answer {
    case backfill(BackfillReport)
    case question(reason: String)
  }

  private func answer(to request: Control.Backfill) throws -> Answer {
    try call { client in
      do throws(VarlinkClientError) {
        return .backfill(try client.call(request).backfill)
      } catch {
        guard request.isConfirmed != true, case .remote(let refusal) = error,
          case .backfillQuestion(_, let reason)? = ControlError(refusal)
        else { throw error }
        return .question(reason: reason)
      }
    }
  }

  private func show(_ backfill: BackfillReport, in zones: ShownZones) throws {
    if output.json { return try Output.print(jsonLine(backfill)) }
    if selection.dryRun {
      return try Output.print(BackfillText.plan(backfill, in: zones.zone(named: backfill.zone)))
    }
    try Output.print(BackfillText.text(of: backfill) + "\n")
  }
}

/// The entries of a backfill, and how they are run.
struct BackfillOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Entries from this moment on; required.", valueName: "time"))
  var from: String?

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Before this moment. Default: now.", valueName: "time"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      "Only entries with these outcomes, separated by commas. Default: all but \(Self.unusual), which are run only if they are named.",
      valueName: "outcomes"),
    completion: .list(Control.Backfill.allowedOutcomes.map(\.rawValue)))
  var outcomes: String?

  @Flag(help: "Run the newest entry first.")
  var newestFirst = false

  @Option(
    help: ArgumentHelp(
      "So many runs at a time, up to the job's `concurrency`. Default: 1.", valueName: "count"))
  var parallel: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("At least so long from one start to the next, such as 10s.", valueName: "duration"),
    transform: { try Words.length($0) })
  var pace: ElapsedTime?

  @Flag(help: "Also run entries of which the ledger has no record.")
  var unrecorded = false

  @Flag(help: "Show what would be run, and run nothing.")
  var dryRun = false

  @Flag(help: "Wait for the end of the backfill.")
  var wait = false

  @Flag(help: "Start it without a question.")
  var yes = false

  /// Outcomes that are run only if they are named.
  private static var unusual: String {
    Control.Backfill.allowedOutcomes.filter { !Control.Backfill.defaultOutcomes.contains($0) }
      .map(\.rawValue).joined(separator: ", ")
  }

  /// Names of the options that are given.
  var given: [String] {
    let options = [
      ("--from", from != nil), ("--until", until != nil), ("--outcomes", outcomes != nil),
      ("--newest-first", newestFirst), ("--parallel", parallel != nil), ("--pace", pace != nil),
      ("--unrecorded", unrecorded), ("--dry-run", dryRun), ("--wait", wait), ("--yes", yes),
    ]
    return options.filter(\.1).map(\.0)
  }

  /// Refuses options from which no backfill of `job` can be requested.
  func validateRequest(of job: String) throws {
    guard from != nil else {
      throw ValidationError(
        "--from: missing: name the start, such as --from 2026-11-21; `timelinectl gaps \(job)` shows the entries without a success"
      )
    }
    if dryRun && wait {
      throw ValidationError("--dry-run: runs nothing: leave out --wait")
    }
    let most = ControlLimits.backfillParallelMax
    if let parallel, !(1...most).contains(parallel) {
      throw ValidationError("--parallel \(parallel): expected a number from 1 to \(most)")
    }
    if let pace, pace > ControlLimits.backfillPaceMax {
      throw ValidationError("--pace \(pace): expected at most \(ControlLimits.backfillPaceMax)")
    }
    _ = try names
  }

  /// The outcomes that are named; `nil` for the default.
  private var names: [String]? {
    get throws {
      try outcomes?.split(separator: ",", omittingEmptySubsequences: false).map { word in
        let allowed = Control.Backfill.allowedOutcomes.map(\.rawValue)
        guard allowed.contains(String(word)) else {
          throw ValidationError(
            "--outcomes \(word): expected some of \(allowed.joined(separator: ", "))"
              + Words.suggestion(for: String(word), among: allowed))
        }
        return String(word)
      }
    }
  }

  func request(for job: String) throws -> Control.Backfill {
    Control.Backfill(
      job: job, from: from ?? "", until: until, outcomes: try names,
      isNewestFirst: newestFirst ? true : nil, parallel: parallel,
      paceNanoseconds: pace.map { Int($0.nanoseconds) }, includesUnrecorded: unrecorded ? true : nil,
      isDryRun: dryRun ? true : nil, isConfirmed: yes ? true : nil)
  }
}
