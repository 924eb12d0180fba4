import Foundation
import Glibc
import Testing
import TimelineCore
import TimelineEngine
import TimelineSystem
import TimelineTestSupport

@testable import TimelineHostPool

/// Trusted plugins in C that are called in this process. Serialized: only one of these calls may be active in a process.
@Suite(.serialized) struct `Plugins in the daemon's own process` {
  @Test func `a run is over when its call returns, in this process and without a host`() throws {
    let stage = try Stage(Fixtures.broken)
    var ends: [PluginRunEnd] = []
    for _ in 0..<3 {
      let run = try stage.start("steady") { $0.kind.isolation = .inProcess }
      ends.append(try #require(stage.end(of: run), "it ended before start returned"))
    }
    #expect(ends.allSatisfy { $0.result == String(CurrentProcess.pid) }, "\(ends)")
    #expect(stage.hosts.hostCount == 0)
  }

  @Test func `its output is attributed to its run, and a reload closes its instance`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("tells") {
      $0.kind.isolation = .inProcess
    }
    #expect(stage.lines(of: run, .log) == ["opened", "running"])
    let again = try stage.start("tells") { $0.kind.isolation = .inProcess }
    #expect(stage.lines(of: again, .log) == ["running"], "it was open")
    stage.hosts.retain([:])
    let anew = try stage.start("tells") { $0.kind.isolation = .inProcess }
    #expect(stage.lines(of: anew, .log) == ["opened", "running"])
    let other = try stage.start("tells", parameters: #"{"refuse": true}"#) { $0.kind.isolation = .inProcess }
    #expect(
      stage.end(of: other)?.outcome.message == "refused" && stage.end(of: other)?.outcome.status == .failed)
  }

