internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// `timeline-host --conformance`: a plugin author's first test, without a daemon.
enum Conformance {
  /// Loads the plugin, opens it, runs it twice, runs it cancelled, closes it, and prints each step.
  static func run(_ file: String, as user: String?, parameters: String) -> CInt {
    do {
      let plugin = try Description.load(file, as: user)
      print(
        "table      ok  \(plugin.description.name) \(plugin.description.version): \(plugin.description.summary)"
      )
      _ = try Description.json(file, plugin.description)
      print(
        "schema     ok  \(plugin.description.parametersSchema.map { "\($0.utf8.count) bytes" } ?? "none")")
      guard let job = JobName("conformance") else { return HostExitStatus.failure }
      let instance = try PluginInstance(plugin, OpenRequest(job: job, parameters: parameters), send: say)
      print("open       ok")
      let first = try run(1, instance, after: nil)
      let second = try run(2, instance, after: first)
      let cancelled = try run(3, instance, after: second, cancelled: true)
      instance.close()
      print("close      ok")
      let isGood =
        [first, second].allSatisfy { $0.status == .succeeded }
        && [.succeeded, .cancelled].contains(cancelled.status)
      return isGood ? HostExitStatus.success : HostExitStatus.failure
    } catch let failure as OpenFailure {
      print("open       \(failure.status)  \(failure.text)")
    } catch {
      HostSystem.complain("timeline-host: \(error)")
    }
    return HostExitStatus.failure
  }

  /// Calls run once with what a first, or a following, run of a job would be told.
  private static func run(
    _ number: UInt64, _ instance: PluginInstance, after previous: RunEnd?, cancelled: Bool = false
  ) throws -> RunEnd {
    let now = SystemTime.now()
    let request = try RunRequest(
      run: number, runKey: "conformance/\(number)", nominal: now, actual: now,
      previous: previous.map { .init(status: $0.status, text: $0.text) }, cursor: previous?.cursor ?? [])
    let end = instance.run(request, listener: cancelled ? CancelAtOnce() : nil, send: say)
    let cursor = end.cursor.map { "  [cursor of \($0.count) bytes]" } ?? ""
    print("run \(number)\(cancelled ? " asked to stop" : "      ")  \(end.status)  \(end.text)\(cursor)")
    return end
  }

  @Sendable private static func say(_ message: HostMessage) {
    switch message {
    case .log(let line):
      let fields = line.fields.map { " \($0.key)=\($0.value)" }.joined()
      print("  log      \(line.level)  \(line.message)\(fields)")
    case .progress(let progress):
      print("  progress \(progress.millionths.map { "\($0 / 10_000)%" } ?? "?")  \(progress.text)")
    default:
      break
    }
  }
}

/// Asks a run to stop before it has done anything: it can know that from the beginning, and its cancel function is called on
/// another thread as soon as it has been entered.
private final class CancelAtOnce: RunListener, Sendable {
  private let running = Mutex<RunningCall?>(nil)

  func runBegins(_ running: RunningCall) {
    self.running.withLock { $0 = running }
    CurrentCall.shared.cancel(running.name)
  }

  func runEnters() -> Bool {
    _ = HostSystem.startThread { self.running.withLock { $0?.callCancel() } }
    return true
  }

  func runEnded() { running.withLock { $0 = nil } }
}
