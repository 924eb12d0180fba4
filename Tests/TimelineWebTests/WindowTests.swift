import Foundation
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

@Suite struct `A window of the web page` {
  private func application(_ daemon: FakeDaemon) -> WebApplication {
    let clock: @Sendable () -> MonotonicInstant = { MonotonicInstant(nanosecondsSinceBoot: 0) }
    return WebApplication(
      gate: WebGate(hosts: ["localhost:8463"], isReadOnly: false, needsToken: false), token: nil,
      cookieName: "t",
      page: DaemonPage(of: daemon, machine: "test", clock: clock, zone: { _ in .utc }), clock: clock)
  }

  private func reply(_ daemon: FakeDaemon, _ target: String) throws -> (status: Int, json: JSONValue) {
    var request = WebRequest("GET", target)
    request.host = "localhost:8463"
    guard case .admitted(let route) = application(daemon).admit(request) else {
      throw FailedCall(message: "refused", isRefusal: true)
    }
    let reply = application(daemon).reply(to: route, request, body: [])
    return (reply.status, try JSONValue(parsing: String(decoding: reply.body, as: UTF8.self)))
  }

  /// The window of a thousand seconds from the epoch on, one second a pixel.
  private func window(_ daemon: FakeDaemon, _ more: String = "") throws -> JSONValue {
    try reply(daemon, "/api/window?from=0&length=1000000&columns=1000\(more)").json
  }

  private func ended(_ entry: Int64, _ length: Int64, _ outcome: Outcome = .succeeded, job: String = "a")
    -> EntryReport
  {
    EntryReport(
      job: job, entry: t(entry), outcome: outcome, run: UInt64(entry), startedAt: t(entry),
      endedAt: t(entry + length), attempts: 1)
  }

  private func job(_ name: String, next: Int64? = nil, running: [RunReport] = []) -> JobReport {
    JobReport(name: name, plugin: "exec", schedule: "every 10s", next: next.map(t), running: running)
  }

  /// The marks of a row, as `left-right count phase outcome`.
  private func marks(_ window: JSONValue, row: Int = 0) -> [String] {
    guard case .array(let marks)? = window.value(at: "/rows/\(row)/marks") else { return [] }
    return marks.map { mark in
      let parts = ["/0", "/1", "/3", "/4", "/5"].map { mark.value(at: $0).map { "\($0)" } ?? "" }
      return "\(parts[0])-\(parts[1]) \(parts[2]) \(parts[3]) \(parts[4])"
    }
  }

