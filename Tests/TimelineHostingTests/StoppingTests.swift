import Foundation
import Glibc
import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Cancel, crash, exit and the daemon's death: the end of a run, its host and their processes.
@Suite struct StoppingTests {
  private func waiting() throws -> (HostProcess, Workshop) {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(try workshop.compile(PluginSource.waitsForCancel))
    try host.open()
    return (host, workshop)
  }

  @Test func `cancel reaches the active run, and no other`() throws {
    let (host, workshop) = try waiting()
    defer { withExtendedLifetime(workshop) {} }
    for number in UInt64(1)...20 {
      try host.send(.cancel(run: number))
      try host.send(.run(try .sample(number)))
      #expect(try host.receive() == .log(LogLine(run: number, level: .info, message: "waiting")))
      try host.send(.cancel(run: number + 1))
      try host.send(.cancel(run: number))
      try host.send(.cancel(run: number))
      #expect(try host.receive() == .log(LogLine(run: number, level: .notice, message: "cancelling")))
      #expect(try host.receive() == .ended(try RunEnd(run: number, status: .cancelled, text: "")))
    }
    try host.send(.exit)
    #expect(try host.end() == .exited(0))
  }

  @Test func `a run without a cancel callback can poll for a stop, and is stopped once`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          TIMELINED_LOG(context, TIMELINED_INFO, "spinning");
          while (!host->is_cancelled(context->call)) usleep(100);
          return TIMELINED_CANCELLED;
          """)))
    try host.open()
    for number in UInt64(1)...3 {
      try host.send(.run(try .sample(number)))
      #expect(try host.receive() == .log(LogLine(run: number, level: .info, message: "spinning")))
      try host.send(.cancel(run: number))
      #expect(try host.receive() == .ended(try RunEnd(run: number, status: .cancelled, text: "")))
    }
  }

  @Test func `the end of a run is delayed until its cancel callback has returned`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          TIMELINED_LOG(context, TIMELINED_INFO, "in run");
          while (!host->is_cancelled(context->call)) usleep(100);
          return TIMELINED_OK;
          """,
          before: """
            static void cancel(void *instance, const timelined_context *context) {
              (void)instance;
              usleep(50000);
              context->host->set_result(context->call, "said in cancel");
            }
            """, extra: ".cancel = cancel")))
    try host.open()
    try host.send(.run(try .sample(1)))
    _ = try host.receive()
    try host.send(.cancel(run: 1))
    #expect(try host.receive() == .ended(try RunEnd(run: 1, status: .succeeded, text: "said in cancel")))
  }

  @Test func `processes of a run in the host's group get SIGTERM at a stop`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          pid_t child;
          char *words[] = {"sleep", "1000", NULL};
          if (posix_spawn(&child, "/bin/sleep", NULL, NULL, words, NULL) != 0) return TIMELINED_FAILED;
          TIMELINED_LOG(context, TIMELINED_INFO, "started");
          int status = 0;
          if (waitpid(child, &status, 0) != child) return TIMELINED_FAIL(context, "waitpid was cut short");
          char text[64];
          snprintf(text, sizeof text, "child ended by signal %d", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
          return TIMELINED_FAIL(context, text);
          """)))
    try host.open()
    try host.send(.run(try .sample(1)))
    _ = try host.receive()
    try host.send(.cancel(run: 1))
    #expect(try host.receive() == .ended(RunEnd(run: 1, failure: "child ended by signal \(SIGTERM)")))
  }

  @Test func `a host survives SIGTERM and a broken pipe, and its child processes do not`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          int ends[2];
          if (pipe(ends) != 0 || close(ends[0]) != 0) return TIMELINED_FAILED;
          raise(SIGTERM);
          if (write(ends[1], "x", 1) >= 0) return TIMELINED_FAIL(context, "the pipe was not broken");
          int status = system("kill -TERM $$");
          return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? TIMELINED_OK : TIMELINED_FAILED;
          """)))
    try host.open()
    #expect(try host.run().end.status == .succeeded)
  }

  @Test(
    arguments: [
      ("exit(0);", nil, 0), ("exit(7);", nil, 7), ("_exit(3);", nil, nil), ("abort();", SIGABRT, nil),
      ("raise(SIGKILL);", SIGKILL, nil), ("*(volatile int *)8 = 0;", SIGSEGV, nil),
    ] as [(String, CInt?, CInt?)])
  func `a plugin that ends its host is detected`(body: String, signal: CInt?, reported: CInt?) throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(PluginSource.run("prctl(PR_SET_DUMPABLE, 0); \(body) return TIMELINED_OK;")))
    try host.open()
    try host.send(.run(try .sample(1)))
    if let reported { #expect(try host.receive() == .exiting(status: reported)) }
    #expect(try host.receive() == nil)
    let end = try host.end()
    if let signal { #expect(end == .signalled(Signal(rawValue: signal))) }
  }

  @Test func `output of a run without a line end is written before its end, even if the host is killed`()
    throws
  {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(try workshop.compile(PluginSource.run(#"printf("half a line"); return TIMELINED_OK;"#)))
    try host.open()
    #expect(try host.run().end.status == .succeeded)
    try host.child.signal(.kill)
    #expect(try host.outputToEnd() == "half a line")
  }

  @Test func `an idle host ends when the daemon has ended`() throws {
    let (host, workshop) = try waiting()
    defer { withExtendedLifetime(workshop) {} }
    host.hangUp()
    #expect(try host.end() == .signalled(Signal(rawValue: SIGKILL)))
  }

  @Test func `a busy host whose daemon has ended stops its run, then kills its group`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          // The grandchild holds standard output open and ignores SIGTERM: only SIGKILL to the group ends it.
          if (fork() == 0) { signal(SIGTERM, SIG_IGN); puts("child"); for (;;) pause(); }
          TIMELINED_LOG(context, TIMELINED_INFO, "busy");
          while (!host->is_cancelled(context->call)) usleep(100);
          puts("stopped");
          return TIMELINED_CANCELLED;
          """)))
    try host.open()
    try host.send(.run(try .sample(1)))
    _ = try host.receive()
    host.hangUp()
    let output = try host.outputToEnd()
    #expect(output.contains("stopped\n"))
    #expect(try host.end() == .signalled(Signal(rawValue: SIGKILL)))
  }

  @Test func `a hanging run does not outlive the daemon`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          #"TIMELINED_LOG(context, TIMELINED_INFO, "hanging"); for (;;) pause(); return TIMELINED_OK;"#)))
    try host.open()
    try host.send(.run(try .sample(1)))
    _ = try host.receive()
    host.hangUp()
    #expect(try host.end() == .signalled(Signal(rawValue: SIGKILL)))
  }

  @Test func `any message but cancel during a call ends the host with the reason`() throws {
    let (host, workshop) = try waiting()
    defer { withExtendedLifetime(workshop) {} }
    try host.send(.run(try .sample(1)))
    _ = try host.receive()
    try host.send(.close(instance: 0))
    #expect(try host.end() == .exited(76))
    #expect(try host.outputToEnd().contains("other than \"cancel\""))
  }

  @Test func `an orphan becomes a child of the host, and is reaped when the run returns`()
    throws
  {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          if (waitpid(-1, NULL, WNOHANG) != -1) return TIMELINED_FAIL(context, "something is left of the run before");
          int ends[2];
          if (pipe(ends) != 0) return TIMELINED_FAILED;
          pid_t child = fork();
          if (child == 0) {
            // The grandchild says whose it has become, in a session of its own.
            pid_t child_of_host = getpid();
            if (fork() != 0) _exit(0);
            setsid();
            // Its parent is one whose end it may be too early to see.
            pid_t parent = getppid();
            while (parent == child_of_host) { usleep(100); parent = getppid(); }
            if (write(ends[1], &parent, sizeof parent) != sizeof parent) _exit(1);
            _exit(0);
          }
          waitpid(child, NULL, 0);
          pid_t parent = 0;
          if (read(ends[0], &parent, sizeof parent) != sizeof parent) return TIMELINED_FAIL(context, "no word of it");
          siginfo_t ended;
          if (waitid(P_ALL, 0, &ended, WEXITED | WNOWAIT) != 0) return TIMELINED_FAIL(context, "it has gone elsewhere");
          return parent == getpid() ? TIMELINED_OK : TIMELINED_FAIL(context, "it has become another's");
          """)))
    try host.open()
    for number in UInt64(1)...3 { #expect(try host.run(number).end.status == .succeeded) }
  }

  @Test func `no thread of the host can gain privileges, including the one that cancels`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          TIMELINED_LOG(context, TIMELINED_INFO, "in run");
          while (!host->is_cancelled(context->call)) usleep(100);
          return TIMELINED_OK;
          """,
          before: """
            static void cancel(void *instance, const timelined_context *context) {
              (void)instance;
              int is_set = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
              context->host->set_result(context->call, is_set == 1 ? "set" : "not set");
            }
            """, extra: ".cancel = cancel")))
    try host.open()
    try host.send(.run(try .sample(1)))
    _ = try host.receive()
    try host.send(.cancel(run: 1))
    #expect(try host.receive() == .ended(try RunEnd(run: 1, status: .succeeded, text: "set")))
  }

  @Test func `programs that a plugin executes do not get the host's socket`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          #"return system("[ ! -e /proc/self/fd/3 ]") == 0 ? TIMELINED_OK : TIMELINED_FAIL(context, "it did");"#
        )))
    try host.open()
    #expect(try host.run().end.status == .succeeded)
  }
}
