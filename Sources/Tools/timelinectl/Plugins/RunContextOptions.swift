import ArgumentParser
import TimelineCore
import TimelineSystem
import TimelineWire

/// The context of a trial run, in place of the daemon's.
struct RunContextOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The job's name.", valueName: "name"))
  var job = "test"

  @Option(help: ArgumentHelp("The instant that the schedule names. Default: now.", valueName: "instant"))
  var nominal: String?

  @Option(help: ArgumentHelp("The instant of the start. Default: the nominal one.", valueName: "instant"))
  var actual: String?

  @Option(help: ArgumentHelp("The instant at which the run would be asked to stop.", valueName: "instant"))
  var deadline: String?

  @Option(help: ArgumentHelp("The number of the attempt.", valueName: "number"))
  var attempt: UInt32 = 1

  @Option(help: ArgumentHelp("The entries that the run stands for.", valueName: "number"))
  var entryCount: UInt64 = 1

  @Option(help: ArgumentHelp("The cursor that an earlier run has left.", valueName: "text"))
  var cursor = ""

  @Option(help: ArgumentHelp("The daemon's mode, normal or low-frequency.", valueName: "mode"))
  var mode = "normal"

  @Option(help: ArgumentHelp("The cadence, live, seconds or minutes.", valueName: "cadence"))
  var cadence = "live"

  @Option(help: ArgumentHelp("The entry that the run reacts to, an object.", valueName: "JSON"))
  var upstream: String?

  @Option(help: ArgumentHelp("The fencing token of a cluster.", valueName: "number"))
  var fencingToken: Int64?

  @Option(help: ArgumentHelp("The result of the job's previous attempt, a success.", valueName: "text"))
  var previousResult: String?

  @Flag(help: "Tell the plugin that its time is not the system's.")
  var rehearsal = false

  /// Returns the job's name.
  func jobName() throws -> JobName {
    guard let name = JobName(job) else {
      throw ValidationError("--job \(job): expected a job's name, such as backup")
    }
    return name
  }

  /// Returns the context.
  func request() throws -> RunRequest {
    let nominal = try nominal.map { try Words.instant($0, option: "--nominal") } ?? SystemTime.now()
    guard let cadence = Cadence.allCases.first(where: { "\($0)" == cadence }) else {
      throw ValidationError("--cadence \(cadence): expected live, seconds or minutes")
    }
    guard attempt > 0, entryCount > 0 else {
      throw ValidationError("--attempt and --entry-count: expected numbers from 1")
    }
    if let upstream { try TriedPlugin.requireObject(upstream, option: "--upstream") }
    return try RunRequest(
      run: 1, runKey: "\(job)/\(nominal)", nominal: nominal,
      actual: actual.map { try Words.instant($0, option: "--actual") } ?? nominal,
      deadline: deadline.map { try Words.instant($0, option: "--deadline") }, cadence: cadence,
      mode: Words.mode(mode), attempt: attempt, entryCount: entryCount,
      previous: previousResult.map { .init(status: .succeeded, text: $0) }, cursor: Array(cursor.utf8),
      upstream: upstream, fencingToken: fencingToken)
  }
}
