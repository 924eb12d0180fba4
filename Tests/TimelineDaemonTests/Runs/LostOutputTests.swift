import Testing
import TimelineSystem
import TimelineTestSupport

@Suite struct `Output that cannot be written` {
  /// Runs the program with its output where the shell's words put it.
  private static func run(_ words: [String], _ redirection: String, on daemon: DaemonProcess) throws
    -> FinishedProgram
  {
    let program = try StartedProgram(
      ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(redirection)", BuiltProgram.control] + words, on: daemon.loop)
    try daemon.wait(for: "the end of \(words)") { program.result != nil }
    return try #require(program.result)
  }

  @Test func `fails every verb with 74`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try `The control socket of a real daemon`.daemon(workshop)
    let file = workshop.path + "/daemon.toml"
    let gate = workshop.path + "/gate.so"
    let socket = ["--socket", daemon.socketPath]
    let plugins = ["--plugins", workshop.path, "--host", BuiltProgram.host]
    let verbs =
      [
        ["check", file] + plugins, ["dry-run", "-c", file, "--for", "2s"],
        ["dry-run", "-c", file, "--for", "2s", "--summary"], ["plan", file, file, "--for", "2s"],
        ["next", "@daily"],
        ["explain", "@daily"], ["plugin", "inspect", gate, "--host", BuiltProgram.host],
        ["--help"], ["help", "next"], ["--version"], ["--generate-completion-script", "bash"],
      ]
      + [
        ["status"], ["list"], ["why", "steady", "now"], ["history"], ["watch"],
        ["logs", "steady"], ["logs", "steady", "-f"], ["trigger", "failing"],
        ["trigger", "steady", "--wait"],
        ["pause", "held"], ["resume", "held"], ["release", "held"], ["backup"], ["reload"],
      ].map { $0 + socket }
    try daemon.line(containing: "steady", "succeeded")
    for words in verbs {
      let full = try Self.run(words, "> /dev/full", on: daemon)
      #expect(full.end == .exited(74), "\(words): \(full)")
      #expect(
        full.errors.hasSuffix("timelinectl: error: standard output: no space left on device\n"),
        "\(words): \(full)")
      if words.contains("--json") || words[0].hasPrefix("-") || words[0] == "check" { continue }
      let json = try Self.run(words + ["--json"], "> /dev/full", on: daemon)
      #expect(json.end == .exited(74) || words[0] == "plan" || words[0] == "help", "\(words) --json: \(json)")
    }
    // The number of a closed standard output is not reused for the connection, which would receive the text.
    for words in [["status"] + socket, ["list"] + socket, ["next", "@daily"]] {
      let closed = try Self.run(words, ">&-", on: daemon)
      #expect(
        closed.end == .exited(74)
          && closed.errors == "timelinectl: error: standard output: bad file descriptor\n",
        "\(words): \(closed)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(arguments: ["--help", "--version"])
  func `fails the answers of the daemon's program to its command line`(option: String) throws {
    let full = try StartedProgram.run(
      ["/bin/sh", "-c", "exec \"$0\" \"$@\" > /dev/full", BuiltProgram.daemon, option])
    #expect(full.end == .exited(74), "\(full)")
    #expect(full.errors == "timelined: error: standard output: no space left on device\n")
    #expect(try StartedProgram.run([BuiltProgram.daemon, option]).end == .exited(0))
  }

  @Test(arguments: ["trap '' PIPE;", ""])
  func `ends in silence when its reader is gone`(prelude: String) throws {
    let script = "\(prelude) { \"$0\" \"$@\"; echo \"status $?\" >&2; } | :"
    let result = try StartedProgram.run(
      ["/bin/sh", "-c", script, BuiltProgram.control, "next", "@daily", "-n", "10000"])
    let status = prelude.isEmpty ? 141 : 74
    #expect(result.errors == "status \(status)\n" && result.output.isEmpty, "\(result)")
  }
}
