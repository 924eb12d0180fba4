import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Sandboxes of real plugin hosts, as seen by a plugin and its command.
@Suite struct SandboxTests {
  /// Prints the number of filters, and the errors of a call that fails by default, of two that fail in a strict sandbox, and
  /// of writing to `in/file` and `out/file` of the working directory; then the output of a command that tries the same.
  private static let tells = PluginSource.run(
    #"""
    char text[1024], line[256];
    int filters = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status)) sscanf(line, "Seccomp_filters: %d", &filters);
    if (status) fclose(status);
    int ring = syscall(SYS_io_uring_setup, 0, NULL) < 0 ? errno : 0;
    int key = syscall(SYS_keyctl, 0, -3, 0) < 0 ? errno : 0;
    int space = unshare(CLONE_NEWUTS) < 0 ? errno : 0;
    int time = unshare(0x80) < 0 ? errno : 0;
    int newer = syscall(467, -1, "", 0, NULL, 0) < 0 ? errno : 0;
    int thread = unshare(CLONE_FS) < 0 ? errno : 0;
    int inside = open("in/file", O_WRONLY | O_CREAT, 0600), inside_error = inside < 0 ? errno : 0;
    int outside = open("out/file", O_WRONLY | O_CREAT, 0600), outside_error = outside < 0 ? errno : 0;
    FILE *command = popen("echo x > in/other && echo inside; (echo x > out/other) 2>/dev/null && echo outside; "
      "grep Seccomp_filters /proc/self/status", "r");
    size_t length = snprintf(text, sizeof text, "filters %d ring %d key %d space %d time %d newer %d thread %d inside %d outside %d:",
      filters, ring, key, space, time, newer, thread, inside_error, outside_error);
    while (command && fgets(line, sizeof line, command)) {
      line[strcspn(line, "\n")] = 0;
      length += snprintf(text + length, sizeof text - length, " %s", line);
    }
    if (command) pclose(command);
    host->set_result(context->call, text);
    return TIMELINED_OK;
    """#,
    before: """
      #include <errno.h>
      #include <fcntl.h>
      #include <sched.h>
      #include <sys/syscall.h>
      """)

  private static let landlockVersion = (try? Landlock.version()) ?? 0

  /// Number of filters of this process, which a plugin host inherits.
  private static let filters: Int = {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return text.firstMatch(of: /Seccomp_filters:\s*(\d+)/).flatMap { Int($0.1) } ?? 0
  }()

  private func workshop() throws -> (Workshop, library: String) {
    let workshop = try Workshop()
    for name in ["in", "out"] {
      try FileManager.default.createDirectory(
        atPath: "\(workshop.path)/\(name)", withIntermediateDirectories: false)
      try shell("chmod", "777", "\(workshop.path)/\(name)")
    }
    return (workshop, try workshop.compile(Self.tells))
  }

  private func told(_ adjust: (inout HostSetup, Workshop) -> Void) throws -> String {
    let (workshop, library) = try workshop()
    var setup = HostSetup()
    setup.workingDirectory = workshop.path
    adjust(&setup, workshop)
    let host = try HostProcess()
    let answer = try host.load(library, setup: setup)
    guard case .loaded = answer else { throw TestFailure("not loaded: \(String(describing: answer))") }
    try host.open()
    return try host.run().end.text
  }

  @Test func `by default calls that no job needs fail, and files can be written as usual`() throws {
    let text = try told { _, _ in }
    #expect(text.hasPrefix("filters \(Self.filters + 1) ring \(EPERM) "), "\(text)")
    #expect(text.contains("inside 0 outside 0: inside outside Seccomp_filters:"), "\(text)")
    #expect(text.hasSuffix("\t\(Self.filters + 1)"), "a command has the same filters: \(text)")
  }

  @Test func `without a sandbox there is no filter`() throws {
    let text = try told { setup, _ in setup.sandbox.systemCalls = .off }
    #expect(text.hasPrefix("filters \(Self.filters) ") && text.hasSuffix("\t\(Self.filters)"), "\(text)")
  }

  @Test func `a strict sandbox also denies keys, namespaces and calls newer than its lists`() throws {
    let text = try told { setup, _ in setup.sandbox.systemCalls = .strict }
    #expect(
      text.contains(
        " ring \(EPERM) key \(EPERM) space \(EPERM) time \(EPERM) newer \(ENOSYS) thread 0 inside 0 outside 0:"
      ),
      "\(text)")
    #expect(text.hasSuffix("\t\(Self.filters + 2)"), "\(text)")
  }

  /// Prints the errors of accessing the process in its parameters, and a child of its own.
  private static let looks = PluginSource.run(
    #"""
    char path[64] = "", text[256];
    pid_t child = -1;
    char *words[] = {"cat", NULL}, *variables[] = {NULL};
    int in[2], out[2];
    posix_spawn_file_actions_t actions;
    if (pipe(in) || pipe(out) || posix_spawn_file_actions_init(&actions)) return TIMELINED_FAILED;
    posix_spawn_file_actions_adddup2(&actions, in[0], 0);
    posix_spawn_file_actions_adddup2(&actions, out[1], 1);
    if (posix_spawn(&child, "/bin/cat", &actions, NULL, words, variables)) return TIMELINED_FAILED;
    // The kernel lets nobody look into a process before its program has begun, which its answer shows.
    if (write(in[1], path, 1) != 1 || read(out[0], path, 1) != 1) return TIMELINED_FAILED;
    int64_t other = 0, errors[6];
    host->parameter_integer(context->parameters, "/process", &other);
    const char *files[] = {"mem", "environ", "cwd"};
    for (int index = 0; index < 6; index++) {
      snprintf(path, sizeof path, "/proc/%d/%s", index < 3 ? (int)other : (int)child, files[index % 3]);
      int file = open(path, index % 3 == 0 ? O_RDWR : O_RDONLY);
      errors[index] = file < 0 ? errno : 0;
    }
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    int moved = rename("in/file", "out/file") < 0 ? errno : 0;
    snprintf(text, sizeof text, "other %ld %ld %ld child %ld %ld %ld moved %d", errors[0], errors[1], errors[2],
      errors[3], errors[4], errors[5], moved);
    host->set_result(context->call, text);
    return TIMELINED_OK;
    """#, before: "#include <errno.h>\n#include <fcntl.h>\n")

  @Test(
    .enabled(if: landlockVersion >= 2, "the kernel has no Landlock, or one of before 5.19"),
    arguments: [SystemCallPolicy.strict, .default])
  func `a strict sandbox has no access to other processes of its user`(
    policy: SystemCallPolicy
  ) throws {
    let (workshop, _) = try workshop()
    try workshop.write("text", to: "in/file")
    try shell("chmod", "666", workshop.path + "/in/file")
    let library = try workshop.compile(Self.looks, name: "looks")
    // Runs as another user than root, because some of root's capabilities allow more.
    let user = isRoot ? "nobody" : nil
    let become = isRoot ? ["/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] : []
    let words = become + ["/bin/sleep", "60"]
    let other = try ChildProcess.spawn(executable: words[0], arguments: Array(words.dropFirst()))
    defer {
      _ = try? other.signalGroup(.kill)
      _ = other.wait()
    }
    var setup = HostSetup()
    setup.sandbox.systemCalls = policy
    setup.workingDirectory = workshop.path
    let host = try HostProcess()
    guard case .loaded = try host.load(library, user: user, setup: setup) else {
      throw TestFailure("not loaded")
    }
    try host.open(#"{"process": \#(other.pid)}"#)
    let text = try host.run().end.text
    if policy == .strict {
      #expect(text == "other \(EACCES) \(EACCES) \(EACCES) child 0 0 0 moved 0")
    } else {
      #expect(text.hasSuffix("child 0 0 0 moved 0"), "a kernel may deny the rest by itself: \(text)")
    }
  }

  @Test(.enabled(if: landlockVersion >= 1, "the kernel has no Landlock"))
  func `only writable trees can be written to, also by commands`() throws {
    let text = try told { setup, workshop in
      setup.sandbox.writable = [ExpectedPath(path: workshop.path + "/in")]
    }
    #expect(text.contains("inside 0 outside \(EACCES): inside Seccomp_filters:"), "\(text)")
  }

  @Test(.enabled(if: landlockVersion >= 1, "the kernel has no Landlock"))
  func `a missing writable path refuses the plugin`() throws {
    let (workshop, library) = try workshop()
    var setup = HostSetup()
    setup.sandbox.writable = [ExpectedPath(path: workshop.path + "/none")]
    guard case .refused(let refusal) = try HostProcess().load(library, setup: setup) else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("writable path \(workshop.path)/none cannot be set: no such file"))
  }

  /// Reads its credential and its variable, and writes to its writable path; all other settings of a host are set, too.
  private static let works = PluginSource.run(
    #"""
    char path[512], secret[64] = "", text[256];
    snprintf(path, sizeof path, "%s/key", getenv("CREDENTIALS_DIRECTORY"));
    FILE *file = fopen(path, "r");
    if (file == NULL || fgets(secret, sizeof secret, file) == NULL) return TIMELINED_FAIL(context, "unreadable");
    fclose(file);
    int is_written = (file = fopen("file", "w")) != NULL && fclose(file) == 0;
    puts("printed");
    snprintf(text, sizeof text, "%s %s %s", secret, getenv("GREETING"), is_written ? "written" : strerror(errno));
    host->set_result(context->call, text);
    return TIMELINED_OK;
    """#, before: "#include <errno.h>")

  @Test(
    .enabled(
      if: isRoot && landlockVersion >= 1,
      "only root can become another user, and the kernel must have Landlock"))
  func `user, credentials, environment files, limits and output work in the strictest sandbox`() throws {
    let (workshop, _) = try workshop()
    let library = try workshop.compile(Self.works, name: "works")
    var setup = HostSetup()
    setup.sandbox.systemCalls = .strict
    setup.sandbox.writable = [ExpectedPath(path: workshop.path + "/in")]
    setup.workingDirectory = workshop.path + "/in"
    setup.credentials = ["key": try workshop.write("abracadabra", to: "secret", mode: 0o600)]
    setup.environmentFiles = [ExpectedPath(path: try workshop.write("GREETING=hello", to: "variables"))]
    setup.memoryBytes = 1 << 30
    setup.openFileCount = 64
    setup.processorTime = .seconds(10)
    let host = try HostProcess()
    let answer = try host.load(
      library, user: "nobody", setup: setup, credentialsDirectory: workshop.path + "/1")
    guard case .loaded = answer else { throw TestFailure("not loaded: \(String(describing: answer))") }
    try host.open()
    #expect(try host.run(1).end.text == "abracadabra hello written")
    #expect(try host.run(2).end.text == "abracadabra hello written")
    try host.send(.exit)
    #expect(try host.outputToEnd() == "printed\nprinted\n")
    #expect(try host.end() == .exited(0))
  }

  /// Runs `timeline-host` under a filter of the service or the container, in which the calls of Landlock fail.
  @Test func `a kernel without Landlock refuses a job with writable paths, unless it may run without`() throws
  {
    let (workshop, library) = try workshop()
    let launcher = ["/usr/bin/python3", try workshop.write(Self.withoutLandlock, to: "without-landlock.py")]
    var setup = HostSetup()
    setup.sandbox.writable = [ExpectedPath(path: workshop.path + "/in")]
    guard case .refused(let refusal) = try HostProcess(launcher: launcher).load(library, setup: setup) else {
      throw TestFailure("not refused")
    }
    #expect(refusal.reason.contains("is not there: function not implemented"), "\(refusal)")
    setup.sandbox.unsupported = .run
    setup.workingDirectory = workshop.path
    let host = try HostProcess(launcher: launcher)
    guard case .loaded = try host.load(library, setup: setup) else { throw TestFailure("not loaded") }
    try host.open()
    #expect(try host.run().end.text.contains("inside 0 outside 0: inside outside "))
  }

  /// Executes its arguments under a filter that makes landlock_create_ruleset fail as on a kernel without Landlock.
  private static let withoutLandlock = """
    import ctypes, os, struct, sys
    # Load the number of the call; if it is 444, return ENOSYS, else allow.
    code = b"".join(struct.pack("HBBI", *step) for step in [
      (0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)])
    buffer = ctypes.create_string_buffer(code)
    program = struct.pack("HP", 4, ctypes.addressof(buffer))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    assert prctl(38, 1, 0, 0, 0) == 0
    assert prctl(22, 2, program) == 0, os.strerror(ctypes.get_errno())
    os.execv(sys.argv[1], sys.argv[1:])
    """
}
