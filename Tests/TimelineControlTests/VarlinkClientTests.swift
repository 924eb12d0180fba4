import Foundation
import Testing
import TimelineCore

@testable import TimelineControl

@Suite struct VarlinkClientTests {
  /// A client whose connection ends in a server in the same process; `serve` plays the daemon.
  private func client(
    portion: Int = 7, _ serve: @escaping (VarlinkServerConnection, VarlinkCall) -> Void
  ) -> ControlClient {
    let connection = VarlinkServerConnection(service: VarlinkService(version: "1"))
    return ControlClient(
      port: VarlinkClient.Port(
        read: {
          while let call = connection.nextCall() { serve(connection, call) }
          let bytes = Array(connection.output.prefix(portion))
          connection.wrote(bytes.count)
          return bytes
        },
        write: { connection.receive($0) }))
  }

  /// A client of a daemon that has the same replies to every call; `seen` gets the calls.
  private func client(
    _ replies: [any Encodable & Sendable], seen: @escaping (String) -> Void = { _ in }
  ) -> ControlClient {
    client { connection, call in
      #expect(throws: Never.self) { seen(try Samples.text(of: Samples.read(call))) }
      for reply in replies.dropLast() { connection.reply(to: call.id, reply, continues: true) }
      if let last = replies.last { connection.reply(to: call.id, last) }
    }
  }

  /// Makes a call that is answered with `reply`, and checks that the daemon receives the call and the client the reply.
  private func expect<Call: ControlCall>(_ call: Call, _ reply: Call.Reply) throws
  where Call.Reply: Equatable {
    var seen: [String] = []
    let client = client([reply]) { seen.append($0) }
    #expect(try client.call(call) == reply)
    #expect(try seen == [Samples.text(of: call)])
  }

  @Test func `every question is answered with the daemon's reply`() throws {
    try expect(Control.Status(), Samples.status)
    try expect(Control.List(), ListReply(jobs: [Samples.job, Samples.bareJob]))
    try expect(Control.Metrics(), Samples.metrics)
    try expect(Control.Configuration(), Samples.configuration)
    try expect(Control.Why(job: "report", moment: "02:30"), Samples.why)
    try expect(Control.Next(job: "report"), Samples.next)
    try expect(Control.Explain(job: "report", years: 1), Samples.explained)
    try expect(Control.History(job: "report", limit: 7), Samples.history)
    try expect(Control.Logs(job: "report", limit: 3), Samples.logs)
    try expect(Control.Clock(), ClockReply(state: Samples.clock))
    try expect(Control.Mode(), ModeReply(state: Samples.mode))
    try expect(Control.Cluster(), ClusterReply(state: Samples.cluster))
    try expect(Control.ClusterHistory(Control.History(job: "report", limit: 7)), Samples.clusterHistory)
  }

  @Test func `every change is answered with the daemon's reply`() throws {
    try expect(Control.Reload(), ReloadReply(added: ["a"], unchangedCount: 2))
    try expect(Control.Trigger(job: "report"), Samples.trigger)
    try expect(Control.Pause(jobs: ["report"]), PauseReply(jobs: [Samples.paused]))
    try expect(Control.Resume(job: "report", catchUp: .all), Samples.resume)
    try expect(Control.Release(job: "report"), Samples.release)
    try expect(Control.Cancel(run: 7), Samples.cancel)
    try expect(Control.PauseClock(), ClockReply(state: Samples.clock))
    try expect(Control.ResumeClock(), ClockReply(state: Samples.clock))
    try expect(Control.SetClockSpeed(speed: "1/3"), ClockReply(state: Samples.clock))
    try expect(Control.StepClock(), ClockReply(state: Samples.clock))
    try expect(Control.LeapClock(to: "in 2h"), ClockReply(state: Samples.clock))
    try expect(Control.SetMode(mode: .lowFrequency), ModeReply(state: Samples.mode))
    try expect(Control.ActivateJobs(jobs: ["report"]), ClusterReply(state: Samples.cluster))
    try expect(Control.LeaveCluster(), ClusterReply(state: Samples.cluster))
    try expect(Control.Backup(), BackupReply(path: "/a"))
    try expect(Control.Stop(now: true), StopReply(runningCount: 5))
  }

