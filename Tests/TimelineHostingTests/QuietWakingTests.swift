import Foundation
import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// How a host waits for the next run: it is to wake up without pushing the daemon aside, and to call plugins as if it did.
@Suite struct QuietWakingTests {
  @Test func `a host waits quietly after a long run, and a plugin does not notice`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        struct timespec begin, now;
        clock_gettime(CLOCK_MONOTONIC, &begin);
        do clock_gettime(CLOCK_MONOTONIC, &now);
        while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 1000000);
        host->set_result(context->call, sched_getscheduler(0) == SCHED_OTHER ? "usual" : "another");
        return TIMELINED_OK;
        """#, before: "#include <sched.h>\n#include <time.h>"))
    let host = try HostProcess()
    try host.load(library)
    try host.open()
    for number in 1...3 as ClosedRange<UInt64> {
      #expect(try host.run(number).end.text == "usual")
      #expect(try comesToSleepQuietly(host.child.pid))
    }
  }

  /// Whether the process's first thread is asleep under SCHED_BATCH, or comes to be; the words are those of proc_pid_stat(5).
  private func comesToSleepQuietly(_ process: CInt) throws -> Bool {
    for _ in 1...100_000 {
      let facts = try String(contentsOfFile: "/proc/\(process)/task/\(process)/stat", encoding: .utf8)
      let words = facts[try #require(facts.lastIndex(of: ")"))...].split(separator: " ")
      if words[1] == "S", words[39] == "3" { return true }
    }
    return false
  }
}
