import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem
import TimelineTestSupport

/// Processes that runs leave behind, in the host's group and outside it, with a parent and without.
@Suite struct `Leftovers of runs` {
  private static let leaves = "setsid -f sleep 4242; sleep 4343 & (sleep 4444 & sleep 4545 &); echo left"

  private func leave(_ stage: Stage, keeps: Bool) throws -> RunID {
    let parameters = try JSONSerialization.data(
      withJSONObject: ["command": Self.leaves, "shell": true], options: [.sortedKeys])
    let run = try stage.start("exec", parameters: String(decoding: parameters, as: UTF8.self)) {
      $0.kind.setup.leftovers = keeps ? .keep : .kill
      // Becoming their parent also works in the strictest sandbox.
      if keeps { $0.kind.setup.sandbox.systemCalls = .strict }
      if keeps, (try? Landlock.version()) != nil { $0.kind.setup.sandbox.writable = [] }
    }
    #expect(try stage.finish(run).result == "left")
    return run
  }

  /// The marked processes whose command line contains `text`.
  private func processes(_ mark: ProcessMark, _ text: String) -> [Int32] {
    mark.processes().filter {
      let bytes = FileManager.default.contents(atPath: "/proc/\($0)/cmdline") ?? Data()
      return String(decoding: bytes, as: UTF8.self).replacing("\0", with: " ").contains(text)
    }
  }

  @Test func `leftovers in any session or group are ended with the run and named`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.bundled) { $0.environment[ProcessMark.name] = mark.text }
    for _ in 1...2 {
      let run = try leave(stage, keeps: false)
      #expect(mark.processes() == stage.hosts.hostProcesses)
      let line = stage.lines(of: run, .log).last ?? ""
      #expect(line.hasPrefix("left behind by the run and ended with it: 4 processes: sleep (pid "), "\(line)")
    }
    #expect(stage.hosts.hostProcesses.count == 1, "the host is used again")
  }

  @Test func `a process that ends soon after the command is no leftover`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", parameters: #"{"command": "sleep 0.02 & echo left", "shell": true}"#)
    _ = try stage.finish(run)
    #expect(stage.lines(of: run, .log) == ["left"])
  }

  @Test func `kept leftovers outlive their host, stops of other runs, and the pools`() throws {
    let mark = ProcessMark()
    do {
      let stage = try Stage(Fixtures.bundled) { $0.environment[ProcessMark.name] = mark.text }
      let run = try leave(stage, keeps: true)
      #expect(stage.hosts.hostCount == 0, "the host has become their parent")
      let line = stage.lines(of: run, .log).last ?? ""
      #expect(line.hasPrefix("left behind by the run and kept: 4 processes: sleep (pid "), "\(line)")
      let next = try stage.start("exec", parameters: #"{"command": ["sleep", "4646"]}"#) {
        $0.kind.setup.leftovers = .keep
      }
      try stage.wait(for: "the next run") { !processes(mark, "sleep 4646").isEmpty }
      stage.hosts.askToStop(next, .cancel)
      #expect(try stage.finish(next).outcome.status == .cancelled)
      #expect(processes(mark, "sleep 4646") == [])
      stage.hosts.retain([:])
    }
    let kept = processes(mark, "sleep 4")
    #expect(kept.count == 4)
    let keeper = processes(mark, "timeline-host: keeps what job broken has left running")
    #expect(keeper.count == 1)
    for process in keeper {
      let place = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
      #expect(place == "/")
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").sorted()
      #expect(descriptors.prefix(3) == ["0", "1", "2"] && descriptors.count == 3, "\(descriptors)")
    }
    for process in kept { kill(process, SIGKILL) }
    let loop = try EventLoop()
    _ = loop.takeTurns(atMost: Stage.patience) { mark.processes().isEmpty }
    try #require(mark.processes() == [], "their parent ends with the last of them")
    // Its pools have ended, so the test reaps it: with a zombie child, Swift Testing does not notice the end of exit tests.
    for process in keeper { #expect(waitpid(process, nil, 0) == process) }
  }

  @Test func `leftovers beyond the limit of hosts are killed, with a note`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.bundled) {
      $0.environment[ProcessMark.name] = mark.text
      $0.limits.leftoverHostsPerJobMax = 1
    }
    for _ in 1...2 { _ = try leave(stage, keeps: true) }
    let warning = "job broken: leftovers of a run were killed: 1 plugin hosts stay"
    try stage.wait(for: "the warning") { stage.notes.contains { $0.description.hasPrefix(warning) } }
    try stage.wait(for: "the end of the last") { processes(mark, "sleep 4").count == 4 }
    for process in processes(mark, "sleep 4") { kill(process, SIGKILL) }
    try stage.wait(for: "the end of the first") { mark.processes() == [] }
    _ = try leave(stage, keeps: true)
    #expect(processes(mark, "sleep 4").count == 4, "there is room again")
    var keepers: [Int32] = []
    try stage.wait(for: "its host to keep them") {
      keepers = processes(mark, "timeline-host: keeps what job broken has left running")
      return keepers.count == 1
    }
    for process in processes(mark, "sleep 4") { kill(process, SIGKILL) }
    try stage.wait(for: "its host to be reaped") {
      keepers.allSatisfy { !FileManager.default.fileExists(atPath: "/proc/\($0)") }
    }
  }

  @Test func `a run of a job that keeps leftovers and leaves none keeps its host`() throws {
    let stage = try Stage(Fixtures.bundled)
    for _ in 1...2 {
      let end = try stage.run("exec", parameters: #"{"command": ["true"]}"#) {
        $0.kind.setup.leftovers = .keep
      }
      #expect(end.outcome.status == .succeeded)
    }
    #expect(stage.hosts.hostProcesses.count == 1)
  }

  @Test func `a stop of a run ends all its processes, even if leftovers are kept`() throws {
    let mark = ProcessMark()
    let stage = try Stage(Fixtures.bundled) { $0.environment[ProcessMark.name] = mark.text }
    let run = try stage.start(
      "exec", parameters: #"{"command": "setsid -f sleep 4242; exec sleep 4343", "shell": true}"#
    ) { $0.kind.setup.leftovers = .keep }
    try stage.wait(for: "both") { processes(mark, "sleep 4").count == 2 }
    stage.hosts.askToStop(run, .timeout)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    #expect(processes(mark, "sleep 4") == [])
    #expect(stage.hosts.hostCount == 1)
  }
}
