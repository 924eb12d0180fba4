import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Changes of a host's process by a run, and the state in the next run.
@Suite struct ProcessStateTests {
  struct Change: CustomTestStringConvertible, Sendable {
    var what: String
    /// Statements of the first run.
    var body: String
    /// Statements that write the state into `text`.
    var probe: String
    var testDescription: String { what }
  }

  private static let variables =
    #"snprintf(text, sizeof text, "%s %s %s", getenv("PATH"), getenv("HOME"), getenv("LEFT"));"#

  static let changes = [
    Change(
      what: "umask", body: "umask(0);",
      probe: #"mode_t mask = umask(0); umask(mask); snprintf(text, sizeof text, "%o", mask);"#),
    Change(what: "variable", body: #"setenv("PATH", "/nowhere", 1);"#, probe: variables),
    Change(what: "removed variable", body: #"unsetenv("HOME");"#, probe: variables),
    Change(what: "new variable", body: #"setenv("LEFT", "behind", 1);"#, probe: variables),
    Change(what: "variable in its place", body: #"getenv("PATH")[1] = 'x';"#, probe: variables),
    Change(what: "no variables", body: "clearenv();", probe: variables),
    Change(
      what: "working directory", body: #"if (chdir("/tmp")) abort();"#,
      probe: "getcwd(text, sizeof text);"),
    Change(
      what: "signal mask",
      body: "sigset_t set; sigemptyset(&set); sigaddset(&set, SIGTERM); sigprocmask(SIG_BLOCK, &set, NULL);",
      probe:
        #"sigset_t now; sigprocmask(SIG_BLOCK, NULL, &now); snprintf(text, sizeof text, "%d", sigismember(&now, SIGTERM));"#
    ),
    Change(
      what: "ignored signal", body: "signal(SIGINT, SIG_IGN); signal(SIGCHLD, SIG_IGN);",
      probe:
        #"snprintf(text, sizeof text, "%d %d", signal(SIGINT, SIG_DFL) == SIG_IGN, signal(SIGCHLD, SIG_DFL) == SIG_IGN);"#
    ),
    Change(
      what: "timer", body: "alarm(100);", probe: #"snprintf(text, sizeof text, "%u", alarm(0));"#),
    Change(
      what: "resource limit",
      body:
        "struct rlimit less; getrlimit(RLIMIT_NOFILE, &less); less.rlim_cur = 64; setrlimit(RLIMIT_NOFILE, &less);",
      probe:
        #"struct rlimit limit; getrlimit(RLIMIT_NOFILE, &limit); snprintf(text, sizeof text, "%lu", limit.rlim_cur);"#
    ),
    Change(
      what: "processors",
      body:
        "cpu_set_t one; CPU_ZERO(&one); CPU_SET(sched_getcpu(), &one); sched_setaffinity(0, sizeof one, &one);",
      probe:
        #"cpu_set_t set; sched_getaffinity(0, sizeof set, &set); snprintf(text, sizeof text, "%d", CPU_COUNT(&set));"#
    ),
    Change(
      what: "disk priority", body: "syscall(SYS_ioprio_set, 1, 0, 2 << 13 | 7);",
      probe: #"snprintf(text, sizeof text, "%ld", syscall(SYS_ioprio_get, 1, 0));"#),
    Change(
      what: "child subreaper", body: "prctl(PR_SET_CHILD_SUBREAPER, 0);",
      probe: #"int is = 0; prctl(PR_GET_CHILD_SUBREAPER, &is); snprintf(text, sizeof text, "%d", is);"#),
    Change(
      what: "standard streams", body: #"close(0); close(1); if (dup2(open("/dev/zero", 2), 2) < 0) abort();"#,
      probe:
        #"struct stat in, out, error; fstat(0, &in); fstat(1, &out); fstat(2, &error); snprintf(text, sizeof text, "%lu %lu %lu", in.st_rdev, out.st_ino, error.st_ino);"#
    ),
    Change(
      what: "non-blocking output", body: "fcntl(1, F_SETFL, O_NONBLOCK | O_WRONLY);",
      probe: #"snprintf(text, sizeof text, "%d", fcntl(1, F_GETFL) & O_NONBLOCK);"#),
  ]

  private static func source(_ change: Change) -> String {
    PluginSource.run(
      """
      static char before[512];
      char text[512] = "";
      \(change.probe)
      if (before[0] == 0) {
        strcpy(before, text);
        \(change.body)
      }
      host->set_result(context->call, text);
      return TIMELINED_OK;
      """,
      before: """
        #include <fcntl.h>
        #include <sched.h>
        #include <sys/resource.h>
        #include <sys/stat.h>
        #include <sys/syscall.h>
        """)
  }

  @Test(arguments: changes)
  func `a change by a run is undone before the next run`(change: Change) throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(try workshop.compile(Self.source(change)))
    #expect(try host.open() == .opened)
    let first = try host.run(1).end.text
    #expect(try host.run(2).end.text == first && !first.isEmpty)
  }

  @Test func `changes by each run of a long row are undone before the next`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    let source = PluginSource.run(
      #"""
      char text[64];
      struct rlimit limit;
      getrlimit(RLIMIT_NOFILE, &limit);
      snprintf(text, sizeof text, "%lu", limit.rlim_cur--);
      setrlimit(RLIMIT_NOFILE, &limit);
      host->set_result(context->call, text);
      return TIMELINED_OK;
      """#, before: "#include <sys/resource.h>")
    try host.load(try workshop.compile(source))
    try host.open()
    let found = try (1...100).map { try host.run(UInt64($0)).end.text }
    #expect(Set(found).count == 1)
  }

  @Test func `a change by opening an instance is undone before its first run`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    let library = try workshop.compile(
      PluginSource.run(
        #"host->set_result(context->call, getenv("LEFT") ? "left" : "clean"); return TIMELINED_OK;"#,
        before: """
          static timelined_status open_(const timelined_opening *opening, void **instance) {
            (void)opening; (void)instance;
            return setenv("LEFT", "behind", 1) == 0 ? TIMELINED_OK : TIMELINED_FAILED;
          }
          """, extra: ".open = open_"))
    try host.load(library)
    #expect(try host.open() == .opened)
    #expect(try host.run(1).end.text == "clean")
  }

  @Test func `a change by opening that cannot be undone does not prevent the run`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    let library = try workshop.compile(
      PluginSource.run(
        "return TIMELINED_OK;",
        before: """
          #include <sys/resource.h>
          static timelined_status open_(const timelined_opening *opening, void **instance) {
            (void)opening; (void)instance;
            return setpriority(PRIO_PROCESS, 0, 10) == 0 ? TIMELINED_OK : TIMELINED_FAILED;
          }
          """, extra: ".open = open_"))
    try host.load(library, user: isRoot ? "nobody" : nil)
    #expect(try host.open() == .opened)
    #expect(try host.run(1).end.status == .succeeded)
    #expect(try host.receiveAnswer().answer == .retiring)
  }

  @Test(arguments: [
    ("niceness", "setpriority(PRIO_PROCESS, 0, 10);"),
    ("resource limits", "struct rlimit limit = {64, 64}; setrlimit(RLIMIT_NOFILE, &limit);"),
  ])
  func `a change that cannot be undone makes a host retire with a warning`(name: String, body: String) throws
  {
    let workshop = try Workshop()
    let host = try HostProcess()
    let source = PluginSource.run(
      body + "return TIMELINED_OK;", before: "#include <sys/resource.h>")
    try host.load(try workshop.compile(source), user: isRoot ? "nobody" : nil)
    #expect(try host.open() == .opened)
    _ = try host.run(1)
    let (lines, _, answer) = try host.receiveAnswer()
    #expect(answer == .retiring)
    #expect(lines.map(\.message).contains { $0.contains("left its \(name) changed, which cannot be undone") })
    // A run that crosses with this message is not begun.
    try host.send(.run(.sample(2)))
    try host.send(.exit)
    #expect(try host.receive() == nil)
    #expect(try host.end() == .exited(0))
  }
}