  @Test func `the number of dropped bytes of a run with much output is reported`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("tells", parameters: #"{"more": 400}"#) { $0.kind.isolation = .inProcess }
    // The opening logs one line, and the run one before the 400. The last hundred are kept as well.
    #expect(stage.lines(of: run, .log).count == 1 + 256 + 100)
    let dropped = (1 + 400 - 256 - 100) * "more".utf8.count
    #expect(
      stage.lines(of: run, .pools).contains { $0.hasPrefix("\(dropped) bytes of output dropped (limit: ") })
  }

  @Test func `a cursor beyond the limit is passed to no plugin`() throws {
    let stage = try Stage(Fixtures.broken)
    let run = try stage.start("steady") {
      $0.kind.isolation = .inProcess
      $0.cursor = [UInt8](repeating: 0, count: 1 << 20)
    }
    let end = try #require(stage.end(of: run))
    #expect(end.outcome.status == .failed && end.outcome.message.contains("the cursor"), "\(end)")
    let next = try stage.start("steady") { $0.kind.isolation = .inProcess }
    #expect(stage.end(of: next)?.outcome.status == .succeeded)
  }

  @Test
  func `each of many calls in a row has its own key, lines and end, reported after all are made`()
    throws
  {
    let stage = try Stage(Fixtures.broken)
    let requests = try (0..<600).map { number in
      let plugin = number % 3 == 2 ? "steady" : "tells"
      let parameters = number % 3 == 0 ? #"{"key": true}"# : number % 3 == 1 ? #"{"refuse": true}"# : "{}"
      return try stage.request(plugin, job: "job-\(number)", parameters: parameters) {
        $0.kind.isolation = .inProcess
        if number % 2 == 0 { $0.attempt.previous = AttemptResult(status: .failed, message: "no \(number)") }
      }
    }
    // All prepared first, and then in parts.
    for size in [600, 250] {
      let before = stage.events.count
      var instants: [MonotonicInstant] = []
      for part in stride(from: 0, to: requests.count, by: size).map({ requests[$0...].prefix(size) }) {
        let runs = part.map { stage.hosts.ready($0) }
        instants += stage.hosts.start(runs, areLast: part.endIndex == requests.count) { _ in
          #expect(stage.events.count == before)
        }
      }
      #expect(instants.count == requests.count && instants == instants.sorted())
      let calls = stage.events[before...].compactMap {
        if case .ended(_, let end) = $0 { end.call } else { nil }
      }
      let made = instants.indices.filter { $0 % 3 != 1 }.map { instants[$0] }
      #expect(calls.map(\.began) == made && calls.allSatisfy { $0.ended >= $0.began })
      #expect(zip(calls, calls.dropFirst()).allSatisfy { $0.ended <= $1.began }, "one after the other")
    }
    for (number, request) in requests.enumerated() {
      let lines = stage.lines(of: request.run, .log)
      let end = stage.end(of: request.run)
      switch number % 3 {
      case 0:
        let words = [
          "running", "job-\(number)/\(request.attempt.entry.nominal)",
          number % 2 == 0 ? "no \(number)" : "none",
        ]
        #expect(lines == ["opened"] + words + words && end?.outcome.status == .succeeded)
      case 1: #expect(lines.isEmpty && end?.outcome.message == "refused")
      default: #expect(end?.result == String(CurrentProcess.pid))
      }
    }
  }

  @Test func `reports of very many calls are delivered before further calls are made`() throws {
    let stage = try Stage(Fixtures.broken)
    let request = try stage.request("steady") { $0.kind.isolation = .inProcess }
    let runs = (1..<TurnLimits.callsUntoldMax).map { _ in stage.hosts.ready(request) }
    stage.hosts.start(runs, areLast: false)
    #expect(stage.events.isEmpty)
    stage.hosts.start([stage.hosts.ready(request)], areLast: false)
    let ends = stage.events.count { if case .ended = $0 { true } else { false } }
    #expect(ends == TurnLimits.callsUntoldMax)
  }

  @Test func `a plugin with Swift in it, and one with limits, are refused with a remedy`() throws {
    let swift = try Stage(Fixtures.bundled)
    let run = try swift.start("log", parameters: #"{"message": "a"}"#) { $0.kind.isolation = .inProcess }
    let message = swift.end(of: run)?.outcome.message ?? ""
    #expect(
      message.contains("it has Swift in it") && message.contains("which is for plugins in C"), "\(message)")
    let stage = try Stage(Fixtures.broken)
    for adjust in [
      { $0.user = "nobody" }, { $0.setup.memoryBytes = 1 << 30 },
    ] as [(inout HostSpec) -> Void] {
      let run = try stage.start("steady") {
        $0.kind.isolation = .inProcess
        adjust(&$0.kind)
      }
      #expect(stage.end(of: run)?.outcome.message.contains("timelined's user and limits; take out") == true)
    }
  }

  @Test(.enabled(if: isRoot, "only root can give files away"))
  func `a library that another user could replace is not loaded`() throws {
    let workshop = try Workshop()
    unsafe mkdir("\(workshop.path)/theirs", 0o755)
    let library = try workshop.compile(
      "#include <timelined_plugin.h>\nvoid __attribute__((constructor)) f(void) { __builtin_trap(); }",
      name: "theirs/plugin")
    let stage = try Stage(Fixtures.broken)
    for path in [library, "\(workshop.path)/theirs"] {
      unsafe chown(path, 65534, 65534)
      let run = try stage.start(library) { $0.kind.isolation = .inProcess }
      let end = try #require(stage.end(of: run))
      #expect(
        end.outcome.status == .failed && end.outcome.message.contains("belongs to user 65534"), "\(end)")
      unsafe chown(path, 0, 0)
    }
    unsafe chown("\(workshop.path)/theirs", 65534, 65534)
    stage.read([HostSpec(pluginPath: library, isolation: .inProcess)])
    var answer: Result<PluginIdentity, HostFailure>?
    stage.hosts.describe(HostSpec(pluginPath: library, isolation: .inProcess)) { answer = $0 }
    guard case .failure(let refused)? = answer else { throw TestFailure("\(answer as Any)") }
    #expect(refused.message.contains("theirs belongs to user 65534"))
  }

  @Test func `its identity is read in a host`() throws {
    let stage = try Stage(Fixtures.broken)
    let crashing = HostSpec(
      pluginPath: try stage.hosts.configuration.search.path(of: "crash-at-load"), isolation: .inProcess)
    var answer: Result<PluginIdentity, HostFailure>?
    stage.hosts.describe(crashing) { answer = $0 }
    try stage.wait(for: "the answer") { answer != nil }
    #expect(throws: HostFailure.self) { try answer?.get() }
  }

  @Test func `a call that delays the others is reported once`() throws {
    let stage = try Stage(Fixtures.broken)
    for _ in 0..<2 {
      _ = try stage.start("tells", parameters: #"{"slow": true}"#) { $0.kind.isolation = .inProcess }
    }
    let notes = stage.notes.map(\.description)
    #expect(notes.count == 1 && notes[0].contains("timelined did nothing else meanwhile"), "\(notes)")
  }

  @Test func `a call costs microseconds`() throws {
    let stage = try Stage(Fixtures.broken)
    var times: [Int64] = []
    for _ in 0..<1_000 {
      let began = SystemTime.monotonic()
      let run = try stage.start("steady") { $0.kind.isolation = .inProcess }
      times.append((SystemTime.monotonic() - began).nanoseconds)
      if times.count == 1_000 { #expect(stage.end(of: run)?.outcome.status == .succeeded) }
    }
    times.sort()
    print("a run in this process: p50 \(times[500]) ns, p99 \(times[990]) ns")
  }
}
