import TimelineCore
import TimelineEngine
import TimelineHosting
import TimelineSystem
import TimelineWire

/// The plugins that jobs with `isolation = "in-process"` call in the daemon itself.
///
/// A run is over when its call returns, before ``PluginHosts/start(_:areLast:before:)`` returns: a run is never queued,
/// asked to stop or killed. The daemon does nothing else during a call, so a long call is reported.
final class InProcessPlugins {
  /// A run whose plugin is called here.
  private struct CalledRun {
    let run: RunID
    let job: JobName
    let spec: HostSpec
    var call: InProcessCall
  }

  private let report: (PluginEvent) -> Void
  private var loaded: [String: InProcessPlugin] = [:]
  private var slowJobs: Set<JobName> = []
  /// Runs that are ready, and runs that were called and not yet reported, in order.
  private var runs: [CalledRun] = []
  /// Number of the ``runs`` that were called.
  private(set) var calledCount = 0

  init(report: @escaping (PluginEvent) -> Void) {
    self.report = report
  }

  /// Opens the job's instance if necessary, and prepares the call.
  func ready(
    _ attempt: Attempt, _ kind: HostSpec, parameters: String, cursor: [UInt8], isRehearsal: Bool
  ) -> PluginHosts.ReadyRun {
    do {
      let plugin = try plugin(of: kind)
      let opening = try OpenRequest(
        job: attempt.entry.job, parameters: parameters, isRehearsal: isRehearsal)
      let request = try TimelineWire.RunRequest(attempt, cursor: cursor)
      let call = InProcessCall(request, opening, of: plugin)
      runs.append(CalledRun(run: attempt.run, job: attempt.entry.job, spec: kind, call: call))
      return .called
    } catch let failure as HostFailure {
      return .over(attempt.run, .failed(failure.message))
    } catch {
      return .over(
        attempt.run, .failed("\(kind.pluginPath): job \(attempt.entry.job) was not run: \(error)"))
    }
  }

  /// Calls the plugins of the next `count` ready runs and appends the instant of each call to `instants`. ``reportCalls()``
  /// must follow.
  func call(_ count: Int, into instants: inout [MonotonicInstant]) {
    precondition(calledCount + count <= runs.count, "only what is ready is called")
    for index in calledCount..<calledCount + count { instants.append(runs[index].call.make()) }
    calledCount += count
  }

  /// Reports the start, the messages and the end of the runs that were called.
  func reportCalls() {
    // A receiver of these reports may start other runs.
    let called = runs
    (runs, calledCount) = ([], 0)
    for run in called { report(on: run) }
  }

  private func report(on run: CalledRun) {
    guard let end = run.call.end else { return }
    report(.started(run.run, process: CurrentProcess.pid, hasWaited: false))
    for message in run.call.messages { pass(message, of: run) }
    let took = ElapsedTime.nanoseconds(Int64(clamping: end.call?.took ?? 0))
    if took > TurnLimits.inProcessCallMax, slowJobs.insert(run.job).inserted {
      report(.note(.slowInProcess(run.spec, run.job, took)))
    }
    var result = PluginRunEnd(end.status, end.text, of: run.job, path: run.spec.pluginPath)
    result.cursor = end.cursor
    result.call = end.call.map { call in
      let began = MonotonicInstant(nanosecondsSinceBoot: call.began)
      return CallInstants(began: began, ended: began + took)
    }
    report(.ended(run.run, result))
  }

  /// Returns the reason why the library at `path` may not be called here; `nil` if the call is allowed. Reads the file, which
  /// may take long.
  static func objection(toFileAt path: String) -> HostFailure? {
    do {
      try InProcessPlugin.judge(path)
      return nil
    } catch {
      return HostFailure(error.description)
    }
  }

  /// Returns the reason why jobs with the setup of `kind` cannot be run here; `nil` if they can.
  static func setupObjection(to kind: HostSpec) -> HostFailure? {
    if kind.user == nil, kind.setup == HostSetup() { return nil }
    return HostFailure(
      "\(kind.pluginPath): a plugin that runs in timelined's own process has timelined's user and limits; "
        + "take out the job's user, limits and the like, or isolation = \"in-process\"")
  }

  /// Applies a reload: closes the instances of removed jobs, and reports libraries that were replaced according to `files`.
  func retain(_ jobs: ActiveJobs, _ files: PluginFiles) {
    slowJobs.removeAll()
    for (path, plugin) in loaded.sorted(on: \.key) {
      let kind = HostSpec(pluginPath: path, isolation: .inProcess)
      plugin.close { !jobs.keeps($0, kind) }
      if jobs.kinds.contains(kind), files.differ(from: plugin.file, at: path) {
        report(.note(.replacedInProcess(kind)))
      }
    }
  }

  /// Closes all instances.
  func shutDown() {
    for plugin in loaded.values { plugin.close { _ in true } }
  }

  private func plugin(of kind: HostSpec) throws -> InProcessPlugin {
    if let plugin = loaded[kind.pluginPath] { return plugin }
    if let objection = Self.setupObjection(to: kind) { throw objection }
    let plugin = try InProcessPlugin(path: kind.pluginPath)
    loaded[kind.pluginPath] = plugin
    return plugin
  }

  private func pass(_ message: HostMessage, of run: CalledRun) {
    switch message {
    case .log(let line):
      report(
        .line(
          PluginLine(
            run: run.run, job: run.job, pluginPath: run.spec.pluginPath, source: .log,
            level: PluginLine.Level(rawValue: line.level.rawValue) ?? .info, message: line.message,
            fields: line.fields.map { PluginLine.Field(key: $0.key, value: $0.value) })))
    case .progress(let progress):
      report(.progress(run.run, run.job, millionths: progress.millionths, text: progress.text))
    case .dropped(let bytes):
      report(
        .line(
          PluginLine(
            run: run.run, job: run.job, pluginPath: run.spec.pluginPath, source: .pools, level: .warning,
            message: DroppedOutput.text(
              bytes: Int64(clamping: bytes),
              limit:
                "the first \(InProcessPlugin.messagesMax) messages of a run and its last lines, with isolation = \"in-process\""
            ),
            fields: [DroppedOutput.field(bytes: Int64(clamping: bytes))])))
    default: break
    }
  }
}
