import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport

/// Answers of the programs to invalid arguments, with suggestions that work for the user.
@Suite struct CommandLineAdviceTests {
  /// Arguments, the exit status, and parts of the output.
  static let answers: [(words: [String], status: Int32, said: [String])] = [
    (["help", "bogus"], 64, ["bogus: no such command"]), (["help", "nxt"], 64, ["did you mean `next`?"]),
    (["help", "plugin", "inspekt"], 64, ["did you mean `inspect`?"]),
    (["clock", "spped", "2"], 64, ["did you mean `speed`?", "Usage: timelinectl clock "]),
    (["clock", "speed", "-3"], 64, ["-3: not an option", "Usage: timelinectl clock speed "]),
    (
      ["-s", "/nonexistent/s", "next", "backup"], 69,
      ["/nonexistent/s: no such file or directory: is timelined running?", "help: no rule either: "]
    ),
    (["-s", "/nonexistent/s", "explain", "backup"], 69, ["error: /nonexistent/s: no such file"]),
    (["help", "next"], 0, ["USAGE: timelinectl next"]),
    (["help", "rehearse", "bogus"], 64, ["bogus: no such command of `rehearse`"]),
    (["help", "dry-run", "nosuch"], 64, ["nosuch: no such command of `dry-run`"]),
    (["bogus"], 64, ["bogus: no such command; the commands are check, "]),
    (["rigger"], 64, ["did you mean `trigger`?"]), (["histo"], 64, ["did you mean `history`?"]),
    (
      ["rehearse", "/tmp/a.toml"], 64,
      ["name the configuration by -c /tmp/a.toml", "Usage: timelinectl rehearse"]
    ),
    (["dry-run", "/tmp/a.toml"], 64, ["name the configuration by -c /tmp/a.toml"]),
    (
      ["config", "show", "a.toml"], 64,
      ["name the configuration by -c a.toml", "Usage: timelinectl config show"]
    ),
    (["schema", "a.toml"], 64, ["name the configuration by -c a.toml"]),
    (["schema", "--bogus", "a.toml"], 64, ["Unknown option '--bogus'"]),
    (["rehearse", "--bogus", "a.toml"], 64, ["Unknown option '--bogus'"]),
    (["dry-run", "--bogus", "a.toml"], 64, ["Unknown option '--bogus'"]),
    (["schema", "exec"], 64, ["Unexpected argument 'exec'"]),
    (["next", "daily", "--from", "noon"], 64, ["`yesterday 02:30`", "Usage: timelinectl next "]),
    (
      ["plugin", "inspect", "--plugins", "/nonexistent", "exec"], 64,
      ["--plugins /nonexistent: no such file or directory"]
    ),
    (
      ["check", "--plugins", "/nonexistent", "a.toml"], 64,
      ["--plugins /nonexistent: no such file or directory"]
    ),
    (["schema", "--plugins", "/nonexistent"], 64, ["--plugins /nonexistent: no such file or directory"]),
    (["next", "daily", "-n", "1", "--from", "now"], 0, ["calendar *-*-* 00:00:00 in "]),
    (["next", "daily", "-n", "1", "--from", "yesterday 02:30"], 0, ["calendar *-*-* 00:00:00 in "]),
    (
      ["next", "daily", "-n", "1", "--from", "2027-01-01 12:00", "--zone", "UTC"], 0,
      ["2027-01-02 00:00:00 UTC"]
    ),
  ]

  @Test(arguments: answers) func `an invalid argument is refused early, with the usage of its verb`(
    row: (words: [String], status: Int32, said: [String])
  ) throws {
    let result = try StartedProgram.run([BuiltProgram.control] + row.words)
    #expect(result.end == .exited(row.status), "\(result)")
    for part in row.said { #expect((result.output + result.errors).contains(part), "\(part) in: \(result)") }
  }

  @Test(arguments: [
    (["a.toml"], "name the configuration by -c a.toml"), (["--bogus", "a.toml"], "Unknown option '--bogus'"),
    (["--clock", "scaled:60", "--from", "noon"], "--from noon: "),
    (["--clock", "scaled:60", "--from", "noon"], "`yesterday 02:30`"),
  ])
  func `the daemon names the option for a file name without an option`(words: [String], said: String) throws {
    let result = try StartedProgram.run([BuiltProgram.daemon] + words)
    #expect(result.end == .exited(64) && result.errors.contains(said), "\(result)")
  }

  @Test(arguments: ["now", "yesterday", "2h ago", "in 2h", "2027-03-28 02:30", "2027-03-28T00:00:00.5Z"])
  func `a rehearsal of the daemon begins at a moment that timelinectl takes`(moment: String) throws {
    let result = try StartedProgram.run([
      BuiltProgram.daemon, "--clock", "scaled:60", "--from", moment, "-c", "/nonexistent.toml",
    ])
    #expect(result.end != .exited(64) && result.errors.contains("/nonexistent.toml"), "\(result)")
  }

  @Test func `a plugin that is nearly called so is suggested`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let result = try StartedProgram.run([
      BuiltProgram.control, "plugin", "inspect", "gat", "--plugins", workshop.path,
    ])
    #expect(result.end == .exited(1) && result.errors.contains("; did you mean `gate`?"), "\(result)")
  }

