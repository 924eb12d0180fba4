import TimelineCore
import TimelineEngine
import TimelineHosting
import TimelineSystem
import TimelineWire

/// The plugins that jobs with `isolation = "in-process"` call in the daemon itself.
///
/// A run is over when its call returns, before ``PluginHosts/start(_:)`` does: there is nothing to queue, to ask or to
/// kill. While it lasts the daemon does nothing else, so a call that takes long is told of.
final class InProcessPlugins {
  private struct Loaded {
    let plugin: InProcessPlugin
    let file: FileFacts?
  }

  private let report: (PluginEvent) -> Void
  private var loaded: [String: Loaded] = [:]
  private var slowJobs: Set<JobName> = []

  init(report: @escaping (PluginEvent) -> Void) {
    self.report = report
  }

  /// Calls the plugin and reports the start, the words and the end of the run.
  func run(_ run: PluginRun) {
    report(.started(run.run, process: CurrentProcess.pid))
    report(.ended(run.run, call(run)))
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
  func retain(_ jobs: [HostKind: Set<JobName>]) {
    slowJobs.removeAll()
    for (path, entry) in loaded.sorted(by: { $0.key < $1.key }) {
      let kind = HostKind(pluginPath: path, isolation: .inProcess)
      entry.plugin.close(except: jobs[kind] ?? [])
      let now = try? FileFacts(at: path)
      if jobs[kind] != nil, now != entry.file { report(.note(.replacedInProcess(kind))) }
    }
  }

  /// Closes everything.
  func shutDown() {
    for entry in loaded.values { entry.plugin.close(except: []) }
  }

  private func call(_ run: PluginRun) -> PluginRunEnd {
    do {
      let plugin = try plugin(of: run.kind)
      let opening = try OpenRequest(
        job: run.job, parameters: run.parameters, isRehearsal: run.isRehearsal)
      let request = try TimelineWire.RunRequest(run)
      let began = SystemTime.monotonic()
      let (end, said) = plugin.run(opening, request)
      let took = SystemTime.monotonic() - began
      for message in said { pass(message, of: run) }
      if took > TurnLimits.inProcessCallMax, slowJobs.insert(run.job).inserted {
        report(.note(.slowInProcess(run.kind, run.job, took)))
      }
      var result = PluginRunEnd(end.status, end.text, in: run)
      result.cursor = end.cursor
      return result
    } catch let failure as HostFailure {
      return .failed(failure.message)
    } catch {
      return .failed("\(run.kind.pluginPath): job \(run.job) was not run: \(error)")
    }
  }

  private func plugin(of kind: HostKind) throws -> InProcessPlugin {
    if let entry = loaded[kind.pluginPath] { return entry.plugin }
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
