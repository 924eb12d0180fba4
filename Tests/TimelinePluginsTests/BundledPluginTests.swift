import Foundation
import Testing
import TimelineCore
import TimelineEngine
import TimelinePlugins
import TimelineSystem

@Suite struct `The plugin exec` {
  struct Case: CustomTestStringConvertible, Sendable {
    var parameters: String
    var status = AttemptOutcome.Status.succeeded
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
      parameters: #"{"command": "exit 3", "shell": true}"#, status: .failed, retry: true,
      message: "/bin/sh exited with status 3; it printed nothing"),
    Case(
      parameters: #"{"command": "echo no disk >&2; exit 75", "shell": true}"#, status: .failed, retry: true,
      message: #"status 75; its last words were "no disk""#, lines: ["no disk"]),
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
      message: "ended by signal 11"),
    Case(
      parameters: #"{"command": "kill -XCPU $$", "shell": true}"#, status: .failed,
      message: "used up the job's limit of processor time"),
    Case(
      parameters: #"{"command": ["no-such-program"]}"#, status: .failed,
      message: "no-such-program was not found in PATH"),
    Case(
      parameters: #"{"command": ["/no/such/program"]}"#, status: .failed,
      message: "/no/such/program was not started: No such file or directory; correct `command`"),
    Case(
      parameters: #"{"command": ["/etc/passwd"]}"#, status: .failed, message: "make it executable"),
    Case(
      parameters: #"{"command": ["/bin/true"], "working-directory": "/no/such/place"}"#, status: .failed,
      message: "look at the working-directory /no/such/place"),
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
  func `A command's exit status decides, and what it prints is logged`(example: Case) throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", job: "command", parameters: example.parameters)
    let end = try stage.finish(run)
    #expect(end.outcome.status == example.status, "\(end.outcome.message)")
    #expect(end.outcome.isWorthRetrying == example.retry)
    #expect(
      example.message.isEmpty || end.outcome.message.contains(example.message), "\(end.outcome.message)")
    #expect(stage.lines(of: run, .log).sorted() == example.lines.sorted())
  }

  @Test func `A command is told of its run`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", job: "told", parameters: #"{"command": ["env"]}"#) {
      $0.attempt.number = 3
      $0.attempt.entryCount = 2
      $0.attempt.entry.nominal = WallInstant(nanosecondsSinceEpoch: 1_800_000_000_250_000_000)
    }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    let lines = Set(stage.lines(of: run, .log))
    for line in [
      "TIMELINE_JOB=told", "TIMELINE_ATTEMPT=3", "TIMELINE_ENTRY_COUNT=2", "TIMELINE_REHEARSAL=0",
      "TIMELINE_MODE=normal", "TIMELINE_NOMINAL=2027-01-15T08:00:00.25Z",
      "TIMELINE_NOMINAL_NS=1800000000250000000",
      "TIMELINE_ACTUAL=2027-01-15T08:00:00Z",
    ] { #expect(lines.contains(line), "\(lines)") }
    #expect(lines.contains { $0.hasPrefix("TIMELINE_RUN_KEY=told") })
    #expect(!lines.contains { $0.hasPrefix("SWIFT_BACKTRACE") })
  }

  @Test func `A command that reacts to another job's entry finds its story`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start("exec", parameters: #"{"command": ["env"]}"#) { $0.attempt.story = .sample }
    #expect(try stage.finish(run).outcome.status == .succeeded)
    let lines = Set(stage.lines(of: run, .log))
    for line in [
      "TIMELINE_STORY_JOB=backup", "TIMELINE_STORY_DISPOSITION=failed", "TIMELINE_STORY_REASON=no disk",
      "TIMELINE_STORY_ENTRY=2027-01-15T08:00:00Z",
    ] { #expect(lines.contains(line), "\(lines)") }
    let story = try #require(lines.first { $0.hasPrefix("TIMELINE_STORY={") }?.dropFirst(15))
    let object = try JSONSerialization.jsonObject(with: Data(story.utf8)) as? [String: Any]
    #expect(object?["job"] as? String == "backup" && object?["attempts"] as? Int == 2)
    let plain = try stage.start("exec", parameters: #"{"command": ["env"]}"#)
    _ = try stage.finish(plain)
    #expect(!stage.lines(of: plain, .log).contains { $0.hasPrefix("TIMELINE_STORY") })
  }

  @Test func `A command starts in its job's working folder, or else in the root folder`() throws {
    let stage = try Stage(Fixtures.bundled)
    let parameters = #"{"command": ["pwd"]}"#
    #expect(try stage.run("exec", parameters: parameters).result == "/")
    let end = try stage.run("exec", parameters: parameters) { $0.kind.setup.workingFolder = "/usr" }
    #expect(end.result == "/usr")
  }

  @Test func `A command starts with no signal blocked or ignored, and with three descriptors`() throws {
    let stage = try Stage(Fixtures.bundled)
    let signals = try stage.start(
      "exec", parameters: #"{"command": ["grep", "-E", "^Sig(Blk|Ign):", "/proc/self/status"]}"#)
    _ = try stage.finish(signals)
    let masks = stage.lines(of: signals, .log).compactMap { line in
      line.split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    }
    // The C library's own two, 32 and 33, are nobody else's: it has them ignored in whatever it spawns.
    #expect(masks.count == 2 && masks.allSatisfy { $0 & ~(0b11 << 31) == 0 }, "\(masks)")
    // The fourth is that of the folder that it lists.
    let descriptors = try stage.start("exec", parameters: #"{"command": ["ls", "/proc/self/fd"]}"#)
    _ = try stage.finish(descriptors)
    #expect(stage.lines(of: descriptors, .log) == ["0", "1", "2", "3"])
  }

  @Test func `A command beyond its job's memory fails in words that name the limit`() throws {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("exec", parameters: #"{"command": "kill -KILL $$", "shell": true}"#) {
      $0.kind.setup.memoryBytes = 2 << 30
    }
    #expect(
      end.outcome.message.contains("the 2048 MiB of memory that the job may have: raise that limit"),
      "\(end.outcome.message)")
  }

  @Test func `A command that is asked to stop gets SIGTERM, and one that does not listen is killed`() throws {
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

  @Test func `A command is not held up by what it prints`() throws {
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
    let dropped = told.compactMap { $0.split(separator: " ").compactMap { Int($0) }.first }
    #expect(kept.count + dropped.reduce(0, +) == 1_500_000, "each line has one byte")
  }

  @Test func `What a command leaves running is not waited for`() throws {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "exec", parameters: #"{"command": "sleep 1000 & echo left it", "shell": true}"#)
    #expect(end.result == "left it")
  }

  @Test func `A rehearsal only says what it would run, unless it is told to`() throws {
    let stage = try Stage(Fixtures.bundled)
    let said = try stage.run("exec", parameters: #"{"command": ["/bin/false"]}"#) { $0.isRehearsal = true }
    #expect(said.outcome.status == .succeeded)
    #expect(said.result?.contains("/bin/false was not run") == true)
    let really = try stage.run("exec", parameters: #"{"command": ["/bin/false"], "rehearse": true}"#) {
      $0.isRehearsal = true
    }
    #expect(really.outcome.status == .failed)
  }
}

@Suite struct `The plugin http` {
  struct Case: CustomTestStringConvertible, Sendable {
    var path: String
    var more = ""
    var status = AttemptOutcome.Status.succeeded
    var retry = false
    var message = ""
    var testDescription: String { "\(path) \(more)" }
  }

  @Test(arguments: [
    Case(path: "/status/200", message: "200, 16 bytes: as you wish"),
    Case(path: "/status/204"),
    Case(path: "/status/404", status: .failed, message: "got the status 404 where 200 to 299 was expected"),
    Case(path: "/status/404", more: #", "expected-status": 404"#, message: "404"),
    Case(
      path: "/status/200", more: #", "expected-status": [201, 202]"#, status: .failed, message: "201 or 202"),
    Case(path: "/status/500", status: .failed, retry: true, message: "500"),
    Case(path: "/status/503", status: .failed, retry: true, message: "503"),
    Case(path: "/status/429", status: .failed, retry: true, message: "429"),
    Case(path: "/redirect", status: .failed, message: "set follow-redirects = true"),
    Case(path: "/redirect", more: #", "follow-redirects": true"#, message: "200"),
    Case(path: "/big", more: #", "response-limit": 100"#, status: .failed, message: "more than 100 bytes"),
    Case(path: "/big", message: "10000 bytes"),
    Case(path: "/break", status: .failed, retry: true, message: "broke off"),
    Case(
      path: "/silence", more: #", "time-limit": 0.2"#, status: .failed, retry: true,
      message: "raise time-limit"),
    Case(path: "/status/200", more: #", "method": "get""#, status: .failed, message: "capital letters"),
    Case(path: "/{when}", status: .failed, message: "unknown placeholder {when}"),
    Case(path: "/status/200", more: #", "time-limit": -1"#, status: .failed, message: "more than 0"),
    Case(
      path: "/status/200", more: #", "headers": {"a b": "c"}"#, status: .failed, message: "is not a header"),
  ])
  func `The status of the response decides`(example: Case) throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("http", parameters: "{\"url\": \"\(server.url(example.path))\"\(example.more)}")
    #expect(end.outcome.status == example.status, "\(end.outcome.message)")
    #expect(end.outcome.isWorthRetrying == example.retry, "\(end.outcome.message)")
    #expect(
      example.message.isEmpty || end.outcome.message.contains(example.message), "\(end.outcome.message)")
  }

  @Test func `A request carries what the job says and what the run is`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http", job: "told",
      parameters: """
        {"url": "\(server.url("/echo/{job}?at={nominal}"))", "method": "PUT", "body": "{{}attempt {attempt}",
         "headers": {"X-Job": "{job}"}}
        """)
    #expect(end.outcome.status == .succeeded, "\(end.outcome.message)")
    #expect(end.result?.contains("PUT /echo/told?at=2027-01-15T08:00:00Z HTTP/1.1") == true, "\(end)")
  }

  @Test func `A request about another job's entry carries its story, and no line end of it`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run(
      "http",
      parameters: """
        {"url": "\(server.url("/echo/{story-job}"))", "body": "{story}", "headers": {"X-Why": "{story-reason}"},
         "response-limit": 10000}
        """
    ) {
      $0.attempt.story = .sample
      $0.attempt.story?.reason = "no disk\r\nX-Evil: yes"
    }
    #expect(end.result?.contains("POST /echo/backup HTTP/1.1") == true, "\(end)")
    let sent = server.received
    #expect(sent.contains("X-Why: no disk  X-Evil: yes\r\n"), "\(sent)")
    #expect(sent.contains("Content-Type: application/json\r\n"))
    #expect(sent.contains(#"{"attempts":2,"cause":"schedule","disposition":"failed","#))
  }

  @Test func `Nobody there, no such host and nonsense are told apart`() throws {
    let stage = try Stage(Fixtures.bundled)
    let port = try LoopbackServer().port
    let refused = try stage.run("http", parameters: "{\"url\": \"http://127.0.0.1:\(port)/\"}")
    #expect(
      refused.outcome.isWorthRetrying && refused.outcome.message.contains("look whether the server runs"),
      "\(refused)")
    let other = try stage.run("http", parameters: #"{"url": "ftp://127.0.0.1/"}"#)
    #expect(!other.outcome.isWorthRetrying && other.outcome.message.contains("must begin with http://"))
    let missing = try stage.run("http")
    #expect(missing.outcome.message.contains("the parameter /url is missing"))
  }

  @Test func `A request that is asked to stop stops at once, and its deadline bounds it`() throws {
    let server = try LoopbackServer()
    let stage = try Stage(Fixtures.bundled)
    let parameters = "{\"url\": \"\(server.url("/silence"))\"}"
    let run = try stage.start("http", parameters: parameters)
    try stage.wait(for: "its start") {
      stage.events.contains { if case .started(run, _) = $0 { true } else { false } }
    }
    stage.hosts.askToStop(run, .cancel)
    #expect(try stage.finish(run).outcome.status == .cancelled)
    let late = try stage.run("http", parameters: parameters) {
      $0.attempt.deadline = $0.attempt.startedAt + .milliseconds(200)
    }
    #expect(late.outcome.isWorthRetrying && late.outcome.message.contains("raise time-limit"), "\(late)")
  }

  @Test func `A rehearsal only says what it would send`() throws {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("http", parameters: #"{"url": "http://127.0.0.1:1/"}"#) { $0.isRehearsal = true }
    #expect(end.result?.contains("GET http://127.0.0.1:1/ was not sent") == true)
  }
}

@Suite struct `The plugin log and what all three say of themselves` {
  @Test func `A line has the run's values in it`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "log", job: "note",
      parameters: #"{"message": "{job} at {nominal}, try {attempt} {{}", "level": "warning"}"#)
    #expect(try stage.finish(run).result == "note at 2027-01-15T08:00:00Z, try 1 {}")
    let levels = stage.events.compactMap { if case .line(let line) = $0 { line.level } else { nil } }
    #expect(levels == [.warning])
  }

  @Test func `A line about another job's entry has its story in it and beside it`() throws {
    let stage = try Stage(Fixtures.bundled)
    let run = try stage.start(
      "log", parameters: #"{"message": "{story-job} {story-disposition}: {story-reason}"}"#
    ) { $0.attempt.story = .sample }
    #expect(try stage.finish(run).result == "backup failed: no disk")
    let fields = stage.events.compactMap { if case .line(let line) = $0 { line.fields } else { nil } }
    #expect(
      fields == [
        [
          .init(key: "story_job", value: "backup"), .init(key: "story_entry", value: "2027-01-15T08:00:00Z"),
          .init(key: "story_disposition", value: "failed"), .init(key: "story_reason", value: "no disk"),
        ]
      ])
  }

  @Test(arguments: [
    (#"{"message": "{what}"}"#, "unknown placeholder {what}"), (#"{"message": "{job"}"#, "a { without a }"),
    (#"{"message": "a", "level": "loud"}"#, "must be one of debug, info"),
    ("{}", "the parameter /message is missing"),
    (#"{"message": 7}"#, "the parameter /message must be text, and is an integer"),
  ])
  func `Wrong parameters are told with the parameter and what to write`(parameters: String, expected: String)
    throws
  {
    let stage = try Stage(Fixtures.bundled)
    let end = try stage.run("log", parameters: parameters)
    #expect(end.outcome.status == .failed)
    #expect(end.outcome.message.contains(expected), "\(end.outcome.message)")
  }

  @Test(arguments: ["exec", "http", "log"])
  func `Each has a schema that says what every parameter is for`(plugin: String) throws {
    let stage = try Stage(Fixtures.bundled)
    let kind = HostKind(pluginPath: try stage.hosts.configuration.search.path(of: plugin))
    var answer: Result<PluginIdentity, HostFailure>?
    stage.hosts.describe(kind) { answer = $0 }
    try stage.wait(for: "the answer") { answer != nil }
    let identity = try #require(try answer?.get())
    #expect(identity.name == plugin)
    #expect(!identity.summary.isEmpty && !identity.version.isEmpty)
    let schema = try #require(
      try JSONSerialization.jsonObject(with: Data(identity.schema.utf8)) as? [String: Any])
    #expect(schema["additionalProperties"] as? Bool == false)
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    for (name, property) in properties {
      #expect((property["description"] as? String)?.isEmpty == false, "\(name)")
    }
  }

  @Test func `One host serves a job for as long as its parameters stay the same`() throws {
    let stage = try Stage(Fixtures.bundled) { $0.limits.idleHostsPerKindMax = 1 }
    var results: [String?] = []
    for message in ["a", "a", "b"] {
      results.append(try stage.run("log", parameters: "{\"message\": \"\(message)\"}").result)
    }
    #expect(results == ["a", "a", "b"])
    #expect(stage.hosts.hostCount == 1)
  }
}

extension EntryRecord? {
  /// A backup that failed twice.
  fileprivate static var sample: EntryRecord? {
    JobName("backup").map { job in
      EntryRecord(
        entry: EntryKey(job: job, nominal: WallInstant(secondsSinceEpoch: 1_800_000_000)),
        disposition: .failed, reason: "no disk", run: RunID(number: 7), startedAt: .epoch, endedAt: .epoch,
        attempts: 2)
    }
  }
}
