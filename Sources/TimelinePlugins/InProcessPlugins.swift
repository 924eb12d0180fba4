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
  private struct Loaded {
    let plugin: InProcessPlugin
    let file: FileFacts?
  }

  private let report: (PluginEvent) -> Void
  private var loaded: [String: Loaded] = [:]
  private var slowJobs: Set<JobName> = []
  /// The plugin that was asked for last: of many starts at once most have the same, and comparing is quicker than hashing.
  private var last: (path: String, plugin: InProcessPlugin)?
  private var lastInstant: (instant: WallInstant, text: String)?

  init(report: @escaping (PluginEvent) -> Void) {
    self.report = report
  }

  /// Opens the job's instance if need be, and makes everything ready that the call needs.
  func ready(_ run: PluginRun) -> PluginHosts.ReadyRun {
    do {
      let plugin = try plugin(of: run.kind)
      let opening = try OpenRequest(
        job: run.job, parameters: run.parameters, isRehearsal: run.isRehearsal)
      let request = try TimelineWire.RunRequest(run, nominal: text(of: run.attempt.entry.nominal))
      return .called(InProcessRun(run: run, plugin: plugin, call: plugin.ready(opening, request)))
    } catch let failure as HostFailure {
      return .over(run.run, .failed(failure.message))
    } catch {
      return .over(run.run, .failed("\(run.kind.pluginPath): job \(run.job) was not run: \(error)"))
    }
  }

  /// An instant as text; of many entries of one instant it is written once.
  private func text(of instant: WallInstant) -> String {
    if let lastInstant, lastInstant.instant == instant { return lastInstant.text }
    let text = instant.description
    lastInstant = (instant, text)
    return text
  }

  /// Calls the plugin, `mark` being the last thing before that; ``tell(of:)`` is to follow.
  func call(_ ready: InProcessRun, before mark: () -> Void) {
    var began = MonotonicInstant(nanosecondsSinceBoot: 0)
    ready.outcome = ready.plugin.call(ready.call) {
      mark()
      began = SystemTime.monotonic()
    }
    ready.took = SystemTime.monotonic() - began
  }

  /// Reports the start, the words and the end of a run that was called.
  func tell(of ready: InProcessRun) {
    guard let outcome = ready.outcome else { return }
    let run = ready.run
    let (end, said) = ready.plugin.end(ready.call, outcome)
    report(.started(run.run, process: CurrentProcess.pid))
    for message in said { pass(message, of: run) }
    if ready.took > TurnLimits.inProcessCallMax, slowJobs.insert(run.job).inserted {
      report(.note(.slowInProcess(run.kind, run.job, ready.took)))
    }
    var result = PluginRunEnd(end.status, end.text, in: run)
    result.cursor = end.cursor
    report(.ended(run.run, result))
  }

  /// Why jobs of this kind cannot be run here; `nil` when they can.
  static func objection(to kind: HostKind) -> HostFailure? {
    guard kind.user == nil, kind.setup == HostSetup() else {
      return HostFailure(
        "\(kind.pluginPath): a plugin that runs in timelined's own process has timelined's user and limits; "
          + "take out the job's user, limits and the like, or isolation = \"in-process\"")
    }
    do {
      try InProcessPlugin.judge(kind.pluginPath)
      return nil
    } catch {
      return HostFailure(error.description)
    }
  }

  /// Takes note of a reload: closes what other jobs have open, and tells of libraries that were replaced.
  func retain(_ jobs: RetainedJobs) {
    slowJobs.removeAll()
    for (path, entry) in loaded.sorted(by: { $0.key < $1.key }) {
      let kind = HostKind(pluginPath: path, isolation: .inProcess)
      entry.plugin.close { !jobs.keeps($0, kind) }
      let now = try? FileFacts(at: path)
      if jobs.kinds.contains(kind), now != entry.file { report(.note(.replacedInProcess(kind))) }
    }
  }

  /// Closes everything.
  func shutDown() {
    for entry in loaded.values { entry.plugin.close { _ in true } }
  }

  private func plugin(of kind: HostKind) throws -> InProcessPlugin {
    if let last, last.path == kind.pluginPath { return last.plugin }
    if let entry = loaded[kind.pluginPath] {
      last = (kind.pluginPath, entry.plugin)
      return entry.plugin
    }
    if let objection = Self.objection(to: kind) { throw objection }
    let file = try? FileFacts(at: kind.pluginPath)
    let plugin = try InProcessPlugin(path: kind.pluginPath)
    loaded[kind.pluginPath] = Loaded(plugin: plugin, file: file)
    return plugin
  }

  private func pass(_ message: HostMessage, of run: PluginRun) {
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
    default: break
    }
  }
}

/// A run that is ready to be called in this process, and what came of it.
package final class InProcessRun {
  /// What it is.
  let run: PluginRun
  let plugin: InProcessPlugin
  let call: InProcessPlugin.ReadyCall
  /// What came of the call; `nil` before it was called.
  var outcome: InProcessPlugin.Outcome?
  /// How long the call took.
  var took = ElapsedTime.zero

  init(run: PluginRun, plugin: InProcessPlugin, call: InProcessPlugin.ReadyCall) {
    self.run = run
    self.plugin = plugin
    self.call = call
  }
}
