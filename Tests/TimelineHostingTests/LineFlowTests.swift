import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHosting

/// What a host lets pass of a plugin that logs without end.
@Suite struct `How much a host lets pass` {
  private func instant(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: milliseconds * 1_000_000)
  }

  @Test func `So many lines pass in a second, and the others are counted`() {
    var flow = LineFlow()
    let passed = (0..<5_000).count { _ in flow.admit(length: 3, at: instant(0)) }
    #expect(passed == LineFlow.linesMax)
    let dropped = flow.takeDroppedBytes()
    #expect(dropped == (5_000 - LineFlow.linesMax) * 3)
    let verdicts = [999, 1_000].map { flow.admit(length: 7, at: instant($0)) }
    #expect(verdicts == [false, true])
    let rest = (0..<2).map { _ in flow.takeDroppedBytes() }
    #expect(rest == [7, 0])
  }

  @Test func `So many bytes pass in a second`() {
    var flow = LineFlow()
    let passed = (0..<100).count { _ in flow.admit(length: LineFlow.bytesMax / 4, at: instant(0)) }
    #expect(passed == 4)
  }

  @Test func `A run can say something, whatever the one before it said in the same second`() {
    var flow = LineFlow()
    for _ in 0..<5_000 { _ = flow.admit(length: 1, at: instant(0)) }
    flow.beginRun()
    let passed = (0..<5_000).count { _ in flow.admit(length: 1, at: instant(1)) }
    #expect(passed == LineFlow.linesPerRunMin)
  }

  @Test func `Each line of a flood comes over the socket or is counted before the run's end`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          for (int count = 0; count < 100000; count++) { host->log(context->call, TIMELINED_INFO, "four", NULL); }
          return TIMELINED_OK;
          """)))
    try host.open()
    try host.send(.run(try .sample(1)))
    var (passed, dropped) = (0, 0)
    reading: while let message = try host.receive() {
      switch message {
      case .log: passed += 1
      case .dropped(let bytes): dropped += Int(bytes)
      default: break reading
      }
    }
    #expect(passed >= LineFlow.linesMax)
    #expect(passed * 4 + dropped == 400_000)
  }
}
