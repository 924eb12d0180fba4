import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Processes that leave their group, their session and their parent: nothing of a run outlives its host.
@Suite struct `Plugins whose processes run away` {
  /// A run that has let a process escape, and that process's number.
  private func escape(_ stage: Stage, hangs: Bool) throws -> (run: RunID, process: Int32) {
    let run = try stage.start("escapes", parameters: "{\"hangs\": \(hangs)}")
    try stage.wait(for: "its number") { !stage.lines(of: run, .log).isEmpty }
    let process = try #require(Int32(stage.lines(of: run, .log)[0]))
    #expect(isAlive(process))
    return (run, process)
  }

  @Test func `A run that is killed takes them along`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.broken) { $0.environment[ProcessMark.name] = mark.text }
    let (run, process) = try escape(stage, hangs: true)
    stage.hosts.askToStop(run, .timeout)
    stage.hosts.kill(run, .timeout)
    #expect(try stage.finish(run).outcome.message.contains("it outlived its timeout"))
    try stage.wait(for: "its end") { !isAlive(process) }
    #expect(mark.processes() == [])
  }

  @Test func `A run whose host finds no control group to enter is as good, and takes them along too`() throws
  {
    let (mark, workshop) = (ProcessMark(), try Workshop())
    // A directory is no group: the kernel has nothing to do with what is made in it.
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

  @Test func `A run that obeys when it is asked to stop takes them along too, and its host lives on`() throws
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

  @Test func `A command that obeys when it is asked to stop takes along what it started`() throws {
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
  func `What is not in the host's group is asked to stop too, and has time for it`(
    launcher: [String], place: String
  ) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let word = directory.appending(path: "word")
    // It takes a moment to put its things in order, by a program that it starts for that, and says so.
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

  /// In a process of its own: one that becomes a subreaper ends every child that it did not start, and the tests beside
  /// this one have some.
  @Test func `A host that is killed behind our back leaves them to us, and we end and reap them`()
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

  @Test func `What a run leaves behind is ended with it and named, deaf to SIGTERM as it may be`() throws {
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

/// A variable that everything a stage's hosts start has in its environment, unless it takes pains not to.
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
