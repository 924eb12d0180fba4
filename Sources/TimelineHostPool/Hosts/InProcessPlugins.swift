import TimelineCore
import TimelineEngine
import TimelineHosting
import TimelineSystem
import TimelineWire

/// The plugins that jobs with `isolation = "in-process"` call in the daemon itself.
///
/// A run is over when its call returns, before ``PluginHosts/start(_:before:)`` does: there is nothing to queue, to ask or to
/// kill. While it lasts the daemon does nothing else, so a call that takes long is told of.
final class InProcessPlugins {
  /// Run, job and kind of a call, in the order of the series.
  private struct Caller {
    let run: RunID
    let job: JobName
    let kind: HostSpec
  }

  private let report: (PluginEvent) -> Void
  private var loaded: [String: InProcessPlugin] = [:]
  private var slowJobs: Set<JobName> = []
  /// The plugin that was asked for last: of many starts at once most have the same, and comparing is quicker than hashing.
  private var last: (path: String, plugin: InProcessPlugin)?
  /// Calls that are ready, or made and not reported.
  private var series = CallSeries()
  private var callers: [Caller] = []
  /// Number of runs that were called and not reported.
  var calledCount: Int { callers.count }
  /// Largest number of runs that are to be made ready; memory is reserved when the first of them is to be called here.
  var expectedCount = 0

  init(report: @escaping (PluginEvent) -> Void) {
    self.report = report
  }

  /// Opens the job's instance if need be, and makes everything ready that the call needs.
  func ready(
    _ attempt: Attempt, _ kind: HostSpec, parameters: String, cursor: [UInt8], isRehearsal: Bool
  ) -> PluginHosts.ReadyRun {
    do {
      let plugin = try plugin(of: kind)
      let opening = try OpenRequest(
        job: attempt.entry.job, parameters: parameters, isRehearsal: isRehearsal)
      let request = try TimelineWire.RunRequest(attempt, runKey: "", cursor: cursor)
      if callers.isEmpty {
        callers.reserveCapacity(expectedCount)
        series.reserve(expectedCount)
      }
      callers.append(Caller(run: attempt.run, job: attempt.entry.job, kind: kind))
      return .called(series.add(request, opening, of: plugin, at: attempt.entry.place.index))
    } catch let failure as HostFailure {
      return .over(attempt.run, .failed(failure.message))
    } catch {
      return .over(
        attempt.run, .failed("\(kind.pluginPath): job \(attempt.entry.job) was not run: \(error)"))
    }
  }

  /// Calls the plugins of the next `count` runs that are ready, `first` being the last thing before that, and adds to `instants` when
  /// each was called; ``tell()`` is to follow.
  func call(_ count: Int, into instants: inout [MonotonicInstant], before first: (CodePlace?) -> Void) {
    series.call(count, into: &instants, before: first)
  }

  /// Reports the start, the words and the end of the runs that were called.
  func tell() {
    guard !callers.isEmpty else { return }
    let (done, tellers) = (series, callers)
    // A receiver of these reports may start other runs.
    (series, callers) = (CallSeries(), [])
    for (index, caller) in tellers.enumerated() { tell(of: caller, done.end(of: index)) }
    guard callers.isEmpty else { return }
    done.removeAll()
    series = done
  }

  private func tell(of caller: Caller, _ outcome: (end: RunEnd, said: [HostMessage])) {
    report(.started(caller.run, process: CurrentProcess.pid, hasWaited: false))
    for message in outcome.said { pass(message, of: caller) }
    let end = outcome.end
    let took = ElapsedTime.nanoseconds(Int64(clamping: end.call?.took ?? 0))
    if took > TurnLimits.inProcessCallMax, slowJobs.insert(caller.job).inserted {
      report(.note(.slowInProcess(caller.kind, caller.job, took)))
    }
    var result = PluginRunEnd(end.status, end.text, of: caller.job, path: caller.kind.pluginPath)
    result.cursor = end.cursor
    result.call = end.call.map { call in
      let began = MonotonicInstant(nanosecondsSinceBoot: call.began)
      return CallInstants(began: began, ended: began + took)
    }
    report(.ended(caller.run, result))
  }

  /// The reason why the library at that path may not be called here; `nil` when it may. Reads the file, which may take long.
  static func objection(toFileAt path: String) -> HostFailure? {
    do {
      try InProcessPlugin.judge(path)
      return nil
    } catch {
      return HostFailure(error.description)
    }
  }

  /// The reason why jobs with the setup of this kind cannot be run here; `nil` when they can.
  static func setupObjection(to kind: HostSpec) -> HostFailure? {
    if kind.user == nil, kind.setup == HostSetup() { return nil }
    return HostFailure(
      "\(kind.pluginPath): a plugin that runs in timelined's own process has timelined's user and limits; "
        + "take out the job's user, limits and the like, or isolation = \"in-process\"")
  }

  /// Takes note of a reload: closes what other jobs have open, and tells of libraries that were replaced, as `files` has it.
  func retain(_ jobs: ActiveJobs, _ files: PluginFiles) {
    slowJobs.removeAll()
    for (path, plugin) in loaded.sorted(by: { $0.key < $1.key }) {
      let kind = HostSpec(pluginPath: path, isolation: .inProcess)
      plugin.close { !jobs.keeps($0, kind) }
      if jobs.kinds.contains(kind), files.differ(from: plugin.file, at: path) {
        report(.note(.replacedInProcess(kind)))
      }
    }
  }

  /// Closes everything.
  func shutDown() {
    for plugin in loaded.values { plugin.close { _ in true } }
  }

  private func plugin(of kind: HostSpec) throws -> InProcessPlugin {
    if let last, last.path == kind.pluginPath { return last.plugin }
    if let plugin = loaded[kind.pluginPath] {
      last = (kind.pluginPath, plugin)
      return plugin
    }
    if let objection = Self.setupObjection(to: kind) { throw objection }
    let plugin = try InProcessPlugin(path: kind.pluginPath)
    loaded[kind.pluginPath] = plugin
    return plugin
  }

  private func pass(_ message: HostMessage, of run: Caller) {
    switch message {
    case .log(let line):
      report(
        .line(
          PluginLine(
            run: run.run, job: run.job, pluginPath: run.kind.pluginPath, source: .log,
            level: PluginLine.Level(rawValue: line.level.rawValue) ?? .info, message: line.message,
            fields: line.fields.map { PluginLine.Field(key: $0.key, value: $0.value) })))
    case .progress(let progress):
      report(.progress(run.run, run.job, millionths: progress.millionths, text: progress.text))
    case .dropped(let bytes):
      report(
        .line(
          PluginLine(
            run: run.run, job: run.job, pluginPath: run.kind.pluginPath, source: .pools, level: .warning,
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
