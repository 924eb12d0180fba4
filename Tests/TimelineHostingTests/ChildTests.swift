import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// End of the children of a host.
@Suite struct ChildTests {
  @Test func `a plugin's child keeps its status even if the host's parent ignores SIGCHLD`() throws {
    let workshop = try Workshop()
    let host = try HostProcess(launcher: ["/bin/sh", "-c", "trap '' CHLD; exec \"$0\""])
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          int status = system("exit 3");
          return WIFEXITED(status) && WEXITSTATUS(status) == 3 ? TIMELINED_OK : TIMELINED_FAIL(context, "no status");
          """)))
    try host.open()
    #expect(try host.run().end.status == .succeeded)
  }

  @Test func `a child that ends while its host is idle is reaped within a second`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          "return TIMELINED_OK;",
          before: """
            static timelined_status open_(const timelined_opening *opening, void **instance) {
              (void)opening; (void)instance;
              pid_t child = fork();
              if (child == 0) { usleep(100000); _exit(0); }
              return child > 0 ? TIMELINED_OK : TIMELINED_FAILED;
            }
            """, extra: ".open = open_")))
    try host.open()
    let children = "/proc/\(host.child.pid)/task/\(host.child.pid)/children"
    let text = try String(contentsOfFile: children, encoding: .utf8)
    let child = try #require(Int32(text.split(separator: " ").first ?? ""))
    // The child ends after 0.1 s; the test also passes if it checks later.
    let loop = try EventLoop()
    let deadline = SystemTime.monotonic() + Patience.usual
    while kill(child, 0) == 0, SystemTime.monotonic() < deadline { loop.runOnce(timeout: .milliseconds(10)) }
    #expect(kill(child, 0) == -1)
  }

  @Test func `a host leads a session of its own, without a controlling terminal`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          if (getsid(0) != getpid()) return TIMELINED_FAIL(context, "another's session");
          int terminal = open("/dev/tty", O_RDWR);
          return terminal < 0 && errno == ENXIO ? TIMELINED_OK : TIMELINED_FAIL(context, "it has a terminal");
          """, before: "#include <errno.h>\n#include <fcntl.h>")))
    try host.open()
    #expect(try host.run().end == RunEnd(run: 1, status: .succeeded, text: ""))
  }
}
