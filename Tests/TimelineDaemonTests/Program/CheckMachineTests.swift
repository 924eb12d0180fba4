import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// Findings of `timelinectl check` about the machine: the daemon accepts what passes, and its runs can do it.
@Suite struct `timelinectl check on this machine` {
  private static let nobody: uid_t = 65534
  private static let asNobody = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]

  private static func check(_ workshop: Workshop, _ words: String..., as command: [String] = []) throws
    -> FinishedProgram
  {
    try StartedProgram.run(
      command + [BuiltProgram.control, "check", workshop.path + "/daemon.toml", "--plugins", workshop.path]
        + words)
  }

  /// Compiles a plugin with this schema. The tests do not run it.
  static func compile(_ name: String, _ schema: String, in workshop: Workshop) throws {
    let text = schema.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    try workshop.compile(
      """
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        (void)context;
        return TIMELINED_OK;
      }
      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "\(name)", .version = "1.0", .summary = "does nothing",
          .parameters_schema = "\(text)", .run = run};
      TIMELINED_EXPORT const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """, name: name)
  }

  private static let commandSchema =
    #"{"type": "object", "properties": {"input": {"type": "string"}, "command": {"type": "array", "#
    + #""items": {"type": "string"}, "x-timelined-command": true}}}"#

  private static func job(_ name: String, _ plugin: String, _ more: String = "") -> String {
    "[job.\(name)]\nplugin = \"\(plugin)\"\nschedule = \(never)\n\(more)\n"
  }

  @Test func `all errors are reported in one pass`() throws {
    let workshop = try Workshop()
    try Self.compile("runner", Self.commandSchema, in: workshop)
    try workshop.compileGate()
    let path = try workshop.configure(
      Self.job("gone", "no-such-plugin") + Self.job("wordless", "gate", "with = { wrod = \"x\" }")
        + Self.job("late", "gate", "timeout = \"1 fortnight\"\nwith = { deaf = 1 }")
        + Self.job("absent", "runner", "with = { command = [\"/no/such/program\"] }")
        + Self.job("both", "runner", "with = { command = [\"/no/such/tool\"], input = 1 }")
        + Self.job("away", "/no/such/plugin.so"))
    let checked = try Self.check(workshop, "--host", BuiltProgram.host)
    #expect(checked.end == .exited(1), "\(checked)")
    for part in [
      "there is no plugin \"no-such-plugin\"", "unknown parameter `wrod`", "`with.deaf` is an integer",
      "`timeout`",
      "there is no program \"/no/such/program\"", "there is no program \"/no/such/tool\"",
      "`with.input` is an integer", "/no/such/plugin.so: the file cannot be opened",
      "\(path): 8 errors",
    ] {
      #expect(checked.errors.contains(part), "\(part) in: \(checked.errors)")
    }
  }

  /// Commands with further keys of the job, and the fault that is reported.
  @Test func `a command must exist and be executable`() throws {
    let workshop = try Workshop()
    try Self.compile("runner", Self.commandSchema, in: workshop)
    try workshop.write("#!/bin/sh\n", to: "bin/plain")
    try workshop.write("#!/bin/sh\n", to: "bin/tool", mode: 0o755)
    try workshop.write("", to: "bin/empty")
    try workshop.write("#!/bin/sh\n", to: "script")
    try workshop.write("root:x:0:0\n", to: "passwd")
    try workshop.write("#!/bin/sh\n", to: "bin/two words", mode: 0o755)
    let bin = workshop.path + "/bin"
    let rows: [(command: String, more: String, fault: String?)] = [
      ("'\(bin)/tool'", "", nil), ("'\(bin)/two words'", "", nil), ("'sh', '-c', 'true'", "", nil),
      ("'\(bin)/plain'", "", "\"\(bin)/plain\" cannot be executed: permission denied"),
      ("'\(bin)/empty'", "", "help: chmod +x \(bin)/empty"),
      ("'\(workshop.path)/script'", "", "help: chmod +x \(workshop.path)/script"),
      ("'\(workshop.path)/passwd'", "", "help: name a program in its place"),
      ("\"/a\\nb\"", "", #"there is no program "/a\nb""#),
      ("'\(bin)'", "", "\"\(bin)\" is a directory"), ("'/dev/null'", "", "is no regular file"),
      ("'\(bin)/none'", "", "there is no program \"\(bin)/none\""),
      ("'/usr/bin/echo hello'", "", "each argument is an element of its own: [\"/usr/bin/echo\", \"hello\"]"),
      (
        "'no-such-program'", "",
        "there is no program \"no-such-program\" in PATH, which is \"/usr/local/sbin:"
      ),
      ("'echo hello'", "", "each argument is an element of its own: [\"echo\", \"hello\"]"),
      (
        "'/no/such hello', 'you'", "",
        "[\"/no/such\", \"hello\", \"you\"]; \"/no/such\" is missing too: install it"
      ),
      ("'echo a | cat > x'", "", "it needs a shell: [\"/bin/sh\", \"-c\", \"echo a | cat > x\"]"),
      ("'echo $HOME', 'a'", "", "write the whole command as one text for a shell"),
      ("'tool'", "environment = { PATH = '/usr/bin:\(bin)' }", nil),
      ("'plain'", "environment = { PATH = '\(bin)' }", "cannot be executed"),
      ("'./tool'", "working-directory = '\(bin)'", nil), ("'./tool'", "", "there is no program \"/./tool\""),
      ("'cd /srv && ./run'", "", "there is no program \"/cd /srv && ./run\""),
      ("''", "", "the command's first word is empty"),
    ]
    for row in rows {
      try workshop.configure(Self.job("a", "runner", "with = { command = [\(row.command)] }\n\(row.more)"))
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      #expect(checked.end == .exited(row.fault == nil ? 0 : 1), "\(row): \(checked)")
      if let fault = row.fault { #expect(checked.errors.contains(fault), "\(row): \(checked.errors)") }
    }
  }

  /// Parameters of a job, and the program that is missing.
  @Test func `a command under a condition, or one that may fail, need not exist`() throws {
    let workshop = try Workshop()
    let command = #"{"type": "array", "items": {"type": "string"}, "x-timelined-command": true}"#
    let schema =
      #"{"type": "object", "properties": {"command": \#(command), "condition": \#(command), "#
      + #""commands": {"type": "array", "items": {"oneOf": [\#(command), "#
      + #"{"type": "object", "properties": {"command": \#(command), "may-fail": {"type": "boolean"}}}]}}}}"#
    try Self.compile("runner", schema, in: workshop)
    let rows: [(with: String, isError: Bool)] = [
      ("command = ['/no/a']", true), ("command = ['/no/a'], condition = ['sh']", false),
      ("command = ['sh'], condition = ['/no/a']", true),
      ("commands = [['sh'], ['/no/a']]", true),
      ("commands = [['sh'], { command = ['/no/a'], may-fail = true }]", false),
      ("commands = [['sh'], { command = ['/no/a'], may-fail = false }]", true),
      ("commands = [['sh'], ['/no/a']], condition = ['sh']", false),
    ]
    for row in rows {
      try workshop.configure(Self.job("a", "runner", "with = { \(row.with) }"))
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      #expect(checked.end == .exited(row.isError ? 1 : 0), "\(row): \(checked)")
      let severity = row.isError ? "error" : "warning"
      #expect(
        checked.errors.contains("\(severity): there is no program \"/no/a\""), "\(row): \(checked.errors)")
    }
  }

  /// Parameters of a job, and the fault that is reported.
  @Test func `a program that is given as one text, or as a default, must exist`() throws {
    let workshop = try Workshop()
    let property = #"{"type": "string", "x-timelined-command": true, "default": "/no/default"}"#
    try Self.compile(
      "mailer",
      #"{"type": "object", "properties": {"mail": {"type": "object", "properties": {"sendmail": \#(property)}}}}"#,
      in: workshop)
    let rows: [(with: String, fault: String?)] = [
      ("{}", nil), ("{ mail = { sendmail = '/bin/sh' } }", nil),
      ("{ mail = { sendmail = '/no/sendmail' } }", "7:30: error: there is no program \"/no/sendmail\""),
      ("{ mail = {} }", "7:10: error: there is no program \"/no/default\""),
      (
        "{ mail = { sendmail = '/bin/cat -t' } }",
        "help: one program without arguments: write a script that runs it with them"
      ),
      (
        "{ mail = { sendmail = '/bin/cat | tee x' } }",
        "help: one program without arguments: write a script that runs it with them"
      ),
    ]
    for row in rows {
      try workshop.configure(Self.job("a", "mailer", "with = \(row.with)"))
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      #expect(checked.end == .exited(row.fault == nil ? 0 : 1), "\(row): \(checked)")
      if let fault = row.fault { #expect(checked.errors.contains(fault), "\(row): \(checked.errors)") }
    }
  }

  /// Keys of a job, and the fault of the credentials that its parameters name.
  @Test func `a credential that parameters name must be defined in the job`() throws {
    let workshop = try Workshop()
    let name = #"{"type": "string", "x-timelined-credential": true}"#
    try Self.compile(
      "caller",
      #"{"type": "object", "properties": {"key": \#(name), "headers": {"type": "object", "#
        + #""additionalProperties": {"oneOf": [\#(name), {"type": "integer"}]}}}}"#, in: workshop)
    let file = try workshop.write("secret", to: "key")
    let rows: [(keys: String, faults: [String])] = [
      ("", []), ("with = { key = 'token' }\ncredentials = { token = '\(file)' }", []),
      ("with = { headers = { a = 1, b = 'token' } }\ncredentials = { token = '\(file)' }", []),
      (
        "with = { key = 'token' }",
        [
          "7:16: error: the job a has no credential \"token\"",
          "write credentials = { token = \"/path/of/the/file\" }",
        ]
      ),
      (
        "with = { key = 'tokne' }\ncredentials = { token = '\(file)' }",
        ["error:", "did you mean \"token\"?"]
      ),
      (
        "with = { headers = { a = 'pass' } }\ncredentials = { token = '\(file)' }",
        ["no credential \"pass\"", "it has \"token\""]
      ),
      ("enabled = false\nwith = { key = 'token' }", ["warning: the job a has no credential"]),
      (
        "with = { key = 'token', headers = 1 }",
        ["error: the job a has no credential \"token\"", "`with.headers` is an integer"]
      ),
    ]
    for row in rows {
      try workshop.configure(Self.job("a", "caller", row.keys))
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      let isRefused = row.faults.contains { $0.contains("error:") || $0.hasPrefix("no ") }
      #expect(checked.end == .exited(isRefused ? 1 : 0), "\(row): \(checked)")
      for fault in row.faults { #expect(checked.errors.contains(fault), "\(row): \(checked.errors)") }
    }
    try workshop.configure(
      "[defaults]\ncredentials = { token = '\(file)' }\n"
        + Self.job("a", "caller", "with = { key = 'token' }"))
    #expect(try Self.check(workshop, "--host", BuiltProgram.host).end == .exited(0))
  }

  /// Keys of a job, and the fault that is reported.
  @Test func `a group and environment files must exist`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.write("A=1\n", to: "right")
    try workshop.write("A=1\nexport B=2\n", to: "script")
    let rows: [(keys: String, fault: String?, isError: Bool)] = [
      ("environment-file = \"\(workshop.path)/right\"", nil, false),
      ("environment-file = \"-\(workshop.path)/none\"", nil, false),
      ("environment-file = \"\(workshop.path)/none\"", "error: there is no file \(workshop.path)/none", true),
      (
        "environment-file = \"\(workshop.path)/script\"", "warning: line 2 of \(workshop.path)/script is no",
        false
      ),
      ("group = \"no-group-of-that-name\"", "error: there is no group \"no-group-of-that-name\"", true),
    ]
    for row in rows {
      try workshop.configure(Self.job("a", "gate", row.keys))
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      #expect(checked.end == .exited(row.isError ? 1 : 0), "\(row): \(checked)")
      #expect(checked.errors.contains(row.fault ?? "") || row.fault == nil, "\(row): \(checked.errors)")
    }
  }

  @Test(.enabled(if: isRoot, "only root can look as another user"))
  func `the job's user must be allowed to execute a command`() throws {
    let workshop = try Workshop()
    try Self.compile("runner", Self.commandSchema, in: workshop)
    try workshop.write("#!/bin/sh\n", to: "closed/tool", mode: 0o755)
    try workshop.configure(
      Self.job("a", "runner", "user = \"nobody\"\nwith = { command = [\"\(workshop.path)/closed/tool\"] }"))
    #expect(try Self.check(workshop, "--host", BuiltProgram.host).end == .exited(0))
    unsafe chmod(workshop.path + "/closed", 0o700)
    let checked = try Self.check(workshop, "--host", BuiltProgram.host)
    #expect(
      checked.end == .exited(1) && checked.errors.contains("by user \"nobody\": permission denied"),
      "\(checked)")
  }

  @Test(
    .enabled(if: isRoot, "only a daemon with root's rights distrusts its files"),
    arguments: ["daemon.toml", "jobs.d", "jobs.d/more.toml", "."])
  func `a configuration that other users can change is an error`(place: String) throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.configure(Self.job("one", "gate", "with = { wrod = \"x\" }"))
    try workshop.write(Self.job("two", "gate"), to: "jobs.d/more.toml")
    let path = place == "." ? workshop.path : workshop.path + "/" + place
    let mode = try FileFacts(at: path).mode
    unsafe chmod(path, mode_t(mode | 0o022))
    let open = try Self.check(workshop, "--host", BuiltProgram.host)
    #expect(open.end == .exited(1) && open.errors.contains("\(path): error: its mode "), "\(open)")
    if place != "." {
      #expect(open.errors.contains("unknown parameter `wrod`"), "in the same round: \(open)")
    }
    unsafe chmod(path, mode_t(mode))
    unsafe chown(path, Self.nobody, Self.nobody)
    let foreign = try Self.check(workshop, "--host", BuiltProgram.host)
    #expect(
      foreign.end == .exited(1) && foreign.errors.contains("\(path): error: it belongs to user 65534"),
      "\(foreign)")
    let elsewhere = try Self.check(workshop, "--skip-plugins")
    #expect(elsewhere.end == .exited(0), "it may be another machine's: \(elsewhere)")
  }

  @Test func `a user with write access must exist and be able to connect`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let rows: [(control: String, fault: String?)] = [
      ("group = \"daemon\"\nusers = [\"root\", \"daemon\"]", nil), ("users = [\"daemon\"]", nil),
      (
        "users = [\"root\", \"nobody-of-that-name\"]",
        "daemon.toml:9:18: error: there is no user \"nobody-of-that-name\""
      ),
      ("group = \"daemon\"\nusers = [\"nobody\"]", "the user \"nobody\" is not in the group \"daemon\""),
    ]
    for row in rows {
      try workshop.configure(Self.job("a", "gate") + "[control]\n" + row.control)
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      #expect(checked.end == .exited(row.fault == nil ? 0 : 1), "\(row): \(checked)")
      if let fault = row.fault { #expect(checked.errors.contains(fault), "\(row): \(checked.errors)") }
      #expect(try Self.check(workshop, "--skip-plugins").end == .exited(0), "\(row)")
    }
  }

  @Test(.enabled(if: isRoot, "only root can look as another user"))
  func `the job's user must be able to reach the credentials`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let (closed, key) = (workshop.path + "/closed", try workshop.write("secret", to: "key", mode: 0o600))
    unsafe mkdir(closed, 0o700)
    for (socket, end) in [(closed, 1), (workshop.path, 0)] as [(String, Int32)] {
      try workshop.configure(
        Self.job("a", "gate", "user = \"nobody\"\ncredentials = { key = \"\(key)\" }")
          + "[control]\nsocket = \"\(socket)/control.sock\"\n")
      let checked = try Self.check(workshop, "--host", BuiltProgram.host)
      #expect(checked.end == .exited(end), "\(checked)")
      #expect(checked.errors.contains("user \"nobody\" cannot enter \(closed)") == (end == 1), "\(checked)")
    }
    // A daemon whose socket is there detects it at its start, as the job's user.
    let daemon = try DaemonProcess(workshop, arguments: ["--control", closed + "/control.sock"])
    let line = try daemon.line(containing: "where its credentials are: permission denied")
    #expect(line.contains("cannot enter \(closed)/control.sock.credentials/"), "\(line)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `an expectation about runs of unknown duration causes a warning`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    let expectation = "[[expect-schedule]]\njob = \"one\"\nnever-overlaps = \"two\"\n"
    for (one, two, named) in [
      ("", "", ["one", "two"]), ("timeout = \"1m\"", "expected-duration = \"1s\"", []),
      ("expected-duration = \"1s\"", "", ["two"]),
    ] as [(String, String, [String])] {
      try workshop.configure(Self.job("one", "gate", one) + Self.job("two", "gate", two) + expectation)
      let checked = try Self.check(workshop, "--skip-plugins")
      for job in ["one", "two"] {
        let text = "warning: `never-overlaps` proves nothing about runs of `\(job)`"
        #expect(checked.errors.contains(text) == named.contains(job), "\(checked)")
      }
    }
  }

  @Test func `a host that is missing or not executable is an error`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try workshop.configure(Self.job("one", "gate") + "[control]\nusers = [\"nobody-of-that-name\"]")
    let text = try workshop.write("", to: "host")
    for (host, reason) in [
      ("/nonexistent", "no such file"), (workshop.path, "no regular file"), (text, "permission denied"),
    ] {
      let checked = try Self.check(workshop, "--host", host)
      #expect(
        checked.end == .exited(1) && checked.errors.contains("\(host): error: the program timeline-host"),
        "\(checked)")
      #expect(checked.errors.contains(reason) && checked.errors.contains("nobody-of-that-name"), "\(checked)")
      let daemon = try DaemonProcess(workshop, arguments: ["--host", host])
      #expect(try daemon.finish() == .exited(70))
      #expect(daemon.errors.contains("\(host): the program timeline-host") && daemon.errors.contains(reason))
    }
  }

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `only root can change user`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    func configure(_ user: String) throws {
      let path = try workshop.configure(Self.job("other", "gate", "user = \"\(user)\""))
      unsafe chmod(path, 0o644)
    }
    let words = ["--host", BuiltProgram.host]
    for user in ["daemon", "nobody-of-that-name"] {
      let message =
        user == "daemon" ? "only root can change user" : "there is no user \"nobody-of-that-name\""
      try configure(user)
      // A file that root owns may be for root's daemon. A file that the user owns is for the user's daemon.
      let unknown = try Self.check(workshop, words[0], words[1], as: Self.asNobody)
      #expect(unknown.end == .exited(0) && unknown.errors.contains("warning: \(message)"), "\(unknown)")
      unsafe chown(workshop.path + "/daemon.toml", Self.nobody, Self.nobody)
      let own = try Self.check(workshop, words[0], words[1], as: Self.asNobody)
      #expect(own.end == .exited(1) && own.errors.contains("error: \(message)"), "\(own)")
      unsafe chown(workshop.path + "/daemon.toml", 0, 0)
    }
    try configure("nobody")
    #expect(try Self.check(workshop, words[0], words[1], as: Self.asNobody).errors.isEmpty)

    unsafe mkdir(workshop.path + "/state", 0o700)
    unsafe chown(workshop.path + "/state", Self.nobody, Self.nobody)
    unsafe chown(workshop.path, Self.nobody, Self.nobody)
    try configure("daemon")
    let daemon = try DaemonProcess(workshop, command: Self.asNobody)
    try daemon.line(containing: "only root can change user: its job is to run as the user \"daemon\"")
    try daemon.begin()
    let run = try daemon.control("trigger", "other", "--wait")
    #expect(
      run.end != .exited(0) && (run.output + run.errors).contains("only root can change user"), "\(run)")
    let reload = try daemon.control("reload")
    // An earlier fault disables its job and is reported; the other jobs are reloaded.
    #expect(reload.end == .exited(0) && reload.errors.contains("only root can change user"), "\(reload)")
    try configure("nobody")
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.control("trigger", "other", "--wait").end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `a plugin with an invalid schema disables only its own jobs`() throws {
    let workshop = try Workshop()
    try workshop.compileGate()
    try Self.compile("vague", #"{"properties": {"v": {"format": "uri"}}}"#, in: workshop)
    let reason = "at `properties.v` `format` is not supported: write `pattern`"
    let inspected = try StartedProgram.run([
      BuiltProgram.control, "plugin", "inspect", workshop.path + "/vague.so",
    ])
    #expect(
      inspected.end == .exited(1) && inspected.output.isEmpty && inspected.errors.contains(reason),
      "\(inspected)")
    try workshop.configure(Self.job("vague", "vague") + Self.job("held", "gate"))
    let checked = try Self.check(workshop, "--host", BuiltProgram.host)
    #expect(checked.end == .exited(1) && checked.errors.contains(reason), "\(checked)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let run = try daemon.control("trigger", "vague", "--wait")
    #expect(
      run.end != .exited(0) && (run.output + run.errors).contains("`format` is not supported"), "\(run)")
    #expect(try daemon.control("trigger", "held", "--wait").end == .exited(0))
    let reload = try daemon.control("reload")
    #expect(reload.end == .exited(0) && reload.errors.contains("`format` is not supported"), "\(reload)")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(
    .enabled(if: isRoot, "only root can give files away"), arguments: ["gate.so", "."],
    ["host", "in-process"])
  func `a plugin that another user could replace is refused everywhere`(place: String, isolation: String)
    throws
  {
    let workshop = try Workshop()
    let plugins = try Workshop()
    try plugins.compileGate()
    try workshop.configure(
      Self.job("held", plugins.path + "/gate.so", "isolation = \"\(isolation)\""))
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    #expect(try daemon.control("reload").end == .exited(0))
    unsafe chown(place == "." ? plugins.path : plugins.path + "/" + place, Self.nobody, Self.nobody)
    let reason = "belongs to user 65534"
    let checked = try Self.check(workshop, "--host", BuiltProgram.host)
    #expect(checked.end == .exited(1) && checked.errors.contains(reason), "\(checked)")
    let inspected = try StartedProgram.run([
      BuiltProgram.control, "plugin", "inspect", plugins.path + "/gate.so",
    ])
    #expect(inspected.end == .exited(1) && inspected.errors.contains(reason), "\(inspected)")
    // A live plugin host checked the file when it loaded it.
    if isolation == "in-process" {
      let refused = try daemon.control("reload")
      #expect(refused.end == .exited(1) && refused.errors.contains(reason), "\(refused)")
    }
    #expect(try daemon.stop() == .exited(0))
    let next = try DaemonProcess(workshop)
    try next.line(containing: reason)
    try next.begin()
    let run = try next.control("trigger", "held", "--wait")
    #expect(run.end != .exited(0) && (run.output + run.errors).contains(reason), "\(run)")
    let reload = try next.control("reload")
    #expect(reload.end == .exited(0) && reload.errors.contains(reason), "\(reload)")
    #expect(try next.stop() == .exited(0))
  }
}
