import Testing
import TimelineSystem
import TimelineTestSupport
import TimelineWire

@testable import TimelineHosting

/// The limit of a host on the lines of a plugin that logs endlessly.
@Suite struct `The rate limit of a host` {
  private func instant(_ milliseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(nanosecondsSinceBoot: milliseconds * 1_000_000)
  }

  private func line(_ number: Int) -> LogLine { LogLine(run: 1, level: .info, message: "\(number)") }

  private func pass(
    _ flow: inout LineFlow, _ numbers: Range<Int>, length: Int = 3, at milliseconds: Int64
  ) -> [HostMessage] {
    numbers.flatMap { flow.pass(line($0), length: length, at: instant(milliseconds)) }
  }

  @Test func `a number of lines per second passes, then the last ones, and those between are counted`() {
    var flow = LineFlow()
    let lines = (0..<5_000).map { HostMessage.log(line($0)) }
    #expect(pass(&flow, 0..<5_000, at: 0) == Array(lines[..<LineFlow.linesMax]))
    let held = HeldOutput<LogLine>.linesMax
    let dropped = HostMessage.dropped(bytes: UInt64((5_000 - LineFlow.linesMax - held) * 3))
    #expect(flow.flush() == [dropped] + lines[(5_000 - held)...])
    #expect(flow.isEmpty && flow.flush() == [])
  }

  @Test func `held lines pass in order as soon as the limit allows`() {
    var flow = LineFlow()
    _ = pass(&flow, 0..<LineFlow.linesMax + 2, at: 0)
    #expect(flow.passable(at: instant(999)) == [])
    let next = LineFlow.linesMax + 2
    let lines = (LineFlow.linesMax..<next + 1).map { HostMessage.log(line($0)) }
    #expect(pass(&flow, next..<next + 1, at: 1_000) == lines)
  }

  @Test func `the bytes per second are limited`() {
    var flow = LineFlow()
    #expect(pass(&flow, 0..<100, length: LineFlow.bytesMax / 4, at: 0).count == 4)
    #expect(flow.flush().count == 2, "a number of bytes, and a line that is longer than what is held in all")
  }

  @Test func `a run can log lines after any output of an earlier run in the same second`() {
    var flow = LineFlow()
    _ = pass(&flow, 0..<5_000, at: 0) + flow.flush()
    flow.beginRun()
    #expect(pass(&flow, 0..<5_000, at: 1).count == LineFlow.linesPerRunMin)
  }

  @Test func `each line of a flood is sent or counted before the run's end`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          for (int count = 0; count < 100000; count++) { host->log(context->call, TIMELINED_INFO, "four", NULL); }
          host->log(context->call, TIMELINED_INFO, "last", NULL);
          return TIMELINED_OK;
          """)))
    try host.open()
    try host.send(.run(try .sample(1)))
    var (passed, dropped) = (0, 0)
    var last = ""
    reading: while let message = try host.receive() {
      switch message {
      case .log(let line):
        passed += 1
        last = line.message
      case .dropped(let bytes): dropped += Int(bytes)
      default: break reading
      }
    }
    #expect(passed >= LineFlow.linesMax)
    #expect(passed * 4 + dropped == 400_004)
    #expect(last == "last")
  }

  @Test func `held lines are sent while the run goes on`() throws {
    let workshop = try Workshop()
    let host = try HostProcess()
    try host.load(
      try workshop.compile(
        PluginSource.run(
          """
          for (int count = 0; count < 2050; count++) { host->log(context->call, TIMELINED_INFO, "four", NULL); }
          host->log(context->call, TIMELINED_INFO, "last", NULL);
          while (!host->is_cancelled(context->call)) usleep(1000);
          return TIMELINED_OK;
          """)))
    try host.open()
    try host.send(.run(try .sample(1)))
    var isLast = false
    while !isLast, let message = try host.receive() {
      if case .log(let line) = message { isLast = line.message == "last" }
    }
    #expect(isLast)
    try host.send(.cancel(run: 1))
    #expect(try host.receiveAnswer().answer == .ended(try RunEnd(run: 1, status: .succeeded, text: "")))
  }
}
