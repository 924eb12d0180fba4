import Foundation
import Testing
import TimelineControl
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@Suite struct `The control socket of a real daemon` {
  /// A daemon with a job every second, one that waits at a gate, and one that fails.
  static func daemon(_ workshop: Workshop, settings: String = "") throws -> (DaemonProcess, Gate) {
    try workshop.compileGate()
    try workshop.compile(directory: "Tests/BrokenPlugins/steady")
    try workshop.compile(directory: "Tests/BrokenPlugins/exit")
    let gate = try Gate(in: workshop)
    try workshop.configure(
      """
      \(settings)
      [job.steady]
      plugin = "steady"
      schedule = \(everySecond)
      [job.held]
      plugin = "gate"
      schedule = \(never)
      with = { fifo = "\(gate.path)" }
      [job.failing]
      plugin = "exit"
      schedule = \(never)
      [job.off]
      plugin = "steady"
      schedule = \(never)
      enabled = false
      """)
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    return (daemon, gate)
  }

  @Test func `timelinectl shows, lists, triggers and waits, for people and as JSON`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try Self.daemon(workshop)
    let status = try daemon.status()
    #expect(status.version == "0.1.0" && status.pid == daemon.child.pid)
    #expect(status.configuration == workshop.path + "/daemon.toml")
    #expect(status.jobCount == 3 && status.next?.job == "steady")
    #expect(status.clock == "system" && status.mode == "normal")
    let text = try daemon.control("status").output
    for part in ["0.1.0, process \(daemon.child.pid)", "the system's", "3, 0 running", "steady at "] {
      #expect(text.contains(part), "\(text)")
    }

    let waiting = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "trigger", "held", "--wait", "--json"], on: daemon.loop)
    try daemon.wait(for: "its progress") { waiting.printed.contains("halfway") }
    let running = try #require(try daemon.list().first { $0.name == "held" }?.running.first)
    #expect(running.progressMillionths == 500_000 && running.progressText == "halfway")
    #expect(try daemon.control("list").output.contains("running"))
    try gate.open()
    try daemon.wait(for: "the end of the run") { waiting.result != nil }
    let replies = try #require(waiting.result).output.split(separator: "\n").map {
      try JSONDecoder().decode(TriggerReply.self, from: Data($0.utf8))
    }
    #expect(replies.last?.end?.outcome == "succeeded")
    #expect(replies.dropLast().allSatisfy { $0.end == nil && $0.run == replies.last?.run })

    let failed = try daemon.control("trigger", "failing", "--wait")
    #expect(failed.end == .exited(1), "\(failed)")
    #expect(
      failed.output.hasPrefix("failing: failed after ") && failed.output.contains("exit(0)"), "\(failed)")
    #expect(try daemon.status().lastFailure?.job == "failing")
    #expect(try daemon.control("status").output.contains("failed: "))
    let unknown = try daemon.control("trigger", "staedy")
    #expect(unknown.end == .exited(1) && unknown.errors.contains("steady"), "\(unknown)")

    let table = try daemon.control("list").output.split(separator: "\n")
    #expect(table.count == 4 && table[0].hasPrefix("JOB "), "\(table)")
    for name in ["steady", "held", "failing"] { #expect(table.contains { $0.hasPrefix(name + " ") }) }
    #expect(try daemon.control("stop", "--json").output.hasPrefix("{\"runningCount\":"))
    #expect(try daemon.finish() == .exited(0))
    let dead = try daemon.control("status")
    #expect(dead.end == .exited(69) && dead.errors.contains("is timelined running?"), "\(dead)")
  }

  @Test func `What a plugin writes reaches no terminal's hands, whichever verb shows it`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      #"""
      #include <timelined_plugin.h>
      static timelined_status run(void *instance, const timelined_context *context) {
        (void)instance;
        context->host->report_progress(context->call, 0.5, "\033[2Jhalfway");
        return TIMELINED_FAIL(context, "\033]0;mine\007 no\033[31m paint");
      }
      static const timelined_plugin table = {
          TIMELINED_PLUGIN_HEAD, .name = "painter", .version = "1.0", .summary = "no\033[31m paint", .run = run};
      const timelined_plugin *timelined_plugin_entry(const timelined_host *host) {
        (void)host;
        return &table;
      }
      """#, name: "painter")
    try workshop.configure("[job.painter]\nplugin = \"painter\"\nschedule = \(never)")
    let daemon = try DaemonProcess(workshop)
    try daemon.begin()
    let triggered = try daemon.control("trigger", "painter", "--wait")
    let history = try daemon.control("history", "painter", "--json").output
    let entry = try JSONDecoder().decode(HistoryEntry.self, from: Data(history.utf8)).entry.instant
    let results = [
      triggered, try daemon.control("status"), try daemon.control("history", "painter"),
      try daemon.control("why", "painter", "\(entry)"), try daemon.control("plugin", "inspect", library),
      try daemon.control("list"), try daemon.control("logs", "painter"),
    ]
    for (index, result) in results.enumerated() {
      let text = result.output + result.errors
      #expect(!text.contains("\u{1B}") && !text.contains("\u{7}"), "\(text)")
      #expect(index >= 5 || text.contains("no\\u{1b}[31m paint"), "\(text)")
    }
    #expect(try daemon.stop() == .exited(0))
  }

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `Reading is for the socket's group, changing for the users it names`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop, settings: "[control]\ngroup = \"nogroup\"")
    let member = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
    let stranger = ["/usr/bin/setpriv", "--reuid=nobody", "--regid=daemon", "--clear-groups"]
    #expect(try daemon.control("status", command: member).end == .exited(0))
    #expect(try daemon.control("list", command: member).end == .exited(0))
    for change in [["trigger", "held"], ["reload"], ["stop"]] {
      let refused = try daemon.control(
        change[0], Array(change.dropFirst()).first ?? "--json", command: member)
      #expect(refused.end == .exited(77), "\(refused)")
      #expect(refused.errors.contains("permission denied: read-only access"), "\(refused)")
    }
    let locked = try daemon.control("status", command: stranger)
    #expect(locked.end == .exited(77) && locked.errors.contains("group"), "\(locked)")
    #expect(try daemon.status().runningCount == 0)
    try workshop.write(
      "[control]\ngroup = \"nogroup\"\nusers = [\"nobody\"]\n[job.steady]\nplugin = \"steady\"\nschedule = \(never)",
      to: "daemon.toml")
    #expect(try daemon.control("reload").end == .exited(0))
    #expect(try daemon.control("trigger", "steady", "--wait", command: member).end == .exited(0))
    #expect(try daemon.stop() == .exited(0))
  }

  /// Connects as often as it is told, begins a request each time, and waits for its own end.
  static let crowd = """
    #include <string.h>
    #include <stdlib.h>
    #include <stdio.h>
    #include <sys/socket.h>
    #include <sys/un.h>
    #include <unistd.h>
    int main(int count, char **words) {
      struct sockaddr_un address = {.sun_family = AF_UNIX};
      if (count != 3) return 1;
      strcpy(address.sun_path, words[1]);
      for (int left = atoi(words[2]); left > 0; left--) {
        int client = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(client, (struct sockaddr *)&address, sizeof address) != 0) return 2;
        send(client, "{", 1, MSG_NOSIGNAL);
        usleep(2000);
      }
      while (pause() == -1) continue;
    }
    """

  @Test(
    .enabled(
      if: isRoot && canBeNobody, "only root can become another user, who must be able to reach the build"))
  func `Whoever may only look keeps nobody out who may change things`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop, settings: "[control]\ngroup = \"nogroup\"")
    let program = workshop.path + "/crowd"
    try shell("cc", "-o", program, try workshop.write(Self.crowd, to: "crowd.c"))
    let crowd = try StartedProgram(
      ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", program, daemon.socketPath]
        + ["500"], on: daemon.loop)
    try daemon.line(containing: "32 clients are being served on the control socket; hung up on")
    #expect(try daemon.control("trigger", "steady").end == .exited(0))
    try daemon.line(containing: "hung up on a client", ": its place was needed")
    #expect(try daemon.stop() == .exited(0))
    withExtendedLifetime(crowd) {}
  }

  @Test func `Slow clients disturb no job and are hung up on`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop)
    let half = try SlowClient(daemon, says: "{\"method\":\"io.timelined.Control.Sta")
    let drip = try SlowClient(daemon, says: "{")
    drip.drip(" ", every: .milliseconds(500), on: daemon.loop)
    let deaf = try SlowClient(daemon, says: "")
    deaf.ask("{\"method\":\"io.timelined.Control.GetNothing\"}\0", on: daemon.loop)
    let flood = try SlowClient(daemon, says: String(repeating: "x", count: 200_000))
    let nonsense = try SlowClient(daemon, says: "GET / HTTP/1.1\r\n\r\n\0")
    let idle = try SlowClient(daemon, says: "")
    try daemon.wait(for: "the end of all of them") {
      [half, drip, deaf, flood, nonsense].allSatisfy(\.isHungUpOn)
    }
    #expect(!idle.isHungUpOn, "whoever says nothing is in nobody's way")
    try daemon.line(containing: "hung up on a client of the control socket, process ", ": ")
    #expect(daemon.lines.count { $0.contains("hung up on") } == 1, "the others are told of later")
    #expect(try daemon.status().jobCount == 3)
    #expect(try daemon.stop() == .exited(0))
    let entries = daemon.settled("steady")
    #expect(entries.count >= 8 && entries.allSatisfy { $0.outcome == "succeeded" }, "\(entries)")
    let seconds = entries.compactMap(\.second)
    #expect(zip(seconds, seconds.dropFirst()).allSatisfy { $1 == ($0 + 1) % 86_400 }, "\(seconds)")
  }

  @Test func `Connections that ask for nothing keep nobody out`() throws {
    let workshop = try Workshop()
    let (daemon, gate) = try Self.daemon(workshop)
    let waiting = try StartedProgram(
      [BuiltProgram.control, "-s", daemon.socketPath, "trigger", "held", "--wait"], on: daemon.loop)
    try daemon.line(containing: "held", "at the gate")
    let idle = try (0..<40).map { _ in try SlowClient(daemon, says: "") }
    #expect(try daemon.status().jobCount == 3)
    try daemon.wait(for: "the eldest to be hung up on") { idle[0].isHungUpOn }
    #expect(idle.last?.isHungUpOn == false)
    try gate.open()
    try daemon.wait(for: "the end of who waited") { waiting.result != nil }
    #expect(waiting.result?.end == .exited(0), "whoever waits for an answer gets it")
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func `Whoever there is no room for is hung up on, and told of once`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop)
    let busy = try (0..<31).map { _ in try SlowClient(daemon, says: "{") }
    // Whoever is answered comes after all that these have said was read.
    for _ in 1...2 { #expect(try daemon.status().jobCount == 3) }
    var others: [SlowClient] = []
    // One whose first word has not been read yet makes room for the next, so it is not known which is the first without any.
    while !daemon.lines.contains(where: {
      $0.contains("32 clients are being served on the control socket; hung up on another")
    }) {
      try #require(others.count < 1_000)
      others.append(try SlowClient(daemon, says: "{"))
      _ = daemon.loop.runOnce(timeout: .milliseconds(20))
    }
    #expect(busy.allSatisfy { !$0.isHungUpOn })
    let late = try (0..<5).map { _ in try SlowClient(daemon, says: "{") }
    try daemon.wait(for: "the end of those that came later") { late.allSatisfy(\.isHungUpOn) }
    try daemon.wait(for: "the end of the others but one") {
      others.count(where: \.isHungUpOn) >= others.count - 1
    }
    #expect(daemon.lines.count { $0.contains("clients are being served") } == 1)
    #expect(try daemon.stop() == .exited(0))
  }

  /// Exits 0 when everything is as it should be; what is not goes to standard output.
  static let script = """
    import sys, varlink
    with varlink.Client.new_with_address("unix:" + sys.argv[1]) as client:
        assert "io.timelined.Control" in client.get_interfaces(), client.get_interfaces()
        with client.open("org.varlink.service") as service:
            info = service.GetInfo()
            assert info["product"] == "timelined" and info["version"] == "0.1.0", info
            text = service.GetInterfaceDescription("io.timelined.Control")["description"]
            assert varlink.Interface(text).name == "io.timelined.Control", text
        with client.open("io.timelined.Control", namespaced=True) as control:
            status = control.Status()
            assert status.jobCount == 3 and status.clock == "system", status
            assert [job.name for job in control.List().jobs] == ["steady", "held", "failing"]
            replies = list(control.Trigger("failing", _more=True))
            assert replies[-1].end.outcome == "failed", replies
            assert "exit(0)" in replies[-1].end.reason, replies
            assert control.Reload().unchangedCount == 3
            try:
                control.Trigger("nobody")
                assert False, "a job that does not exist was triggered"
            except varlink.VarlinkError as error:
                assert error.error() == "io.timelined.Control.NoSuchJob", error
            assert control.Stop().runningCount == 0
    print("well")
    """

  @Test(.enabled(if: ForeignVarlink.python != nil, "\(ForeignVarlink.absence)"))
  func `PyPI's varlink client finds its way`() throws {
    let workshop = try Workshop()
    let (daemon, _) = try Self.daemon(workshop)
    let python = try #require(ForeignVarlink.python)
    let client = try StartedProgram([python, "-c", Self.script, daemon.socketPath], on: daemon.loop)
    try daemon.wait(for: "its end") { client.result != nil }
    let result = try #require(client.result)
    #expect(result.end == .exited(0) && result.output == "well\n", "\(result.output)\(result.errors)")
    #expect(try daemon.finish() == .exited(0))
  }
}

/// Whether `nobody` can run the programs under test.
let canBeNobody =
  (try? shell(
    "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "test", "-x", BuiltProgram.control))
  != nil

/// A client of the control socket that does not do its part.
private final class SlowClient {
  private(set) var isHungUpOn = false
  private let stream: ByteStream
  private var watch: Watch?

  /// Connects and says something; what is answered is not read.
  init(_ daemon: DaemonProcess, says text: String) throws {
    stream = try ByteStream.connect(to: daemon.socketPath, atMost: .seconds(5))
    watch = try daemon.loop.watch(stream.rawValue, for: []) { [unowned self] readiness in
      if readiness.contains(.hangUp) || readiness.contains(.failure) { hungUp() }
    }
    say(text)
  }

  deinit { hungUp() }

  private func hungUp() {
    isHungUpOn = true
    watch?.cancel()
    watch = nil
  }

  private func say(_ text: String) {
    guard !isHungUpOn else { return }
    if case .peerClosed? = try? stream.write(Array(text.utf8)[...]) { hungUp() }
  }

  /// Says a little more now and then, for ever.
  func drip(_ text: String, every pause: ElapsedTime, on loop: EventLoop) {
    guard !isHungUpOn else { return }
    say(text)
    loop.after(pause) { [weak self] in self?.drip(text, every: pause, on: loop) }
  }

  /// Asks as often as there is room, and reads no answer.
  func ask(_ question: String, on loop: EventLoop) {
    let questions = Array(String(repeating: question, count: 1_000).utf8)
    while case .wrote? = try? stream.write(questions[...]) {}
  }
}
