import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `timelinectl without a daemon` {
  static func run(_ words: String...) throws -> FinishedProgram {
    try StartedProgram.run([BuiltProgram.control] + words)
  }

  // MARK: unknown commands

  @Test(
    arguments: [
      (["statsu"], "statsu: no such command; did you mean `status`?"),
      (["run", "backup"], "run: no such command; did you mean `trigger`?"),
      (["-s", "status", "list-timers"], "list-timers: no such command; did you mean `list`?"),
      (["--socket=x", "lst", "--json"], "lst: no such command; did you mean `list`?"),
      (["plugin", "inspcet", "x.so"], "inspcet: no such command; did you mean `inspect`?"),
      (["plugin", "start"], "start: no such command; the commands are inspect, list"),
      (["--sokcet", "x", "status"], "Unknown option '--sokcet'. Did you mean '--socket'?"),
      (
        ["frobnicate"],
        "frobnicate: no such command; the commands are check, config, dry-run, rehearse, plan, "
      ),
    ])
  func `an unknown command is answered with the one that was meant`(words: [String], said: String)
    throws
  {
    let result = try StartedProgram.run([BuiltProgram.control] + words)
    #expect(result.end == .exited(64) && result.output.isEmpty, "\(result)")
    #expect(result.errors.hasPrefix("timelinectl: error: \(said)"), "\(result)")
  }

  @Test(arguments: [["--version"], ["help"], ["help", "next"], ["next", "--help"], []])
  func `every request for help is answered`(words: [String]) throws {
    let result = try StartedProgram.run([BuiltProgram.control] + words)
    #expect(result.end == .exited(0) && !result.output.isEmpty && result.errors.isEmpty, "\(result)")
  }

  // MARK: check

  @Test func `check reports that a valid file is valid`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let path = try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = \(never)\nwith = { word = \"x\" }")
    let checked = try Self.run("check", path, "--plugins", workshop.path)
    #expect(checked.end == .exited(0))
    #expect(checked.output == "\(path): 1 job, no errors\n" && checked.errors.isEmpty, "\(checked)")
    let json = try Self.run("check", path, "--plugins", workshop.path, "--json")
    #expect(json.end == .exited(0) && json.output.isEmpty && json.errors.isEmpty, "\(json)")
  }

  @Test func `check shows every error with its place, as text and as JSON`() throws {
    let workshop = try Workshop()
    let path = try workshop.configure(
      """
      [job.first]
      plugin = "exec"
      schedule = { periodic = { by = "0s" } }
      [job.second]
      plugin = "exec"
      shedule = "every-minute"
      """)
    let checked = try Self.run("check", path)
    #expect(checked.end == .exited(1) && checked.output.isEmpty, "\(checked)")
    for part in ["\(path):6:", "\(path):9:1: ", "did you mean", "^", "errors\n"] {
      #expect(checked.errors.contains(part), "\(part) in: \(checked.errors)")
    }
    let json = try Self.run("check", path, "--json")
    #expect(json.end == .exited(1) && json.errors.isEmpty, "\(json)")
    let lines = try json.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.count >= 2)
    for line in lines {
      #expect(line["line"] is Int && line["column"] is Int && line["message"] is String, "\(line)")
    }
  }

  @Test func `check validates parameters with plugins, unless an option skips this`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let path = try workshop.configure(
      "[job.held]\nplugin = \"gate\"\nschedule = \(never)\nwith = { wrod = \"x\" }")
    let checked = try Self.run("check", path, "--plugins", workshop.path)
    #expect(checked.end == .exited(1) && checked.errors.contains("\(path):7:10: "), "\(checked)")
    #expect(checked.errors.contains("word"), "\(checked)")
    #expect(try Self.run("check", path, "--skip-plugins").end == .exited(0))
    let absent = try Self.run("check", path)
    #expect(absent.end == .exited(1) && absent.errors.contains("gate"), "a plugin that is not there")
    let missing = try Self.run("check", workshop.path + "/none.toml")
    #expect(missing.end == .exited(1) && missing.errors.contains(workshop.path + "/none.toml"), "\(missing)")
  }

  @Test
  func `check validates a disabled job's parameters with plugins too, and warns of a missing plugin`()
    throws
  {
    let workshop = try Workshop()
    try workshop.compileGate()
    let job = "schedule = \(never)\nenabled = false\n"
    let path = try workshop.configure(
      "[job.held]\nplugin = \"gate\"\n\(job)with = { wrod = \"x\" }")
    let wrong = try Self.run("check", path, "--plugins", workshop.path)
    #expect(wrong.end == .exited(1) && wrong.errors.contains("wrod"), "\(wrong)")
    try workshop.configure("[job.held]\nplugin = \"/nowhere/gate.so\"\n\(job)")
    let absent = try Self.run("check", path, "--plugins", workshop.path)
    #expect(absent.end == .exited(0), "\(absent)")
    #expect(absent.errors.contains("warning: ") && absent.errors.contains("/nowhere/gate.so"), "\(absent)")
    #expect(absent.errors.contains("the job held is disabled"), "\(absent)")
  }

  // MARK: plugin inspect

  @Test func `plugin inspect shows what a plugin reports about itself`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let file = workshop.path + "/gate.so"
    let result = try Self.run("plugin", "inspect", file)
    #expect(result.end == .exited(0))
    let text = result.output
    for part in [
      "gate 1.0: waits until it is let go\n", "file  \(file)\n", "abi   1\n", "  deaf", "  fifo", "  word",
    ] {
      #expect(text.contains(part), "\(part) in: \(text)")
    }
    let json = try Self.run("plugin", "inspect", file, "--json")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["name"] as? String == "gate")
    #expect(object["parametersSchema"] is [String: Any])
  }

  @Test(arguments: [
    ("wrong-abi", "90"), ("missing-symbol", "nobody_has_this"), ("missing-entry", "timelined_plugin_entry"),
    ("crash-at-load", "SIGSEGV"),
  ])
  func `plugin inspect names the fault of a broken plugin`(plugin: String, part: String) throws {
    let workshop = try Workshop()
    let file = try workshop.compile(directory: "Tests/BrokenPlugins/\(plugin)")
    let result = try Self.run("plugin", "inspect", file)
    #expect(result.end == .exited(1) && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains("\(file): ") && result.errors.contains(part), "\(result.errors)")
  }

  @Test func `plugin inspect refuses a file that is no plugin`() throws {
    let workshop = try Workshop()
    let file = try workshop.write("not a library", to: "text.so", mode: 0o755)
    for path in [file, workshop.path + "/absent.so"] {
      let result = try Self.run("plugin", "inspect", path)
      #expect(result.end == .exited(1) && result.errors.contains("\(path): "), "\(result)")
      #expect(result.errors.contains("; "), "a remedy in: \(result.errors)")
    }
  }
}
