import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

@Suite struct `Plugins that break the rules` {
  struct Case: CustomTestStringConvertible, Sendable {
    var plugin: String
    var parts: [String]
    var testDescription: String { plugin }
  }

  @Test(arguments: [
    Case(plugin: "wrong-abi", parts: ["ABI", "90", "99"]),
    Case(plugin: "missing-entry", parts: ["timelined_plugin_entry"]),
    Case(plugin: "missing-symbol", parts: ["nobody_has_this"]),
    Case(
      plugin: "crash",
      parts: ["the plugin crashed: SIGSEGV in job broken", "its host is replaced", "coredumpctl"]),
    Case(plugin: "abort", parts: ["the plugin crashed: SIGABRT in job broken", "coredumpctl"]),
    Case(plugin: "exit", parts: ["exit(0) in job broken", "a plugin returns from its run function"]),
    Case(
      plugin: "close-all", parts: ["closed descriptors of timeline-host in job broken", "ask its author"]),
    Case(plugin: "crash-at-load", parts: ["while it was loaded: SIGSEGV", "coredumpctl"]),
    Case(plugin: "crash-in-open", parts: ["SIGSEGV in job broken", "coredumpctl"]),
  ])
  func `a run of a faulty plugin fails with file, reason and remedy, others succeed`(broken: Case) throws {
    let stage = try Stage(Fixtures.broken)
    let before = try stage.run("steady", job: "steady")
    #expect(before.outcome.status == .succeeded, "\(before)")
    let run = try stage.start(broken.plugin)
    let beside = try stage.start("steady", job: "steady")
    let end = try stage.finish(run)
    #expect(end.outcome.status == .failed)
    let path = try stage.hosts.configuration.search.path(of: broken.plugin)
    #expect(end.outcome.message.hasPrefix("\(path): "), "\(end.outcome.message)")
    for part in broken.parts { #expect(end.outcome.message.contains(part), "\(end.outcome.message)") }
    #expect(end.outcome.message.contains("; "), "there is a remedy in \(end.outcome.message)")
    let neighbor = try stage.finish(beside)
    #expect(neighbor.result == before.result, "the neighbor kept its host")
  }

  @Test func `a file that is no library and a file that other users may write are refused`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "timelined-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let text = directory.appending(path: "text.so").path
    try "not a library at all".write(toFile: text, atomically: false, encoding: .utf8)
    let open = directory.appending(path: "open.so").path
    try FileManager.default.copyItem(atPath: Fixtures.broken.get() + "/steady.so", toPath: open)
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: open)
    let absent = directory.appending(path: "absent.so").path
    let stage = try Stage(Fixtures.broken)
    for path in [text, open, absent] {
      let message = try stage.run(path).outcome.message
      #expect(message.hasPrefix("\(path): ") && message.contains("; "), "\(message)")
    }
    #expect(try stage.run("steady").outcome.status == .succeeded)
  }

  @Test func `no run inherits a permanent change of an earlier run`() throws {
    let stage = try Stage(Fixtures.broken) { $0.limits.endLimit = Patience.usual }
    var kind = HostSpec(pluginPath: try stage.hosts.configuration.search.path(of: "leaves-niceness"))
    // Root could undo it.
    if isRoot { kind.user = "nobody" }
    let results = try (0..<10).map { _ in try stage.run("leaves-niceness") { $0.kind = kind }.result ?? "" }
    let nicenesses = Set(results.map { $0.split(separator: " ").first })
    #expect(Set(results).count == 10 && nicenesses.count == 1, "\(results)")
  }

  @Test func `a plugin that hangs is killed with its host, and other jobs run meanwhile`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("hang")
    try stage.wait(for: "its line") { stage.lines(of: run, .log) == ["hanging"] }
    for _ in 0..<20 { #expect(try stage.run("steady", job: "steady").outcome.status == .succeeded) }
    stage.hosts.askToStop(run, .timeout)
    for _ in 0..<20 { #expect(try stage.run("steady", job: "steady").outcome.status == .succeeded) }
    #expect(stage.end(of: run) == nil)
    stage.hosts.kill(run, .timeout)
    let end = try stage.finish(run)
    #expect(end.outcome.status == .cancelled)
    #expect(end.outcome.message.contains("it outlived its timeout"), "\(end.outcome.message)")
    let again = try stage.start("hang")
    try stage.wait(for: "its line") { stage.lines(of: again, .log) == ["hanging"] }
    stage.hosts.kill(again, .cancel)
    #expect(try stage.finish(again).outcome.message.contains("it was cancelled"))
  }

  @Test func `a process that a plugin has started is killed with it`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("forks")
    try stage.wait(for: "the child's number") { !stage.lines(of: run, .log).isEmpty }
    let child = try #require(Int32(stage.lines(of: run, .log)[0]))
    #expect(isAlive(child))
    stage.hosts.askToStop(run, .timeout)
    stage.hosts.kill(run, .timeout)
    _ = try stage.finish(run)
    try stage.wait(for: "the child's end") { !isAlive(child) }
  }

  @Test(arguments: ["endless-output", "endless-log"])
  func `endless output is dropped, blocks no plugin and delays no other job`(plugin: String) throws {
    let stage = try Stage(Fixtures.broken) { $0.outputLimits.linesPerSecond = 10 }
    let run = try stage.start(plugin)
    let bound = stage.hosts.configuration.outputLimits.burstLines
    let source: PluginLine.Source = plugin == "endless-log" ? .log : .output
    try stage.wait(for: "a flood") { stage.lines(of: run, source).count >= bound }
    let began = SystemTime.monotonic()
    for _ in 0..<50 { #expect(try stage.run("steady", job: "steady").outcome.status == .succeeded) }
    let took = SystemTime.monotonic() - began
    print("fifty runs beside \(plugin): \(took.nanoseconds / 1_000_000) ms")
    #expect(took < Patience.scaled(.seconds(20)), "fifty runs beside it took \(took)")
    stage.hosts.askToStop(run, .timeout)
    let end = try stage.finish(run)
    #expect(end.outcome.status == .cancelled)
    #expect(stage.lines(of: run, source).count < bound + 1_000)
    #expect(stage.lines(of: run, .pools).contains { $0.contains(" of output dropped (limit: ") })
  }

  @Test func `fields of lines and the texts of progress count against the budget`() throws {
    let workshop = try Workshop()
    let plugin = try workshop.compile(
      """
      #include <string.h>
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        static char value[1001], text[4001];
        memset(value, 'v', 1000);
        memset(text, 'p', 4000);
        const char *fields[65] = {0};
        for (int i = 0; i < 32; i++) {
          fields[2 * i] = "FIELD";
          fields[2 * i + 1] = value;
        }
        for (int i = 0; i < 200; i++) {
          context->host->log(context->call, TIMELINED_INFO, "short", fields);
          context->host->report_progress(context->call, 0.5, text);
        }
        return TIMELINED_OK;
      }
      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "plugin", .version = "1", .summary = "says much beside its lines", .run = run};
      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) { (void)host; return &table; }
      """)
    let stage = try Stage(Fixtures.broken) {
      ($0.outputLimits.burstBytes, $0.outputLimits.bytesPerSecond) = (100_000, 0)
    }
    #expect(
      try stage.run("steady") { $0.kind = HostSpec(pluginPath: plugin) }.outcome.status == .succeeded)
    var sent = 0
    for event in stage.events {
      switch event {
      case .line(let line):
        sent += line.fields.reduce(line.message.utf8.count) { $0 + $1.key.utf8.count + $1.value.utf8.count }
      case .progress(_, _, _, let text): sent += text.utf8.count
      default: break
      }
    }
    // One line more than the budget admits, the held lines, and the last progress.
    #expect((60_000..<300_000).contains(sent), "\(sent) bytes")
  }

  @Test func `the latest progress in an iteration of the loop is passed on`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("endless-progress")
    let job = try #require(JobName("broken"))
    try stage.wait(for: "progress") {
      stage.events.contains(.progress(run, job, millionths: 500_000, text: "half"))
    }
    for _ in 0..<20 { #expect(try stage.run("steady", job: "steady").outcome.status == .succeeded) }
    stage.hosts.askToStop(run, .cancel)
    #expect(try stage.finish(run).outcome.status == .cancelled)
  }

  @Test func `a leak is contained by replacing the host`() throws {
    let stage = try Stage(Fixtures.broken) { $0.limits.runsPerHostMax = 3 }
    let counts = try (0..<7).map { _ in try stage.run("leak").result }
    #expect(counts == ["1", "2", "3", "1", "2", "3", "1"])
    let recycled = stage.notes.filter { if case .recycled(_, runs: 3) = $0 { true } else { false } }
    #expect(recycled.count == 2)
  }

  @Test func `a run whose open hangs can be stopped`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("slow-open")
    try stage.wait(for: "its start") {
      stage.events.contains { if case .started(run, _, _) = $0 { true } else { false } }
    }
    #expect(try stage.run("steady", job: "steady").outcome.status == .succeeded)
    stage.hosts.askToStop(run, .timeout)
    stage.hosts.kill(run, .timeout)
    #expect(try stage.finish(run).outcome.status == .cancelled)
  }

  @Test func `a plugin whose load hangs fails its run in bounded time, and the next one at once`()
    throws
  {
    let stage = try Stage(Fixtures.broken) {
      $0.limits.loadLimit = .milliseconds(300)
      ($0.limits.pauseFrom, $0.limits.pauseTo) = (.days(1), .days(1))
    }
    let end = try stage.run("slow-load")
    #expect(end.outcome.message.contains("was not loaded within"), "\(end.outcome.message)")
    let next = try stage.start("slow-load")
    #expect(stage.end(of: next)?.outcome.message.contains("not tried again so soon") == true)
  }

  @Test func `the death of an idle host fails no run`() throws {
    let stage = try Stage(Fixtures.broken)
    #expect(try stage.run("crash-at-rest").outcome.status == .succeeded)
    try stage.wait(for: "its death") { !stage.notes.isEmpty }
    #expect("\(stage.notes[0])".contains("SIGSEGV"))
    #expect(try stage.run("crash-at-rest").outcome.status == .succeeded)
  }

  @Test func `a plugin that closes the host's socket can still be killed`() throws {
    let stage = try Stage(Fixtures.broken) { $0.limits.endLimit = .milliseconds(100) }
    let run = try stage.start("close-socket")
    try stage.wait(for: "its line") { !stage.lines(of: run, .output).isEmpty }
    stage.hosts.askToStop(run, .timeout)
    #expect(try stage.run("steady", job: "steady").outcome.status == .succeeded)
    stage.hosts.kill(run, .timeout)
    #expect(try stage.finish(run).outcome.status != .succeeded)
    #expect(try stage.run("steady").outcome.status == .succeeded)
  }

  @Test func `a plugin that passes a descriptor is killed, and delays no other job`() throws {
    let stage = try Stage(Fixtures.broken)
    let begin = SystemTime.monotonic()
    let run = try stage.start("passes")
    try stage.wait(for: "its line, or its end") {
      stage.lines(of: run, .output) == ["refused"] || stage.end(of: run) != nil
    }
    // Allows it, as on a kernel that cannot refuse it.
    for number in 3..<CInt(1024) { DescriptorPassing.allow(on: number) }
    let end = try stage.finish(run)
    #expect(SystemTime.monotonic() - begin < .seconds(50))
    #expect(end.outcome.status == .failed && end.outcome.message.contains("were passed along"), "\(end)")
    #expect(try stage.run("steady").outcome.status == .succeeded)
  }

  @Test func `a job whose plugin keeps crashing pauses, and no other job does`() throws {
    let stage = try Stage(Fixtures.broken) {
      ($0.limits.pauseFrom, $0.limits.pauseTo) = (.days(1), .days(1))
    }
    for _ in 0..<3 { #expect(try stage.run("crash").outcome.message.contains("SIGSEGV")) }
    #expect(try stage.run("crash").outcome.message.contains("not tried again so soon after this"))
    #expect(
      try stage.run("crash", job: "other").outcome.message.contains(
        "the plugin crashed: SIGSEGV in job other"))
  }

  @Test func `a reload applies the new file of a replaced plugin`() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "timelined-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "changing.so").path
    try FileManager.default.copyItem(atPath: Fixtures.broken.get() + "/leak.so", toPath: path)
    let stage = try Stage(Fixtures.broken)
    stage.read([HostSpec(pluginPath: path)])
    #expect(try stage.run(path).result == "1")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: Fixtures.broken.get() + "/steady.so", toPath: path)
    #expect(try stage.run(path).result == "2")
    stage.read([HostSpec(pluginPath: path)])
    stage.hosts.retain([HostSpec(pluginPath: path): []])
    #expect(try stage.run(path).result == stage.hosts.hostProcesses.last.map(String.init))
  }

  @Test func `a missing host program is named in the failure`() throws {
    let stage = try Stage(Fixtures.broken) { $0.hostExecutable = "/nonexistent/timeline-host" }
    let end = try stage.run("steady")
    #expect(end.outcome.message.contains("/nonexistent/timeline-host"), "\(end.outcome.message)")
    #expect(end.outcome.isWorthRetrying)
  }

  @Test func `a shutdown ends all hosts, including those of hanging plugins`() throws {
    let stage = try Stage(Fixtures.broken) { $0.limits.endLimit = .milliseconds(200) }
    let run = try stage.start("hang")
    try stage.wait(for: "its line") { !stage.lines(of: run, .log).isEmpty }
    _ = try stage.run("steady", job: "steady")
    let processes = stage.hosts.hostProcesses
    #expect(processes.count == 2)
    var isDone = false
    stage.hosts.shutDown { isDone = true }
    try stage.wait(for: "the end") { isDone }
    #expect(stage.hosts.hostCount == 0)
    #expect(processes.allSatisfy { !isAlive($0) })
    #expect(stage.end(of: run)?.outcome.status == .cancelled)
    #expect(try stage.run("steady").outcome.message.contains("shutting down"))
  }

  @Test func `a warm host answers quickly`() throws {
    let stage = try Stage(Fixtures.broken)
    let first = try stage.run("steady")
    var times: [Int64] = []
    for _ in 0..<500 {
      let began = SystemTime.monotonic()
      let end = try stage.run("steady")
      times.append((SystemTime.monotonic() - began).nanoseconds)
      #expect(end.result == first.result, "the same process")
    }
    times.sort()
    print("a run on a warm host: p50 \(times[250] / 1_000) us, p99 \(times[495] / 1_000) us")
    #expect(times[250] < Patience.scaled(.milliseconds(50)).nanoseconds)
  }
}