  @Test func `has finished, active and future entries`() throws {
    let daemon = FakeDaemon { state in
      state.jobs = [
        job("a", next: 1_010, running: [RunReport(run: 990, entry: t(990), startedAt: t(991))])
      ]
      state.entries = [ended(100, 50), ended(200, 5, .failed)]
    }
    let window = try reply(daemon, "/api/window?from=50000&length=1000000&columns=1000").json
    #expect(
      marks(window) == [
        "50.0-100.0 1 0 \"succeeded\"", "150.0-155.0 1 0 \"failed\"", "940.0-950.0 1 1 null",
        "960.0-960.0 1 2 null",
      ])
    #expect(window.value(at: "/rows/0/summary") == .string("2 runs, 1 failed"))
    #expect(window.value(at: "/rows/0/next") == .integer(1_010_000))
    #expect(window.value(at: "/now") == .integer(1_000_000))
    #expect(window.value(at: "/knownFrom") == .null)
  }

  @Test func `has one mark for more than two entries in a pixel, with their number and the worst outcome`()
    throws
  {
    let daemon = FakeDaemon { state in
      state.jobs = [job("a")]
      state.entries =
        [ended(100, 0), ended(100, 0)].enumerated().map { index, entry in
          var entry = entry
          entry.entry = Timestamp(t(100) + .milliseconds(Int64(index) * 100))
          return entry
        }
        + (0..<50).map { index in
          var entry = ended(300, 0, index == 20 ? .failed : .succeeded)
          entry.entry = Timestamp(t(300) + .milliseconds(Int64(index)))
          entry.startedAt = entry.entry
          entry.endedAt = entry.entry
          return entry
        } + [ended(501, 0)]
    }
    #expect(
      marks(try window(daemon)) == [
        "100.0-100.0 1 0 \"succeeded\"", "100.0-100.0 1 0 \"succeeded\"", "300.0-300.0 50 0 \"failed\"",
        "501.0-501.0 1 0 \"succeeded\"",
      ])
  }

  @Test func `reads a history page by page, and no more of it than a window needs`() throws {
    let daemon = FakeDaemon { state in
      state.jobs = [job("a")]
      state.entries = (0..<95).map { ended($0 * 10, 1) }
      state.pageLength = 10
    }
    #expect(marks(try window(daemon)).count == 95)
    #expect(daemon.state.withLock { $0.calls.filter { $0 == "History" }.count } == 11)
    let other = FakeDaemon { state in
      state.jobs = [job("a")]
      state.entries = (0..<95).map { ended($0 * 10, 1) }
      state.pageLength = 10
    }
    let late = try reply(other, "/api/window?from=900000&length=60000&columns=600").json
    #expect(marks(late).count == 5)
    #expect(other.state.withLock { $0.calls.filter { $0 == "History" }.count } == 1)
  }

  @Test func `has the instant from which entries are known, and requests the rest again`() throws {
    let daemon = FakeDaemon { state in
      state.jobs = [job("a")]
      state.entries = (0..<95).map { ended($0 * 10, 1) }
      state.pageLength = 3
    }
    let first = try window(daemon)
    #expect(first.value(at: "/isPartial") == .boolean(true))
    #expect(first.value(at: "/knownFrom") != .null)
  }

  @Test(arguments: [
    ("&filter=two", ["mail-two"]), ("&filter=mail+-two", ["mail-one"]), ("&filter=-mail", ["log"]),
    ("&filter=MAIL", ["mail-one", "mail-two"]), ("&filter=none", []), ("", ["mail-one", "mail-two", "log"]),
  ])
  func `has the jobs that pass the filter`(filter: String, expected: [String]) throws {
    let daemon = FakeDaemon { state in state.jobs = ["mail-one", "mail-two", "log"].map { job($0) } }
    guard case .array(let rows)? = try window(daemon, filter).value(at: "/rows") else {
      Issue.record("no rows")
      return
    }
    #expect(rows.map { $0.value(at: "/name") } == expected.map { .string($0) })
  }

  @Test func `has a maximum number of rows, and the number of the others`() throws {
    let daemon = FakeDaemon { state in state.jobs = (0..<250).map { job("job-\($0)") } }
    let window = try window(daemon)
    guard case .array(let rows)? = window.value(at: "/rows") else {
      Issue.record("no rows")
      return
    }
    #expect(rows.count == WebLimits.rowsMax)
    #expect(window.value(at: "/omittedCount") == .integer(50))
  }

  @Test func `shows the trend of durations`() throws {
    let daemon = FakeDaemon { state in
      state.jobs = [job("a")]
      state.entries = (0..<10).map { ended($0 * 100, $0 < 5 ? 10 : 15) }
    }
    let window = try window(daemon)
    #expect(window.value(at: "/rows/0/trend/changePercent") == .integer(50))
    #expect(window.value(at: "/rows/0/trend/last") == .string("15.0s"))
    #expect(window.value(at: "/rows/0/trend/count") == .integer(10))
  }

  @Test func `applies policies to future entries`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "web-\(UUID().uuidString).toml").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let text = """
      [job.a]
      plugin = "exec"
      schedule = { periodic = { by = "100s" } }
      expected-duration = "150s"
      with = { command = ["/bin/true"] }
      """
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    let daemon = FakeDaemon { state in
      state.status.configuration = path
      state.status.now = Timestamp(t(1_050))
      state.jobs = [job("a", next: 1_100)]
    }
    let window = try reply(daemon, "/api/window?from=1000000&length=500000&columns=500").json
    #expect(
      marks(window) == [
        "100.0-250.0 1 2 \"succeeded\"", "200.0-200.0 1 2 \"overlapped\"", "300.0-450.0 1 2 \"succeeded\"",
        "400.0-400.0 1 2 \"overlapped\"",
      ])
  }

  @Test func `is answered with a reason if the daemon does not answer, and with the window after its return`()
    throws
  {
    let daemon = FakeDaemon { state in
      state.failure = FailedCall(message: "/run/x: no such file or directory", isRefusal: false)
    }
    let gone = try reply(daemon, "/api/window")
    #expect(gone.status == 503)
    #expect(gone.json.value(at: "/error") == .string("/run/x: no such file or directory"))
    daemon.state.withLock { $0.failure = nil }
    #expect(try reply(daemon, "/api/window").status == 200)
  }

  @Test func `never calls a method that changes something`() throws {
    let daemon = FakeDaemon { state in state.jobs = [job("a")] }
    _ = try window(daemon)
    _ = try reply(daemon, "/api/story?job=a&at=1970-01-01T00:00:00Z")
    #expect(Set(daemon.state.withLock { $0.calls }).isSubset(of: ["Status", "List", "History", "Why"]))
  }

  @Test func `spells out control characters of jobs and leaves markup as text`() throws {
    let daemon = FakeDaemon { state in state.jobs = [job("a")] }
    let story = try reply(daemon, "/api/story?job=a&at=1970-01-01T00:00:00Z").json
    #expect(story.value(at: "/details/0/text") == .string("<b>no\\u{1b}[31m</b>"))
    #expect(story.value(at: "/output") == .string("one\n<script>alert(1)</script>\\u{7}"))
  }
}
