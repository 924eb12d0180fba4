import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport
import TimelineWire

/// Runs that are sent to a host a little before their instant.
@Suite struct SentAheadTests {
  @Test(arguments: [-1, 0, 3] as [Int64], [0, 200_000, .min, .max] as [Int64])
  func `a run that is sent ahead is not called before its time`(milliseconds: Int64, spin: Int64) throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        #"""
        struct timespec now;
        char text[64];
        clock_gettime(CLOCK_MONOTONIC, &now);
        snprintf(text, sizeof text, "%" PRId64, (int64_t)now.tv_sec * 1000000000 + now.tv_nsec);
        host->set_result(context->call, text);
        return TIMELINED_OK;
        """#, before: "#include <time.h>"))
    let host = try HostProcess()
    try host.load(library)
    #expect(try host.open("{}") == .opened)
    let instant = (SystemTime.monotonic() + .milliseconds(milliseconds)).nanosecondsSinceBoot
    try host.send(
      .run(
        try RunRequest(
          run: 7, runKey: "test@1", nominal: .epoch, actual: .epoch, notBefore: instant,
          spin: spin)))
    guard case .ended(let end)? = try host.receiveWhole() else { throw TestFailure("no end") }
    let called = try #require(Int64(end.text))
    #expect(called >= instant)
    let call = try #require(end.call)
    #expect(instant <= call.began && call.began <= called && called <= call.began + Int64(call.took))
    #expect(call.began + Int64(call.took) <= SystemTime.monotonic().nanosecondsSinceBoot)
  }

  @Test func `a run that is stopped before its time is not called, nor is its cancel function`() throws {
    let workshop = try Workshop()
    let library = try workshop.compile(
      PluginSource.run(
        """
        atomic_store(&entered, true);
        return TIMELINED_OK;
        """,
        before: """
          static atomic_bool entered;
          static void cancel(void *instance, const timelined_context *context) {
            (void)instance; (void)context;
            if (!atomic_load(&entered)) abort();
          }
          """, extra: ".cancel = cancel"))
    let host = try HostProcess()
    try host.load(library)
    #expect(try host.open("{}") == .opened)
    let instant = (SystemTime.monotonic() + .milliseconds(200)).nanosecondsSinceBoot
    try host.send(
      .run(try RunRequest(run: 7, runKey: "test@1", nominal: .epoch, actual: .epoch, notBefore: instant)))
    try host.send(.cancel(run: 7))
    guard case .ended(let end)? = try host.receiveWhole() else { throw TestFailure("no end") }
    #expect(end.status == .cancelled && end.call == nil, "\(end)")
    #expect(try host.run(8).end.status == .succeeded, "nobody has asked that one")
  }
}
