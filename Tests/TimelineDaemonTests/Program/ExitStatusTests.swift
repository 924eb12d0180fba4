import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `Exit statuses of timelinectl` {
  /// Command lines with the status of each; FILE, CHANGED and WRONG are configurations.
  static let table: [(words: [String], status: Int32)] = [
    (["status"], 0), (["--version"], 0), (["help", "status"], 0), (["list", "--json"], 0),
    (["why", "steady", "2000-01-01"], 0), (["history", "--until", "2000-01-01"], 0), (["pause", "held"], 0),
    (["resume", "held"], 0), (["reload"], 0), (["next", "@daily"], 0),
    (["explain", "held", "-c", "FILE"], 0),
    (["config", "show"], 0), (["config", "show", "-c", "FILE", "--json"], 0),
    (["config", "show", "-c", "WRONG"], 1),
    (["config", "shwo"], 64), (["check", "FILE", "--skip-plugins"], 0),
    (["plan", "FILE", "FILE", "--for", "1s"], 0),
    (["plan", "FILE", "CHANGED", "--for", "1s"], 1), (["check", "WRONG"], 1), (["check", "/nonexistent"], 1),
    (["dry-run", "-c", "WRONG"], 1), (["why", "nobody", "now"], 1), (["why", "held", "noon"], 1),
    (["history", "nobody"], 1), (["logs", "nobody"], 1), (["watch", "nobody"], 1),
    (["trigger", "nobody"], 1),
    (["trigger", "off"], 1), (["trigger", "failing", "--wait"], 1), (["pause", "nobody"], 1),
    (["resume", "nobody"], 1), (["cancel", "4711"], 1), (["plugin", "inspect", "/nonexistent.so"], 1),
    (["plan", "FILE", "WRONG"], 2), (["plan", "/nonexistent", "FILE"], 2), (["frobnicate"], 64),
    (["status", "--frobnicate"], 64), (["next", "61 * * * *"], 64), (["history", "-n", "0"], 64),
    (["trigger"], 64), (["status", "--socket", "/nonexistent"], 69), (["reload", "-s", "/dev/null"], 69),
  ]

  @Test func `are those of the manual, verb by verb`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let names = [
      "FILE": workshop.path + "/daemon.toml",
      "CHANGED": try workshop.write(
        "[job.steady]\nplugin = \"steady\"\nschedule = \(never)\n", to: "changed.toml"),
      "WRONG": try workshop.write("[job.steady]\nplugin = 1\n", to: "wrong.toml"),
    ]
    let programs = try Self.table.map { words, _ in
      try StartedProgram(
        [BuiltProgram.control, "--socket", daemon.socketPath] + words.map { names[$0] ?? $0 }, on: daemon.loop
      )
    }
    try daemon.wait(for: "the end of all") { programs.allSatisfy { $0.result != nil } }
    for (row, program) in zip(Self.table, programs) {
      let result = try #require(program.result)
      #expect(result.end == .exited(row.status), "\(row.words): \(result)")
      #expect((row.status > 1) == (!result.errors.isEmpty && row.status > 1), "\(row.words): \(result)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `are all in the manual`() throws {
    let page = try String(
      contentsOf: URL(fileURLWithPath: sourceRoot + "/Sources/Tools/timelinectl/timelinectl.1.in"),
      encoding: .utf8)
    let section = try #require(page.split(separator: ".Sh EXIT STATUS").last?.split(separator: ".Sh ").first)
    let documented = section.split(separator: "\n").compactMap { line in
      line.hasPrefix(".It ") ? Int32(line.dropFirst(4)) : nil
    }
    let source = try String(
      contentsOf: URL(fileURLWithPath: sourceRoot + "/Sources/Tools/timelinectl/Program/ExitStatus.swift"),
      encoding: .utf8)
    let used = source.split(separator: "\n").compactMap { line in
      line.hasPrefix("  case ") ? Int32(line.split(separator: " ").last ?? "") : nil
    }
    #expect(documented == used && used.count == 8)
  }
}
