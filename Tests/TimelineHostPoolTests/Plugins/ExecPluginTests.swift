import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelineHostPool
import TimelineSystem

@Suite struct `The plugin exec` {
  struct Case: CustomTestStringConvertible, Sendable {
    var parameters: String
    var status = AttemptResult.Status.succeeded
    var retry = false
    var message = ""
    var lines: [String] = []
    var testDescription: String { parameters }
  }

  @Test(arguments: [
    Case(parameters: #"{"command": ["/bin/true"]}"#),
    Case(parameters: #"{"command": ["true"]}"#),
    Case(
      parameters: #"{"command": ["echo", "a  b", "$HOME"]}"#, message: "a  b $HOME", lines: ["a  b $HOME"]),
    Case(
      parameters: #"{"command": "echo one; echo two >&2; echo; printf three", "shell": true}"#,
      message: "three",
      lines: ["one", "two", "", "three"]),
    Case(parameters: #"{"command": ["cat"], "stdin": "given\n"}"#, message: "given", lines: ["given"]),
    Case(parameters: #"{"command": ["cat"]}"#),
    Case(parameters: #"{"command": ["pwd"], "working-directory": "/usr"}"#, message: "/usr", lines: ["/usr"]),
    Case(
      parameters: #"{"command": "echo $GREETING", "shell": true, "environment": {"GREETING": "hello"}}"#,
      message: "hello", lines: ["hello"]),
    Case(
      parameters: #"{"command": "printf 'before\\0after\\nline2\\n'", "shell": true}"#, message: "line2",
      lines: ["before\u{FFFD}after", "line2"]),
    Case(
      parameters: #"{"command": "printf 'disk\\0full\\n' >&2; exit 3", "shell": true}"#, status: .failed,
      retry: true, message: "last line of output: \"disk\u{FFFD}full\"", lines: ["disk\u{FFFD}full"]),
    Case(
      parameters: #"{"command": "exit 3", "shell": true}"#, status: .failed, retry: true,
      message: "/bin/sh exited with status 3; it printed nothing"),
    Case(
      parameters: #"{"command": "echo no disk >&2; exit 75", "shell": true}"#, status: .failed, retry: true,
      message: #"status 75; last line of output: "no disk"; `timelinectl logs command` has its last lines"#,
      lines: ["no disk"]),
    Case(
      parameters: #"{"command": "exit 9", "shell": true, "retry-statuses": [9]}"#, status: .failed,
      retry: true,
      message: "status 9"),
    Case(
      parameters: #"{"command": "exit 8", "shell": true, "retry-statuses": [9]}"#, status: .failed,
      message: "status 8"),
    Case(
      parameters: #"{"command": "exit 8", "shell": true, "permanent-statuses": [8]}"#, status: .failed,
      message: "status 8"),
    Case(
      parameters: #"{"command": "exit 9", "shell": true, "permanent-statuses": [8]}"#, status: .failed,
      retry: true, message: "status 9"),
    Case(
      parameters: #"{"command": ["true"], "retry-statuses": [8], "permanent-statuses": [7, 8]}"#,
      status: .failed, message: "the status 8 is in /retry-statuses and in /permanent-statuses"),
    Case(parameters: #"{"command": "exit 1", "shell": true, "success-statuses": [0, 1]}"#),
    Case(
      parameters: #"{"command": "kill -SEGV $$", "shell": true}"#, status: .failed, retry: true,
      message:
        "killed by signal 11 (Segmentation fault); it printed nothing; the program crashed: see coredumpctl"),
    Case(
      parameters: #"{"command": "kill -XCPU $$", "shell": true}"#, status: .failed,
      message: "used up the job's limit of processor time"),
    Case(
      parameters: #"{"command": ["no-such-program"]}"#, status: .failed,
      message: "no-such-program was not found in PATH"),
    Case(
      parameters: #"{"command": ["/no/such/program"]}"#, status: .failed,
      message: "/no/such/program was not started: no such file or directory: correct `command`"),
    Case(
      parameters: #"{"command": ["/etc/passwd"]}"#, status: .failed, message: "make it executable"),
    Case(
      parameters: #"{"command": ["/bin/true"], "working-directory": "/no/such/place"}"#, status: .failed,
      retry: true, message: "working directory /no/such/place: no such file or directory: create it"),
    Case(parameters: "{}", status: .failed, message: "the parameter /command is missing"),
    Case(parameters: #"{"command": []}"#, status: .failed, message: "the parameter /command is empty"),
    Case(parameters: #"{"command": "id -u"}"#, status: .failed, message: "or set shell = true"),
    Case(
      parameters: #"{"command": ["id"], "shell": true}"#, status: .failed, message: "must be one text when"),
    Case(
      parameters: #"{"command": ["id"], "retry-statuses": [256]}"#, status: .failed,
      message: "exit statuses are 0 to 255"),
    Case(
      parameters: #"{"command": ["id"], "environment": {"TIMELINE_JOB": "x"}}"#, status: .failed,
      message: "choose another name"),
    Case(
      parameters: #"{"command": ["id"], "working-directory": "here"}"#, status: .failed,
      message: "must be an absolute path"),
  ])
  func `the exit status of a command decides on the result, and its output is logged`(example: Case) throws {
    try check(example)
  }

  private func check(_ example: Case) throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", job: "command", parameters: example.parameters)
    let end = try stage.finish(run)
    #expect(end.outcome.status == example.status, "\(end.outcome.message)")
    #expect(end.outcome.isWorthRetrying == example.retry)
    #expect(
      example.message.isEmpty || end.outcome.message.contains(example.message), "\(end.outcome.message)")
    #expect(stage.lines(of: run, .log).sorted() == example.lines.sorted())
  }

  @Test(arguments: [
    Case(
      parameters: #"{"commands": [["echo", "one"], ["echo", "two"]]}"#, message: "two",
      lines: ["one", "two"]),
    Case(
      parameters: #"{"commands": ["echo one; exit 3", "echo two"], "shell": true}"#, status: .failed,
      retry: true, message: #"/bin/sh exited with status 3; last line of output: "one""#, lines: ["one"]),
    Case(
      parameters: #"{"commands": [{"command": ["false"], "may-fail": true}, ["echo", "two"]]}"#,
      message: "two",
      lines: [
        "false exited with status 1; it printed nothing; the run goes on, because this command may fail",
        "two",
      ]),
    Case(
      parameters: #"""
        {"commands": [{"command": "kill -SEGV $$", "may-fail": true}, {"command": "exit 4", "may-fail": false}],
        "shell": true, "permanent-statuses": [4]}
        """#, status: .failed, message: "/bin/sh exited with status 4",
      lines: [
        "/bin/sh was killed by signal 11 (Segmentation fault); it printed nothing; the program crashed: see coredumpctl, if "
          + "core dumps are kept; the run goes on, because this command may fail"
      ]),
    Case(
      parameters: #"{"commands": [["true"], ["no-such-program"]]}"#, status: .failed,
      message: "no-such-program was not found in PATH"),
    Case(
      parameters: #"{"command": ["echo", "x"], "condition": ["test", "-e", "/etc/passwd"]}"#, message: "x",
      lines: ["x"]),
    Case(
      parameters: #"{"command": ["echo", "x"], "condition": ["test", "-e", "/no/such/file"]}"#,
      message: "nothing was run: the condition `test -e /no/such/file` exited with status 1"),
    Case(
      parameters: #"{"commands": ["echo x", "echo y"], "condition": "echo no; exit 7", "shell": true}"#,
      message: "nothing was run: the condition `echo no; exit 7` exited with status 7", lines: ["no"]),
    Case(
      parameters: #"{"command": "true", "condition": "kill -KILL $$", "shell": true}"#, status: .failed,
      retry: true, message: "/bin/sh was killed by signal 9"),
    Case(
      parameters: #"{"command": ["true"], "condition": ["no-such-program"]}"#, status: .failed,
      message: "no-such-program was not found in PATH"),
    Case(
      parameters: #"{"command": ["id"], "commands": [["id"]]}"#, status: .failed,
      message: "the parameters have both /command and /commands"),
    Case(
      parameters: #"{"commands": []}"#, status: .failed,
      message: "the parameter /commands has 0 commands: give 1 to 64"),
    Case(
      parameters: #"{"commands": [["id"], "id -u"]}"#, status: .failed,
      message: "the parameter /commands/1 is one text"),
    Case(
      parameters: #"{"commands": [{"command": []}]}"#, status: .failed,
      message: "the parameter /commands/0/command is empty"),
    Case(
      parameters: #"{"command": ["id"], "condition": "id -u"}"#, status: .failed,
      message: "the parameter /condition is one text"),
  ])
  func `commands run one after the other, if their condition holds`(example: Case) throws {
    try check(example)
  }

  @Test func `no further command starts after a request to stop`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "exec",
      parameters:
        #"{"commands": [{"command": "trap 'exit 0' TERM; echo here; while :; do sleep 0.1; done", "may-fail": true}, "#
        + #""echo on"], "shell": true}"#)
    try stage.wait(for: "its line") { !stage.lines(of: run, .log).isEmpty }
    stage.hosts.askToStop(run, .cancel)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    #expect(!stage.lines(of: run, .log).contains("on"))
  }

  @Test func `a command has the facts of its run in variables`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", job: "told", parameters: #"{"command": ["env"]}"#) {
      $0.attempt.number = 3
      ($0.attempt.mode, $0.attempt.cadence) = (.lowFrequency, .minutes)
      $0.attempt.entryCount = 2
      $0.attempt.movedFrom = [WallInstant(secondsSinceEpoch: 0), WallInstant(secondsSinceEpoch: 86_400)]
      $0.attempt.entry.nominal = WallInstant(nanosecondsSinceEpoch: 1_800_000_000_250_000_000)
    }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    let lines = Set(stage.lines(of: run, .log))
    for line in [
      "TIMELINE_JOB=told", "TIMELINE_ATTEMPT=3", "TIMELINE_ENTRY_COUNT=2", "TIMELINE_REHEARSAL=0",
      "TIMELINE_MODE=low-frequency", "TIMELINE_CADENCE=minutes", "TIMELINE_NOMINAL=2027-01-15T08:00:00.25Z",
      "TIMELINE_NOMINAL_NS=1800000000250000000",
      "TIMELINE_ACTUAL=2027-01-15T08:00:00Z",
      "TIMELINE_MOVED_FROM=1970-01-01T00:00:00Z 1970-01-02T00:00:00Z",
    ] { #expect(lines.contains(line), "\(lines)") }
    #expect(lines.contains { $0.hasPrefix("TIMELINE_RUN_KEY=told") })
    #expect(!lines.contains { $0.hasPrefix("SWIFT_BACKTRACE") })
  }

  @Test func `the command of a rerun has the time of the repeated entry and a run key of its own`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", job: "told", parameters: #"{"command": ["env"]}"#) {
      $0.attempt.cause = .rerun
      $0.attempt.rerun = RerunOrigin(of: WallInstant(secondsSinceEpoch: 1_800_000_000), number: 2)
      $0.attempt.entry.nominal = WallInstant(secondsSinceEpoch: 1_800_003_600)
    }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    let lines = Set(stage.lines(of: run, .log))
    #expect(lines.contains("TIMELINE_NOMINAL=2027-01-15T08:00:00Z"), "\(lines)")
    let key = lines.first { $0.hasPrefix("TIMELINE_RUN_KEY=") } ?? ""
    #expect(key.hasPrefix("TIMELINE_RUN_KEY=told") && key.hasSuffix("/2027-01-15T08:00:00Z#2"), "\(key)")
  }

  @Test
  func
    `a command gets PATH, the variables of its user and of its run, none of the daemon's, and begins in the root directory`()
    throws
  {
    let stage = try Stage(Fixtures.bundled)
    let variables = try stage.start("exec", parameters: #"{"command": ["env"]}"#)
    #expect(try stage.finish(variables).outcome.status == .succeeded)
    #expect(
      stage.lines(of: variables, .log).filter { !$0.hasPrefix("TIMELINE_") }
        .map { String($0.prefix { $0 != "=" }) }.sorted() == [
          "HOME", "LOGNAME", "PATH", "SHELL", "TRACEPARENT", "USER",
        ])
    #expect(
      stage.lines(of: variables, .log).contains(
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"))
    let directory = try stage.start("exec", parameters: #"{"command": ["pwd"]}"#)
    #expect(try stage.finish(directory).outcome.message == "/")
  }

  @Test func `a command of a reaction has its upstream in variables`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", parameters: #"{"command": ["env"]}"#) {
      $0.attempt.upstream = .sample
      $0.attempt.upstream?.incident = IncidentReport(kind: .failure, phase: .opened, count: 3, since: .epoch)
      $0.attempt.upstreamOutput = "disk full"
    }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    let lines = Set(stage.lines(of: run, .log))
    for line in [
      "TIMELINE_UPSTREAM_JOB=backup", "TIMELINE_UPSTREAM_OUTCOME=failed",
      "TIMELINE_UPSTREAM_REASON=no disk", "TIMELINE_UPSTREAM_OUTPUT=disk full",
      "TIMELINE_UPSTREAM_ENTRY=2027-01-15T08:00:00Z", "TIMELINE_UPSTREAM_FAILURES=3",
      "TIMELINE_UPSTREAM_SINCE=1970-01-01T00:00:00Z",
    ] { #expect(lines.contains(line), "\(lines)") }
    let upstream = try #require(lines.first { $0.hasPrefix("TIMELINE_UPSTREAM={") }?.dropFirst(18))
    let object = try JSONSerialization.jsonObject(with: Data(upstream.utf8)) as? [String: Any]
    #expect(object?["job"] as? String == "backup" && object?["attempts"] as? Int == 2)
    let plain = try stage.start("exec", parameters: #"{"command": ["env"]}"#)
    _ = try stage.finish(plain)
    #expect(!stage.lines(of: plain, .log).contains { $0.hasPrefix("TIMELINE_UPSTREAM") })
  }

  @Test func `a command has the trace id of its entry and a span id of its attempt`() throws {
    let stage = try Stage(Fixtures.bundled)
    func trace(
      job: String, attempt: Int = 1, environment: String = "", upstream: EntryRecord? = nil
    ) throws -> [Substring] {
      let run = try stage.start(
        "exec", job: job, parameters: #"{"command": ["sh", "-c", "echo $TRACEPARENT"]\#(environment)}"#
      ) {
        $0.attempt.number = attempt
        $0.attempt.upstream = upstream
        $0.attempt.entry.nominal = WallInstant(secondsSinceEpoch: 1_800_000_000)
      }
      #expect(try stage.finish(run).outcome.status == .succeeded)
      return try #require(stage.lines(of: run, .log).first).split(separator: "-")
    }
    let first = try trace(job: "backup")
    #expect(first.map(\.count) == [2, 32, 16, 2] && first[0] == "00" && first[3] == "01")
    #expect(first.dropFirst().allSatisfy { $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
    let second = try trace(job: "backup", attempt: 2)
    #expect(second[1] == first[1] && second[2] != first[2])
    #expect(try trace(job: "other")[1] != first[1])
    let reaction = try trace(job: "mail", upstream: .sample)
    #expect(reaction[1] == first[1] && reaction[2] != first[2], "the sample is of the same entry")
    #expect(
      try trace(job: "own", environment: #", "environment": {"TRACEPARENT": "a-b"}"#) == ["a", "b"])
  }

  @Test func `a command starts in its job's working directory, by default the root directory`() throws {
    let stage = try Stage(Fixtures.bundled)
    let parameters = #"{"command": ["pwd"]}"#
    #expect(try stage.run("exec", parameters: parameters).result == "/")
    let end = try stage.run("exec", parameters: parameters) { $0.kind.setup.workingDirectory = "/usr" }
    #expect(end.result == "/usr")
  }

  @Test func `a command starts with no signal blocked or ignored, and with three descriptors`() throws {
    let stage = try Stage(Fixtures.bundled)
    let signals = try stage.start(
      "exec", parameters: #"{"command": ["grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"]}"#)
    _ = try stage.finish(signals)
    let masks = stage.lines(of: signals, .log).compactMap { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // 32 and 33 belong to the C library: it ignores them in every process that it spawns.
    #expect(masks.count == 2 && masks.allSatisfy { $0 & ~(0b11 << 31) == 0 }, "\(masks)")
    // The fourth descriptor belongs to the directory that `ls` reads.
    let descriptors = try stage.start("exec", parameters: #"{"command": ["ls", "/proc/self/fd"]}"#)
    _ = try stage.finish(descriptors)
    #expect(stage.lines(of: descriptors, .log) == ["0", "1", "2", "3"])
  }

  @Test func `a command that did not start leaves no descriptor open`() throws {
    let stage = try Stage(Fixtures.bundled)
    let first = try stage.start("exec", parameters: #"{"command": "echo $PPID", "shell": true}"#)
    #expect(try stage.finish(first).outcome.status == .succeeded)
    let host = try #require(stage.lines(of: first, .log).first)
    // The host is examined between two runs: during a run it may not have closed the descriptors of its command yet.
    let descriptors = {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(host)/fd"))?.count ?? .max
    }
    let known = descriptors()
    #expect((4..<100).contains(known))
    for _ in 1...10 {
      let end = try stage.run("exec", parameters: #"{"command": ["/no/such/program"]}"#)
      #expect(end.outcome.message.contains("was not started: no such file"), "\(end.outcome.message)")
    }
    try stage.wait(for: "no more descriptors than before") { descriptors() <= known }
  }

  @Test func `the failure of a command without enough memory names the limit`() throws {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("exec", parameters: #"{"command": "kill -ABRT $$", "shell": true}"#) {
      $0.kind.setup.memoryBytes = 2 << 30
    }
    #expect(
      end.outcome.message.contains("the 2048 MiB of memory that the job may have: raise `limits.memory`"),
      "\(end.outcome.message)")
  }

  @Test func `a command gets SIGTERM at a stop, and is killed if it ignores that`() throws {
    let stage = try Stage(Fixtures.bundled)
    let polite = try stage.start(
      "exec", parameters: #"{"command": "echo $$; exec cat /dev/zero > /dev/null", "shell": true}"#)
    try stage.wait(for: "its number") { !stage.lines(of: polite, .log).isEmpty }
    stage.hosts.askToStop(polite, .cancel)
    #expect(try stage.finish(polite).outcome.status == .cancelled)
    let deaf = try stage.start(
      "exec",
      parameters:
        #"{"command": "trap '' TERM; echo $$; while :; do read -t 1 x < /dev/zero; done", "shell": true}"#)
    try stage.wait(for: "its number") { !stage.lines(of: deaf, .log).isEmpty }
    let process = try #require(Int32(stage.lines(of: deaf, .log)[0]))
    stage.hosts.askToStop(deaf, .timeout)
    stage.hosts.kill(deaf, .timeout)
    #expect(try stage.finish(deaf).outcome.status == .cancelled)
    try stage.wait(for: "its end") { !isAlive(process) }
  }

  @Test func `a command is not blocked by its own output`() throws {
    let stage = try Stage(Fixtures.bundled)
    _ = try stage.run("exec", parameters: #"{"command": ["true"]}"#)
    let began = SystemTime.monotonic()
    let run = try stage.start("exec", parameters: #"{"command": "yes | head -c 3000000", "shell": true}"#)
    let end = try stage.finish(run)
    let seconds = Int((SystemTime.monotonic() - began).nanoseconds / 1_000_000_000)
    print("a command that prints 1,500,000 lines took \(SystemTime.monotonic() - began)")
    #expect(end.result == "y")
    let kept = stage.lines(of: run, .log)
    #expect(kept.count >= stage.hosts.configuration.outputLimits.burstLines)
    #expect(Set(kept) == ["y"])
    let told = stage.lines(of: run, .pools)
    #expect((1...seconds + 2).contains(told.count), "\(told)")
    #expect(kept.count + stage.droppedBytes(of: run) == 1_500_000, "each line has one byte")
  }

  @Test func `the last output of a command is complete even if it has enlarged its pipe`() throws {
    let stage = try Stage(Fixtures.bundled)
    // 1031 is F_SETPIPE_SZ. The lines are long, because the number of lines per second is limited.
    let script =
      #"fcntl(STDOUT, 1031, 1 << 20) or die; syswrite(STDOUT, ('x' x 3999 . qq(\\n)) x 250) == 1000000 or die"#
    let run = try stage.start("exec", parameters: #"{"command": ["perl", "-e", "\#(script)"]}"#)
    #expect(try stage.finish(run).outcome.status == .succeeded)
    #expect(stage.lines(of: run, .log).count == 250)
  }

  @Test func `ended orphans are reaped while a command runs`() throws {
    let stage = try Stage(Fixtures.bundled)
    let script =
      "for i in 1 2 3 4 5; do (sleep 0.01 &); done; sleep 1.5; "
      + "echo zombies: $(cat /proc/[0-9]*/stat 2>/dev/null | grep -c \") Z $PPID \")"
    let parameters = try JSONSerialization.data(withJSONObject: ["command": script, "shell": true])
    let end = try stage.run("exec", parameters: String(decoding: parameters, as: UTF8.self))
    #expect(end.result == "zombies: 0")
  }

  @Test func `a process that a command leaves running is not waited for`() throws {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "exec", parameters: #"{"command": "sleep 1000 & echo left it", "shell": true}"#)
    #expect(end.result == "left it")
  }

  @Test func `a rehearsal names its command and runs it only if configured`() throws {
    let stage = try Stage(Fixtures.bundled)
    let said = try stage.run("exec", parameters: #"{"command": ["/bin/false"]}"#) { $0.isRehearsal = true }
    #expect(said.outcome.status == .succeeded)
    #expect(said.result?.contains("/bin/false was not run") == true)
    let absent = try stage.run("exec", parameters: #"{"command": ["no-such-program", "x"]}"#) {
      $0.isRehearsal = true
    }
    #expect(absent.result?.contains("no-such-program x was not run") == true, "\(absent)")
    let several = try stage.run(
      "exec", parameters: #"{"commands": [["rm", "/x"], ["no-such"]], "condition": ["no-such"]}"#
    ) { $0.isRehearsal = true }
    #expect(several.result?.contains("rm /x; no-such was not run") == true, "\(several)")
    let really = try stage.run("exec", parameters: #"{"command": ["/bin/false"], "rehearse": true}"#) {
      $0.isRehearsal = true
    }
    #expect(really.outcome.status == .failed)
  }
}
