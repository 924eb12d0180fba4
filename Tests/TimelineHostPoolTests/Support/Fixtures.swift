import Foundation
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Programs and plugins of the tests with real processes, built once from the tree.
enum Fixtures {
  static let root = URL(fileURLWithPath: sourceRoot)

  /// The program under test's other half; built together with the tests.
  static let host =
    ProcessInfo.processInfo.environment["TIMELINED_TEST_HOST"]
    ?? BuiltProgram.host

  /// The directory with the broken plugins.
  static let broken: Result<String, BuildFailure> = build(
    "broken",
    directories: (try? FileManager.default.contentsOfDirectory(
      at: root.appending(path: "Tests/BrokenPlugins"), includingPropertiesForKeys: nil)) ?? [])

  /// The directory with the bundled plugins: of `make build`, or built here.
  static let bundled: Result<String, BuildFailure> =
    if let directory = ProcessInfo.processInfo.environment["TIMELINED_TEST_PLUGINS"] {
      .success(directory)
    } else {
      build(
        "bundled",
        directories: ["exec", "http", "log", "notify", "process"].map {
          root.appending(path: "Sources/Plugins/bundled/\($0)")
        })
    }

  struct BuildFailure: Error, CustomStringConvertible {
    var description: String
  }

  private static func build(_ name: String, directories: [URL]) -> Result<String, BuildFailure> {
    let output = root.appending(path: ".build/test-plugins/\(name)").path
    let process = Process()
    process.executableURL = root.appending(path: "Sources/Plugins/bundled/build.sh")
    process.arguments = ["debug", output] + directories.map(\.path).sorted()
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    do {
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { return .failure(BuildFailure(description: text)) }
      return .success(output)
    } catch {
      return .failure(BuildFailure(description: "\(error)"))
    }
  }
}

/// Pools on a loop of the test's own; records all reports.
final class Stage {
  let loop: EventLoop
  let hosts: PluginHosts
  private let record = Record()
  private var runs: UInt64 = 0

  private final class Record {
    var events: [PluginEvent] = []
  }

  /// Limit of a wait for an event.
  static let patience = Patience.usual

  init(
    _ directory: Result<String, Fixtures.BuildFailure>,
    _ adjust: (inout PluginHosts.Configuration) -> Void = { _ in }
  )
    throws
  {
    loop = try EventLoop()
    var configuration = PluginHosts.Configuration(
      hostExecutable: Fixtures.host, pluginDirectories: [try directory.get()])
    configuration.limits = .unhurried
    adjust(&configuration)
    let record = record
    hosts = PluginHosts(loop: loop, configuration: configuration) { record.events.append($0) }
  }

  deinit {
    var isDone = false
    hosts.shutDown { isDone = true }
    _ = loop.run(atMost: Self.patience) { isDone }
  }

  /// Reads the files of these kinds, as a start and a reload do.
  func read(_ kinds: [HostSpec]) {
    hosts.note(PluginFiles(of: kinds, userFiles: hosts.configuration.userFiles))
  }

  var events: [PluginEvent] { record.events }
  var notes: [HostNote] { events.compactMap { if case .note(let note) = $0 { note } else { nil } } }

  /// Starts a run of a plugin given by name or path.
  func start(
    _ plugin: String, job: String = "broken", parameters: String = "{}",
    _ adjust: (inout PluginRun) -> Void = { _ in }
  ) throws -> RunID {
    let run = try request(plugin, job: job, parameters: parameters, adjust)
    hosts.start(run)
    return run.run
  }

  /// Makes a run that is not started.
  func request(
    _ plugin: String, job: String = "broken", parameters: String = "{}",
    _ adjust: (inout PluginRun) -> Void = { _ in }
  ) throws -> PluginRun {
    runs += 1
    guard let name = JobName(job) else {
      throw Fixtures.BuildFailure(description: "\(job) is not a job's name")
    }
    let nominal = WallInstant(secondsSinceEpoch: 1_800_000_000)
    let attempt = Attempt(
      run: RunID(number: runs), entry: EntryKey(job: name, nominal: nominal), cause: .schedule,
      startedAt: nominal)
    var run = PluginRun(
      attempt: attempt, kind: HostSpec(pluginPath: try hosts.configuration.search.path(of: plugin)),
      parameters: parameters)
    adjust(&run)
    return run
  }