  /// The only element of a command, and what stands in its place in the suggestion.
  static let commands: [(element: String, suggestion: String)] = [
    (
      "cat /etc/passwd | wc -l > /dev/null", #"command = "cat /etc/passwd | wc -l > /dev/null", shell = true"#
    ),
    ("cd /tmp && ls", #"command = "cd /tmp && ls", shell = true"#),
    ("cd /tmp", #"command = "cd /tmp", shell = true"#), ("A=1 env", #"command = "A=1 env", shell = true"#),
    ("echo $HOME", #"command = "echo $HOME", shell = true"#),
    ("echo \"a\"", #"command = "echo \"a\"", shell = true"#),
    ("ls *.log; ls ~", #"command = "ls *.log; ls ~", shell = true"#),
    (
      "HOME=/root printenv HOME", #"command = "HOME=/root printenv HOME", shell = true"#
    ),
    ("PATH=/x:/y cmd", #"command = "PATH=/x:/y cmd", shell = true"#),
    ("source /etc/profile", #"command = ". /etc/profile", shell = true"#),
    ("unset A", #"command = "unset A", shell = true"#), ("read x", #"command = "read x", shell = true"#),
    ("//cd /srv && ./run", #"command = "//cd /srv && ./run", shell = true"#),
    ("echo hello", #"["echo", "hello"]"#), ("/bin/echo hello  you", #"["/bin/echo", "hello", "you"]"#),
  ]

  @Test func `a command that is suggested passes the check that suggests it`() throws {
    let workshop = try Self.workshop()
    for row in Self.commands {
      let element = row.element.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
      let before = try check("command = [\"\(element)\"]", in: workshop)
      #expect(before.end == .exited(1) && before.errors.contains(row.suggestion), "\(row): \(before)")
      let isWhole = row.suggestion.hasPrefix("command")
      let after = try check(isWhole ? row.suggestion : "command = \(row.suggestion)", in: workshop)
      #expect(after.end == .exited(0), "\(row): \(after)")
    }
  }

  private static func workshop() throws -> Workshop {
    let workshop = try Workshop()
    let array = #"{"type": "array", "items": {"type": "string"}, "x-timelined-command": true}"#
    let schema =
      #"{"type": "object", "properties": {"shell": {"type": "boolean"}, "condition": \#(array), "command": {"oneOf": [\#(array), {"type": "string"}]}}}"#
    try `timelinectl check on this machine`.compile("runner", schema, in: workshop)
    return workshop
  }

  /// Parameters, the place of the operator, and the suggestion; none for arguments that are meant so.
  static let operators: [(parameters: String, column: Int, suggestion: String?)] = [
    (
      #"command = ["echo", "my db", "|", "cat", ">", "x"]"#, 38,
      #"command = "echo 'my db' | cat > x", shell = true"#
    ),
    (
      #"command = ["echo", "a", "2>&1"]"#, 34, #"command = "echo a 2>&1", shell = true"#
    ),
    (
      #"condition = ["true"], command = ["echo", "a", "&&", "true"]"#, 56,
      #"it needs a shell: ["/bin/sh", "-c", "echo a && true"]"#
    ),
    (#"command = ["find", "/x", "-exec", "rm", "{}", ";"]"#, 0, nil),
    (#"command = ["cut", "-d", "|", "-f", "1"]"#, 0, nil), (#"command = ["expr", "1", "<", "2"]"#, 0, nil),
    (#"command = ["ssh", "host", "a", "|", "b"]"#, 0, nil), (#"command = ["echo", "a|b", ">"]"#, 0, nil),
  ]

  @Test func `an operator among the arguments is a warning with a command that works`() throws {
    let workshop = try Self.workshop()
    for row in Self.operators {
      let checked = try check(row.parameters, in: workshop)
      let isNamed = checked.errors.contains("is an argument of the program")
      let place = "daemon.toml:7:\(row.column): warning: \""
      #expect(isNamed == (row.suggestion != nil), "\(row): \(checked)")
      guard let suggestion = row.suggestion else { continue }
      #expect(
        checked.end == .exited(0) && checked.errors.contains(place) && checked.errors.contains(suggestion),
        "\(row): \(checked)")
    }
  }

  private func check(_ parameters: String, in workshop: Workshop) throws -> FinishedProgram {
    try workshop.configure(
      "[job.a]\nplugin = \"runner\"\nschedule = \"on-demand\"\nwith = { \(parameters) }\n")
    return try StartedProgram.run([
      BuiltProgram.control, "check", workshop.path + "/daemon.toml", "--plugins", workshop.path, "--host",
      BuiltProgram.host,
    ])
  }
}
