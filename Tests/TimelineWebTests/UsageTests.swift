import Synchronization
import Testing
import TimelineClient
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineJSON
import TimelineSystem
import TimelineWeb

@Suite struct `The usage of runs on the web page` {
  private let clock = ManualClock()
  private let daemon: FakeDaemon
  private let page: DaemonPage
  private let application: WebApplication

  init() {
    let read: @Sendable () -> MonotonicInstant = { [clock] in clock.now }
    daemon = FakeDaemon { state in
      state.jobs = [JobReport(name: "a", plugin: "exec", schedule: "every 10s", next: nil, running: [])]
    }
    page = DaemonPage(of: daemon, machine: "test", clock: read, zone: { _ in .utc })
    application = WebApplication(
      gate: WebGate(hosts: ["localhost:8463"], isReadOnly: false, needsToken: false), token: nil,
      cookieName: "t", page: page, clock: read)
  }

  /// Processor times of the marks, in milliseconds.
  private func processorTimes() throws -> [String] { try marks("/9") }

  private func marks(_ field: String) throws -> [String] {
    var request = WebRequest("GET", "/api/window?from=0&length=1000000&columns=1000")
    request.host = "localhost:8463"
    guard case .admitted(let route) = application.admit(request) else { return [] }
    let body = application.reply(to: route, request, body: []).body
    guard
      case .array(let marks)? = try JSONValue(parsing: String(decoding: body, as: UTF8.self)).value(
        at: "/rows/0/marks")
    else { return [] }
    return marks.map { $0.value(at: field).map { "\($0)" } ?? "" }
  }

  private func ended(
    _ entry: Int64, processorTime: ElapsedTime?, memoryPeak: MemoryPeak? = nil
  ) -> EntryReport {
    EntryReport(
      job: "a", entry: t(entry), outcome: .succeeded, run: UInt64(entry), startedAt: t(entry),
      endedAt: t(entry + 1),
      usage: RunUsage(processorTime: processorTime, memoryPeak: memoryPeak), attempts: 1)
  }

  @Test func `is that of the history, and is null for several entries in a pixel`() throws {
    daemon.state.withLock { state in
      state.entries = [
        ended(100, processorTime: .microseconds(1_234_567), memoryPeak: MemoryPeak(bytes: 3 << 20)),
        ended(200, processorTime: nil, memoryPeak: MemoryPeak(bytes: 2 << 20, isBound: true)),
        ended(300, processorTime: .zero),
      ]
    }
    #expect(try processorTimes() == ["1234.567", "null", "0.0"])
    #expect(try marks("/10") == [#""3.0 MiB""#, #""at most 2.0 MiB""#, "null"])
  }

  @Test func `is read from the history some seconds after the event of the end`() throws {
    #expect(try processorTimes() == [])
    var event = WatchReply(.ended, at: t(401))
    event.end = EntryReport(
      job: "a", entry: t(400), outcome: .succeeded, run: 400, startedAt: t(400), endedAt: t(401),
      attempts: 1)
    page.mirror.take(event)
    daemon.state.withLock { $0.entries = [ended(400, processorTime: .milliseconds(3))] }
    #expect(try processorTimes() == ["null"])
    clock.turn(by: 5)
    #expect(try processorTimes() == ["3.0"])
    let calls = daemon.state.withLock { $0.calls.count }
    clock.turn(by: 60)
    #expect(try processorTimes() == ["3.0"])
    #expect(daemon.state.withLock { $0.calls.suffix(from: calls) } == ["Status", "List"])
  }
}