  /// The end of the run; `nil` before that.
  func end(of run: RunID) -> PluginRunEnd? {
    for case .ended(run, let end) in events { return end }
    return nil
  }

  /// Waits for the end of a run.
  func finish(_ run: RunID) throws -> PluginRunEnd {
    try wait(for: "the end of run \(run)") { end(of: run) != nil }
    guard let end = end(of: run) else { throw Fixtures.BuildFailure(description: "unreachable") }
    return end
  }

  /// Starts a run and waits for its end.
  func run(
    _ plugin: String, job: String = "broken", parameters: String = "{}",
    _ adjust: (inout PluginRun) -> Void = { _ in }
  ) throws -> PluginRunEnd {
    try finish(start(plugin, job: job, parameters: parameters, adjust))
  }

  func wait(for what: String, until condition: () -> Bool) throws {
    guard loop.takeTurns(atMost: Self.patience, untilSeen: condition) else {
      throw Fixtures.BuildFailure(description: "\(what) did not come; so far: \(events.suffix(10))")
    }
  }

  /// The messages of a run's lines from this source.
  func lines(of run: RunID, _ source: PluginLine.Source) -> [String] {
    events.compactMap { event in
      if case .line(let line) = event, line.run == run, line.source == source { line.message } else { nil }
    }
  }
}

extension HostLimits {
  /// Limits that are not reached on a slow machine; a test of a limit sets it.
  static var unhurried: HostLimits {
    var limits = HostLimits()
    limits.loadLimit = Patience.usual
    limits.idleTimeOfUserMax = .days(1)
    return limits
  }
}

extension Stage {
  /// Number of dropped bytes of a run's output, as reported by the pools.
  func droppedBytes(of run: RunID) -> Int {
    events.reduce(0) { sum, event in
      guard case .line(let line) = event, line.run == run, line.source == .pools else { return sum }
      return sum + (line.fields.first { $0.key == "dropped_bytes" }.flatMap { Int($0.value) } ?? 0)
    }
  }

  /// The messages of all of a run's lines, in their order.
  func allLines(of run: RunID) -> [String] {
    events.compactMap { event in
      if case .line(let line) = event, line.run == run { line.message } else { nil }
    }
  }
}

/// Whether a process exists and is no zombie.
func isAlive(_ process: Int32) -> Bool {
  guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
    return false
  }
  return status[(status.lastIndex(of: ")") ?? status.startIndex)...].dropFirst(2).first != "Z"
}

extension EntryRecord? {
  /// A backup that failed twice.
  static var sample: EntryRecord? {
    JobName("backup").map { job in
      EntryRecord(
        entry: EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 1_800_000_000)),
        outcome: .failed, reason: "no disk", run: RunID(number: 7), startedAt: .epoch, endedAt: .epoch,
        attempts: 2)
    }
  }
}

extension EventLoop {
  /// Runs the loop until `condition` holds, for at most `limit`; returns whether it holds at the end. The condition may
  /// depend on events that do not wake the loop, such as the end of other processes, so it is also checked regularly.
  func takeTurns(atMost limit: ElapsedTime, untilSeen condition: () -> Bool) -> Bool {
    let deadline = SystemTime.monotonic() + limit
    while !condition() {
      let left = deadline - SystemTime.monotonic()
      guard left > .zero else { return false }
      runOnce(timeout: min(left, .milliseconds(20)))
    }
    return true
  }
}

extension PluginHosts {
  /// Prepares a run in the same way as the daemon.
  func ready(_ run: PluginRun) -> ReadyRun {
    ready(
      run.attempt, kind: run.kind, parameters: run.parameters, revision: run.revision, cursor: run.cursor,
      isRehearsal: run.isRehearsal)
  }

  /// Starts a single run.
  func start(_ run: PluginRun) { start([ready(run)]) }
}
