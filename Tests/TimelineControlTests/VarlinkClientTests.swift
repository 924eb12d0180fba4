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

  @Test func `every verb returns the daemon's reply`() throws {
    var seen: [ControlRequest] = []
    let client = client { connection, call in
      guard let request = try? ControlRequest(call) else { return }
      seen.append(request)
      switch request {
      case .status: connection.reply(to: call.id, Samples.status)
      case .list: connection.reply(to: call.id, ListReply(jobs: [Samples.job, Samples.bareJob]))
      case .reload: connection.reply(to: call.id, ReloadReply(added: ["a"], unchangedCount: 2))
      case .trigger: connection.reply(to: call.id, Samples.trigger)
      case .stop: connection.reply(to: call.id, StopReply(runningCount: 5))
      case .why: connection.reply(to: call.id, Samples.why)
      case .next: connection.reply(to: call.id, Samples.next)
      case .explain: connection.reply(to: call.id, Samples.explained)
      case .history: connection.reply(to: call.id, Samples.history)
      case .logs: connection.reply(to: call.id, Samples.logs)
      case .pause: connection.reply(to: call.id, PauseReply(jobs: [Samples.paused]))
      case .resume: connection.reply(to: call.id, Samples.resume)
      case .release: connection.reply(to: call.id, Samples.release)
      case .cancel:
        connection.reply(to: call.id, Samples.bareCancel, continues: true)
        connection.reply(to: call.id, Samples.cancel)
      case .watch:
        connection.reply(to: call.id, Samples.bareWatch, continues: true)
        connection.fail(call.id, ControlError.tooManyClients(limit: 40).varlink)
      default: Issue.record("not called here")
      }
    }
    #expect(try client.call(Control.Status()) == Samples.status)
    #expect(try client.call(Control.List()).jobs == [Samples.job, Samples.bareJob])
    #expect(try client.call(Control.Reload()) == ReloadReply(added: ["a"], unchangedCount: 2))
    #expect(try client.call(Control.Trigger(job: "report")) == Samples.trigger)
    #expect(try client.call(Control.Stop()) == StopReply(runningCount: 5))
    #expect(seen == [.status, .list, .reload, .trigger(job: "report"), .stop(now: false)])
    seen = []
    #expect(try client.call(Control.Why(job: "report", moment: "02:30")) == Samples.why)
    #expect(try client.call(Control.Next(job: "report")) == Samples.next)
    #expect(try client.call(Control.Explain(job: "report", years: 1)) == Samples.explained)
    #expect(try client.call(Control.History(job: "report", limit: 7)) == Samples.history)
    #expect(try client.call(Control.Logs(job: "report", limit: 3)) == Samples.logs)
    #expect(try client.call(Control.Pause(jobs: ["report"])) == PauseReply(jobs: [Samples.paused]))
    #expect(try client.call(Control.Resume(job: "report", catchUp: .all)) == Samples.resume)
    #expect(try client.call(Control.Release(job: "report")) == Samples.release)
    var cancelled: [CancelReply] = []
    #expect(try client.stream(Control.Cancel(run: 7)) { cancelled.append($0) } == Samples.cancel)
    #expect(cancelled == [Samples.bareCancel, Samples.cancel])
    var watched: [WatchReply] = []
    #expect(throws: VarlinkClientError.self) {
      try client.stream(Control.Watch(job: "report")) { watched.append($0) }
    }
    #expect(watched == [Samples.bareWatch])
    #expect(
      seen == [
        .why(job: "report", moment: "02:30"), .next(Control.Next(job: "report")),
        .explain(Control.Explain(job: "report", years: 1)),
        .history(Control.History(job: "report", limit: 7)),
        .logs(job: "report", limit: 3), .pause(jobs: ["report"]), .resume(job: "report", catchUp: .all),
        .release(job: "report"), .cancel(run: 7), .watch(job: "report"),
      ])
  }

  static let clockChanges: [(change: any ClockCall, control: ClockControl)] = [
    (Control.PauseClock(), .pause), (Control.ResumeClock(), .resume),
    (Control.SetClockSpeed(speed: "1/3"), .speed("1/3")), (Control.StepClock(), .step),
    (Control.LeapClock(to: "in 2h"), .leap(to: "in 2h")),
  ]

  @Test(arguments: clockChanges.indices)
  func `each change of the clock has its own method`(index: Int) throws {
    let (change, control) = Self.clockChanges[index]
    var seen: [ControlRequest] = []
    let client = client { connection, call in
      if let request = try? ControlRequest(call) { seen.append(request) }
      connection.reply(to: call.id, ClockReply(state: Samples.clock))
    }
    #expect(
      try client.call(Control.Clock()).state == Samples.clock && client.call(change).state == Samples.clock)
    #expect(seen == [.clock, .controlClock(control)])
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

  @Test func `the mode is read and chosen`() throws {
    var seen: [ControlRequest] = []
    let client = client { connection, call in
      if let request = try? ControlRequest(call) { seen.append(request) }
      connection.reply(to: call.id, ModeReply(state: Samples.mode))
    }
    #expect(
      try client.call(Control.Mode()).state == Samples.mode
        && client.call(Control.SetMode(mode: .lowFrequency)).state == Samples.mode)
    #expect(seen == [.mode, .setMode(.lowFrequency)])
  }

  @Test func `the cluster is read and changed`() throws {
    var seen: [ControlRequest] = []
    let client = client { connection, call in
      guard let request = try? ControlRequest(call) else { return }
      seen.append(request)
      if case .clusterHistory = request {
        connection.reply(to: call.id, Samples.clusterHistory)
      } else {
        connection.reply(to: call.id, ClusterReply(state: Samples.cluster))
      }
    }
    #expect(
      try client.call(Control.Cluster()).state == Samples.cluster
        && client.call(Control.LeaveCluster()).state == Samples.cluster)
    #expect(try client.call(Control.ActivateJobs(jobs: ["report"])).state == Samples.cluster)
    let parameters = Control.History(job: "report", limit: 7)
    #expect(try client.call(Control.ClusterHistory(parameters)) == Samples.clusterHistory)
    #expect(seen == [.cluster, .leaveCluster, .activateJobs(["report"]), .clusterHistory(parameters)])
  }

  /// Makes the call of the client that is for the method.
  private func call(_ method: ControlMethod, by client: ControlClient) throws {
    switch method {
    case .status: _ = try client.call(Control.Status())
    case .list: _ = try client.call(Control.List())
    case .metrics: _ = try client.call(Control.Metrics())
    case .configuration: _ = try client.call(Control.Configuration())
    case .why: _ = try client.call(Control.Why(job: "report", moment: "now"))
    case .next: _ = try client.call(Control.Next(job: "report"))
    case .explain: _ = try client.call(Control.Explain(job: "report"))
    case .history: _ = try client.call(Control.History())
    case .watch: try client.stream(Control.Watch())
    case .logs: _ = try client.call(Control.Logs(job: "report"))
    case .reload: _ = try client.call(Control.Reload())
    case .trigger: _ = try client.call(Control.Trigger(job: "report"))
    case .pause: _ = try client.call(Control.Pause(jobs: ["report"]))
    case .resume: _ = try client.call(Control.Resume(job: "report"))
    case .release: _ = try client.call(Control.Release(job: "report"))
    case .clock: _ = try client.call(Control.Clock())
    case .pauseClock: _ = try client.call(Control.PauseClock())
    case .resumeClock: _ = try client.call(Control.ResumeClock())
    case .setClockSpeed: _ = try client.call(Control.SetClockSpeed(speed: "2"))
    case .stepClock: _ = try client.call(Control.StepClock())
    case .leapClock: _ = try client.call(Control.LeapClock(to: "in 2h"))
    case .mode: _ = try client.call(Control.Mode())
    case .setMode: _ = try client.call(Control.SetMode(mode: .auto))
    case .cluster: _ = try client.call(Control.Cluster())
    case .clusterHistory: _ = try client.call(Control.ClusterHistory(Control.History()))
    case .activateJobs: _ = try client.call(Control.ActivateJobs(jobs: []))
    case .leaveCluster: _ = try client.call(Control.LeaveCluster())
    case .backup: _ = try client.call(Control.Backup())
    case .cancel: _ = try client.call(Control.Cancel(run: 1))
    case .stop: _ = try client.call(Control.Stop())
    }
  }

  @Test(arguments: ControlMethod.allCases)
  func `each method has a call, which the daemon can read`(method: ControlMethod) {
    var seen: [String] = []
    let client = client { connection, call in
      #expect(throws: Never.self) { try ControlRequest(call) }
      seen.append(call.method)
      connection.fail(call.id, ControlError.permissionDenied.varlink)
    }
    #expect(throws: VarlinkClientError.self) { try self.call(method, by: client) }
    #expect(seen == [method.fullName])
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
