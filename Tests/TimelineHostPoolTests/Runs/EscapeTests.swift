import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Processes that leave their group, their session and their parent: no process of a run outlives its host.
@Suite struct `Plugins whose processes leave their group` {
  /// A run with an escaped process, and the number of that process.
  private func escape(_ stage: Stage, hangs: Bool) throws -> (run: RunID, process: Int32) {
    let run = try stage.start("escapes", parameters: "{\"hangs\": \(hangs)}")
    try stage.wait(for: "its number") { !stage.lines(of: run, .log).isEmpty }
    let process = try #require(Int32(stage.lines(of: run, .log)[0]))
    #expect(isAlive(process))
    return (run, process)
  }

  @Test func `escaped processes are killed with their run`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.broken) { $0.environment[ProcessMark.name] = mark.text }
    let (run, process) = try escape(stage, hangs: true)
    stage.hosts.askToStop(run, .timeout)
    stage.hosts.kill(run, .timeout)
    #expect(try stage.finish(run).outcome.message.contains("it outlived its timeout"))
    try stage.wait(for: "its end") { !isAlive(process) }
    #expect(mark.processes() == [])
  }

  @Test func `escaped processes are killed with their run, even if there is no control group to use`() throws
  {
    let (mark, workshop) = (ProcessMark(), try Workshop())
    // A plain directory is no control group: the kernel ignores it.
    let stage = try Stage(Fixtures.broken) {
      $0.environment[ProcessMark.name] = mark.text
      $0.delegatedGroup = DelegatedGroup(at: workshop.path)
    }
    let (run, process) = try escape(stage, hangs: true)
    stage.hosts.kill(run, .timeout)
    let end = try stage.finish(run)
    #expect(end.outcome.message.contains("it outlived its timeout"))
    #expect(end.usage == RunUsage(), "there is no group to ask")
    try stage.wait(for: "its end") { !isAlive(process) }
    #expect(mark.processes() == [])
  }

  @Test func `escaped processes of a run that obeys a stop are killed, and its host stays in service`() throws
  {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.broken) { $0.environment[ProcessMark.name] = mark.text }
    let run = try stage.start("escapes", parameters: "{\"hangs\": true, \"obeys\": true}")
    try stage.wait(for: "its number") { !stage.lines(of: run, .log).isEmpty }
    let process = try #require(Int32(stage.lines(of: run, .log)[0]))
    #expect(isAlive(process))
    stage.hosts.askToStop(run, .timeout)
    #expect(try stage.finish(run).outcome.message == "the plugin stopped when it was asked to")
    try stage.wait(for: "its end") { !isAlive(process) }
    #expect(mark.processes() == stage.hosts.hostProcesses)
  }

  @Test func `child processes of a command that obeys a stop are ended`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.bundled) { $0.environment[ProcessMark.name] = mark.text }
    let command = "setsid sh -c 'trap \\\"\\\" TERM; echo here; sleep 4242' & exec sleep 4343"
    let run = try stage.start("exec", parameters: "{\"command\": \"\(command)\", \"shell\": true}")
    try stage.wait(for: "its word") { stage.lines(of: run, .log) == ["here"] }
    stage.hosts.askToStop(run, .timeout)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    try stage.wait(for: "their end") { mark.processes() == stage.hosts.hostProcesses }
  }

  @Test(arguments: [
    (["timeout", "1h"], "the leader of a group"), (["setsid"], "the leader of a session"),
    (["sh", "-c", "timeout 1h \"$@\"; echo after", "sh"], "below one that follows at once"),
  ])
  func `a process outside the host's group also gets SIGTERM and has time to end`(
    launcher: [String], place: String
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let word = directory.appending(path: "word")
    // It cleans up for a moment, with a program that it starts for that, and prints a line.
    let script =
      "trap 'sleep 0.2; echo asked; echo asked > \(word.path); exit 1' TERM; echo here; while :; do sleep 0.02; done"
    let parameters = try JSONSerialization.data(
      withJSONObject: ["command": launcher + ["sh", "-c", script]])
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.bundled) { $0.environment[ProcessMark.name] = mark.text }
    let run = try stage.start("exec", parameters: String(decoding: parameters, as: UTF8.self))
    try stage.wait(for: "its word") { stage.lines(of: run, .log) == ["here"] }
    stage.hosts.askToStop(run, .timeout)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    #expect((try? String(contentsOf: word, encoding: .utf8)) == "asked\n", "\(place)")
    #expect(stage.lines(of: run, .log).contains("asked"), "\(place)")
    #expect(mark.processes() == stage.hosts.hostProcesses)
  }

  /// Runs in a process of its own: a subreaper ends every child that it did not start, and the tests beside this one have
  /// some of these.
  @Test func `the orphans of a host that was killed from outside are ended and reaped`()
    async throws
  {
    let directory = try Fixtures.broken.get()
    await #expect(processExitsWith: .success) { [directory = directory as String] in
      let stage = try Stage(.success(directory)) { $0.isOrphan = { _ in true } }
      let run = try stage.start("escapes")
      try stage.wait(for: "its number") { !stage.lines(of: run, .log).isEmpty }
      let process = try #require(Int32(stage.lines(of: run, .log)[0]))
      try #require(isAlive(process))
      try #require(kill(stage.hosts.hostProcesses[0], SIGKILL) == 0)
      try #require(try stage.finish(run).outcome.message.contains("SIGKILL"))
      let facts = "/proc/\(process)"
      try stage.wait(for: "its end") { !FileManager.default.fileExists(atPath: facts) }
    }
  }

  @Test func `leftovers of a run are killed and named even if they ignore SIGTERM`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.broken) { $0.environment[ProcessMark.name] = mark.text }
    let run = try stage.start("escapes", parameters: #"{"hangs": false}"#)
    #expect(try stage.finish(run).outcome.status == .succeeded)
    #expect(mark.processes() == stage.hosts.hostProcesses, "its host lives on")
    let lines = stage.lines(of: run, .log)
    #expect(lines.count == 2, "\(lines)")
    #expect(
      lines.last?.hasPrefix("left behind by the run and ended with it: 1 process: ") == true
        && lines.last?.contains(" (pid \(lines[0])); set `leftovers` to \"keep\"") == true, "\(lines)")
  }
}

/// A variable that all descendants of a stage's hosts have in their environment, unless they remove it.
struct ProcessMark: Sendable {
  static let name = "TIMELINED_TEST_MARK"
  let text = UUID().uuidString

  /// The processes with this mark that have not ended.
  func processes() -> [Int32] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc"))?.compactMap { Int32($0) }
    return (numbers ?? []).filter { has($0) && isAlive($0) }
  }

  /// Whether a process has it; one that has ended has no environment any more.
  func has(_ process: Int32) -> Bool {
    guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/environ") else { return false }
    return String(decoding: bytes, as: UTF8.self).contains("\(Self.name)=\(text)")
  }
}
