import Synchronization
import Testing
import TimelineClientTestSupport
import TimelineControl
import TimelineCore
import TimelineEngineTestSupport
import TimelineJSON
import TimelineSystem
import TimelineWeb

@Suite struct `A rehearsal on the web page` {
  private func window(_ daemon: ConfiguredDaemon, _ query: String) throws -> JSONValue {
    try daemon.reply("GET", "/api/rehearsal?columns=1000&\(query)").json
  }

  /// The decisions, as `second job word detail`.
  private func decisions(_ window: JSONValue) -> [String] {
    window.elements(at: "/decisions").map { decision in
      let second = (Int64(decision.text(at: "/0")) ?? -1) / 1_000
      return ["\(second)", decision.text(at: "/1"), decision.text(at: "/2"), decision.text(at: "/3")]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  @Test(arguments: [
    (
      job("a", by: "400s", #"expected-duration = "60s""#),
      ["0 a started", "60 a succeeded after 1m", "400 a started", "460 a succeeded after 1m"]
    ),
    (
      job("a", by: "400s", #"expected-duration = "500s""#),
      ["0 a started", "400 a overlapped", "500 a succeeded after 8m20s"]
    ),
    (
      "[group.g]\nlimit = 1\n" + job("a", by: "600s", "expected-duration = \"100s\"\ngroups = [\"g\"]")
        + job("b", by: "600s", "expected-duration = \"50s\"\ngroups = [\"g\"]"),
      [
        "0 a started", "0 b waits for its start", "100 a succeeded after 1m40s",
        "100 b started 1m40s late", "150 b succeeded after 50.0s",
      ]
    ),
  ])
  func `shows the decisions of the engine`(configuration: String, expected: [String]) throws {
    let daemon = try ConfiguredDaemon(configuration, now: t(0))
    let found = decisions(try window(daemon, "start=0&from=0&length=600000"))
    #expect(
      found.count == expected.count, "\(found)")
    for (line, start) in zip(found, expected) { #expect(line.hasPrefix(start), "\(found)") }
  }

  @Test func `crosses a clock change as the schedule does`() throws {
    let configuration = """
      [daemon]
      time-zone = "Europe/Berlin"
      [job.a]
      plugin = "exec"
      schedule = { cron = "30 2 * * *" }
      with = { command = ["/bin/true"] }
      """
    let daemon = try ConfiguredDaemon(configuration)
    let start = 1_792_800_000_000  // 24 October 2026, 02:00 in Berlin
    let window = try window(daemon, "start=\(start)&from=\(start)&length=\(3 * 86_400_000)")
    #expect(
      window.elements(at: "/rows/0/marks").map { "\($0.text(at: "/2")) \($0.text(at: "/5"))" } == [
        "2026-10-24T00:30:00Z succeeded", "2026-10-25T00:30:00Z succeeded",
        "2026-10-25T01:30:00Z dst-fold", "2026-10-26T01:30:00Z succeeded",
      ])
    #expect(window.text(at: "/rows/0/later") == "1793064600000")
  }

  @Test func `begins with the daemon's present state, or at another instant with no active run`() throws {
    let daemon = try ConfiguredDaemon(
      job("a", by: "1000s", #"expected-duration = "100s""#) + job("b", by: "1000s"), now: t(1_050),
      change: { state in
        var paused = JobReport(name: "b", plugin: "exec", schedule: "every 1000s", next: nil)
        paused.pausedSince = Timestamp(t(900))
        state.jobs = [
          JobReport(
            name: "a", plugin: "exec", schedule: "every 1000s", next: nil,
            running: [RunReport(run: 7, entry: t(1_000), startedAt: t(1_000))]), paused,
        ]
      })
    let present = try window(daemon, "length=1000000")
    #expect(present.value(at: "/start") == .integer(1_050_000))
    #expect(
      decisions(present) == ["1000 a started", "1100 a succeeded after 1m40s"], "\(decisions(present))")
    let elsewhere = try window(daemon, "start=1050001&length=1200000")
    #expect(decisions(elsewhere).allSatisfy { $0.hasPrefix("2") }, "\(decisions(elsewhere))")
    // The entry of the paused job waits.
    #expect(decisions(elsewhere).count == 2, "\(decisions(elsewhere))")
    // The first rehearsal is still unchanged.
    #expect(try window(daemon, "start=1050000&length=1000000") == present)
  }

  @Test func `is the same for any order of its windows`() throws {
    let configuration =
      job("a", by: "70s", #"expected-duration = "90s""#) + job("b", by: "110s", #"expected-duration = "60s""#)
    let windows = [0, 1_000_000, 5_000_000].map { "start=0&from=\($0)&length=1000000&at=\($0)" }
    let daemon = try ConfiguredDaemon(configuration)
    let forward = try windows.map { try window(daemon, $0) }
    let backward = try windows.reversed().map { try window(daemon, $0) }
    let alone = try windows.map { try window(ConfiguredDaemon(configuration), $0) }
    #expect(forward == backward.reversed())
    #expect(forward == alone)
    #expect(!decisions(forward[2]).isEmpty)
  }

  @Test func `ends at its time limit, and has the instant of its end`() throws {
    let ticks = Mutex<Int64>(0)
    let daemon = try ConfiguredDaemon(
      job("a", by: "1s"),
      clock: {
        MonotonicInstant(
          nanosecondsSinceBoot: ticks.withLock { ticks in
            ticks += 1
            return ticks * 1_000_000_000
          })
      })
    let window = try window(daemon, "start=0&from=0&length=8640000000")
    guard case .integer(let until)? = window.value(at: "/knownUntil") else {
      Issue.record("all of it is known: \(window.text(at: "/knownUntil"))")
      return
    }
    #expect(until > 0 && until < 8_640_000_000)
  }

  @Test func `has decisions around its clock, and has the instant at which they end`() throws {
    let daemon = try ConfiguredDaemon(job("a", by: "1s"))
    let window = try window(daemon, "start=0&from=0&length=5000000&at=1000000")
    let found = window.elements(at: "/decisions")
    #expect(found.count == WebLimits.pastDecisionsMax + WebLimits.laterDecisionsMax)
    #expect(window.value(at: "/decisionsUntil") == .integer(2_001_000))
  }

  @Test func `never calls a method that changes something`() throws {
    let daemon = try ConfiguredDaemon(job("a", by: "10s"))
    for query in ["length=1000", "start=0", "start=0&at=500000&from=400000"] { _ = try window(daemon, query) }
    #expect(Set(daemon.daemon.state.withLock { $0.calls }).isSubset(of: ["Status", "List"]))
  }

  @Test func `is refused for a moment while the maximum number of simulations is running`() throws {
    let statuses = Mutex<[Int]>([])
    let hook = Mutex<(@Sendable () -> Void)?>(nil)
    let daemon = try ConfiguredDaemon(
      job("a", by: "10s"),
      clock: {
        hook.withLock { $0 }?()
        return MonotonicInstant(nanosecondsSinceBoot: 0)
      })
    _ = try window(daemon, "start=0")
    // Each simulation reads the clock, and the first reading requests another rehearsal.
    let application = daemon.application
    hook.withLock { hook in
      hook = {
        guard statuses.withLock({ $0.isEmpty }) else { return }
        let route = WebRoute.rehearsal(RehearsalQuery(start: t(0)))
        let status = application.reply(to: route, WebRequest("GET", "/api/rehearsal"), body: []).status
        statuses.withLock { $0.append(status) }
      }
    }
    let status = try daemon.reply("GET", "/api/rehearsal?start=0").status
    statuses.withLock { $0.append(status) }
    #expect(statuses.withLock { $0.first } == 429)
    #expect(statuses.withLock { $0.last } == 200)
  }

  @Test func `needs a configuration that can be read`() throws {
    let daemon = try ConfiguredDaemon("[job.a]\n")
    let reply = try daemon.reply("GET", "/api/rehearsal")
    #expect(reply.status == 409)
    #expect(reply.json.text(at: "/error").hasPrefix("no rehearsal: the configuration cannot be read: "))
  }
}