  @Test func `events are passed on until an error`() {
    let client = client { connection, call in
      connection.reply(to: call.id, Samples.bareWatch, continues: true)
      connection.fail(call.id, ControlError.tooManyClients(limit: 40).varlink)
    }
    var watched: [WatchReply] = []
    #expect(throws: VarlinkClientError.self) {
      try client.stream(Control.Watch(job: "report")) { watched.append($0) }
    }
    #expect(watched == [Samples.bareWatch])
  }

  @Test func `a cancel that waits passes on every reply and returns the last`() throws {
    var cancelled: [CancelReply] = []
    let last = try client([Samples.bareCancel, Samples.cancel]).stream(Control.Cancel(run: 7)) {
      cancelled.append($0)
    }
    #expect(last == Samples.cancel && cancelled == [Samples.bareCancel, Samples.cancel])
  }

  @Test func `a run that is over needs no cancel`() throws {
    let over = client { connection, call in
      connection.fail(call.id, ControlError.noSuchRun(run: "7", running: "").varlink)
    }
    #expect(try over.cancelIfActive(run: 7) { _ in } == nil)
    try over.askToStop(run: 7)
    let denied = client { $0.fail($1.id, ControlError.permissionDenied.varlink) }
    #expect(throws: VarlinkClientError.self) { try denied.askToStop(run: 7) }
  }

  @Test func `pages are returned as one reply`() throws {
    let jobs = [ListReply(jobs: [Samples.job]), ListReply(jobs: []), ListReply(jobs: [Samples.bareJob])]
    #expect(try client(jobs).call(Control.List()) == ListReply(jobs: [Samples.job, Samples.bareJob]))
    let tables = try client([Samples.configuration, Samples.configuration]).call(Control.Configuration())
    #expect(tables.tables == [Samples.table, Samples.table])
    var page = Samples.history
    page.zones = ["other": "UTC"]
    let history = try client([Samples.history, page]).call(Control.History())
    #expect(history.entries == Samples.history.entries + Samples.history.entries)
    #expect(history.zones == (Samples.history.zones ?? [:]).merging(["other": "UTC"]) { $1 })
  }

  @Test func `metrics come in one reply, with those of all jobs`() throws {
    let client = client { connection, call in
      connection.reply(to: call.id, Samples.metrics, continues: true)
      connection.reply(to: call.id, Samples.metrics)
    }
    #expect(
      try client.call(Control.Metrics())
        == MetricsReply(daemon: Samples.daemonMetrics, jobs: [Samples.jobMetrics, Samples.jobMetrics]))
  }

  @Test(arguments: Samples.calls.indices)
  func `each call has the name of its method, and the daemon can read it`(index: Int) throws {
    var seen: [String] = []
    let client = client { connection, call in
      #expect(throws: Never.self) { try Samples.read(call) }
      seen.append(call.method)
      connection.fail(call.id, ControlError.permissionDenied.varlink)
    }
    let call = Samples.calls[index].full
    #expect(throws: VarlinkClientError.self) { try Self.stream(call, by: client) }
    #expect(seen == [Samples.name(of: call)])
  }

  private static func stream(_ call: some ControlCall, by client: ControlClient) throws {
    try client.stream(call)
  }

  @Test func `a trigger that waits passes on every reply and returns the last`() throws {
    let client = client { connection, call in
      connection.reply(to: call.id, TriggerReply(run: 4), continues: true)
      connection.reply(to: call.id, TriggerReply(run: 4, progressMillionths: 500_000), continues: true)
      connection.reply(to: call.id, TriggerReply(run: 4, end: Samples.end))
    }
    var progress: [UInt32?] = []
    let last = try client.stream(Control.Trigger(job: "report")) { progress.append($0.progressMillionths) }
    #expect(progress == [nil, 500_000, nil])
    #expect(last.end == Samples.end)
  }

  @Test(arguments: ControlInterfaceTests.errors)
  func `an error is received as it was sent`(error: ControlError) {
    let client = client { connection, call in connection.fail(call.id, error.varlink) }
    let thrown = #expect(throws: VarlinkClientError.self) { try client.call(Control.Reload()) }
    guard case .remote(let remote) = thrown else {
      Issue.record("\(String(describing: thrown))")
      return
    }
    #expect(ControlError(remote) == error)
    #expect(thrown?.description == error.description)
  }

  @Test(arguments: [
    (#"{"parameters":{}}"#, "not understood"), ("nonsense", "not understood"),
    (#"{"error":"org.other.Bad","parameters":{"x":[1]}}"#, "the daemon refused: org.other.Bad"),
    ("", "not understood"),
  ])
  func `an invalid reply has its own error`(reply: String, text: String) {
    var isSent = false
    let client = ControlClient(
      port: VarlinkClient.Port(
        read: {
          defer { isSent = true }
          return isSent ? [] : Array(reply.utf8) + [0]
        }, write: { _ in }))
    let error = #expect(throws: VarlinkClientError.self) { try client.call(Control.Stop()) }
    #expect(error?.description.contains(text) == true, "\(String(describing: error))")
  }

  @Test func `a connection that ends or fails has its own error`() {
    struct Broken: Error {}
    let ended = ControlClient(port: VarlinkClient.Port(read: { [] }, write: { _ in }))
    #expect(throws: VarlinkClientError.self) { try ended.call(Control.Status()) }
    let failing = ControlClient(port: VarlinkClient.Port(read: { [] }, write: { _ in throw Broken() }))
    let error = #expect(throws: VarlinkClientError.self) { try failing.call(Control.Status()) }
    guard case .connection(let cause) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(cause is Broken)
  }
}
