import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Scheduling of a host: it wakes up for a run at once, and plugins have the usual scheduling, regardless of the daemon's
/// own.
@Suite struct ProcessorSharingTests {
  @Test func `a host waits with a short slice, and its plugin has the usual one`() throws {
    let usual = TimeSlice.nanoseconds()
    TimeSlice.short.begin()
    defer { TimeSlice.usual.begin() }
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        struct { unsigned size, policy; unsigned long long flags, priority, runtime, deadline, period; } scheduling = {0};
        syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0);
        char text[32];
        snprintf(text, sizeof text, "%llu", scheduling.runtime);
        host->set_result(context->call, text);
        return TIMELINED_OK;
        """#, before: "#include <stdio.h>\n#include <sys/syscall.h>\n#include <unistd.h>"))
    let host = try HostProcess()
    try host.load(library)
    try host.open()
    for number in 1...3 as ClosedRange<UInt64> {
      #expect(try host.run(number).end.text == String(usual))
      #expect(try comesToSleep(host.child.pid))
      #expect(TimeSlice.nanoseconds(ofThread: host.child.pid) == (usual == 0 ? 0 : TimeSlice.short.rawValue))
    }
  }

  /// Whether the process's first thread sleeps, now or soon; the states are those of proc_pid_stat(5).
  private func comesToSleep(_ process: CInt) throws -> Bool {
    for _ in 1...100_000 {
      let facts = try String(contentsOfFile: "/proc/\(process)/task/\(process)/stat", encoding: .utf8)
      let words = facts[try #require(facts.lastIndex(of: ")"))...].split(separator: " ")
      if words[1] == "S" { return true }
    }
    return false
  }
}
