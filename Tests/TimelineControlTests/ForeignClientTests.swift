import Foundation
import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

@testable import TimelineControl

/// Our server and a client that is not ours: PyPI's `varlink`.
@Suite struct ForeignClientTests {
  /// Exits 0 when everything is as it should be; what is not goes to standard output.
  static let script = """
    import sys, varlink
    address = "unix:" + sys.argv[1]
    with varlink.Client.new_with_address(address) as client:
        info = client.get_interfaces()
        assert "io.timelined.Control" in info, info
        with client.open("io.timelined.Control", namespaced=True) as control:
            status = control.Status()
            assert status.version == "0.1.0" and status.pid == 4711, status
            assert status.startedAt == "2026-11-18T11:06:40.123456789Z", status
            assert status.lastFailure.outcome == "timed-out", status
            jobs = control.List().jobs
            assert [job.name for job in jobs] == ["report", "x"], jobs
            assert jobs[0].running[0].progressMillionths == 250000, jobs
            assert jobs[0].last.durationNanoseconds == 9999999958, jobs
            metrics = control.Metrics()
            assert metrics.jobs[0].consecutiveFailures == 0 and len(metrics.bucketBounds) == 10, metrics
            replies = list(control.Trigger("report", _more=True))
            assert [reply.run for reply in replies] == [9, 9], replies
            assert replies[1].end.latenessNanoseconds == 42, replies
            assert control.Reload().unchangedCount == 2
            why = control.Why("report", "02:30")
            assert why.verdict == "settled" and why.record.latenessNanoseconds == 42, why
            assert why.details[0].name == "cause" and why.attempts[0].message == "exit status 1", why
            assert control.Clock().state.clock == "system"
            assert control.Mode().state.cadence == "live"
            assert control.History(limit=5).entries[0].entryCount == 3
            assert control.Logs("report").runs[0].output == "one\\ntwo"
            assert [reply.kind for reply in control.Watch(_more=True)] == ["watching", "ended"]
            try:
                control.Trigger("repotr")
                assert False, "a job that does not exist was triggered"
            except varlink.VarlinkError as error:
                assert error.error() == "io.timelined.Control.NoSuchJob", error
                assert error.parameters() == {"job": "repotr", "nearest": "report"} or \\
                    vars(error.parameters()) == {"job": "repotr", "nearest": "report"}, error
            try:
                control.Stop()
                assert False, "a stop was allowed"
            except varlink.VarlinkError as error:
                assert error.error() == "org.varlink.service.PermissionDenied", error
    print("well")
    """

  @Test(.enabled(if: ForeignVarlink.python != nil, "\(ForeignVarlink.absence)"))
  func `PyPI's varlink client reads, triggers, waits and is refused`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/timeline-varlink-\(getpid())"
    let server = try SocketServer(at: path)
    let output = try ByteStream.pipe()
    let child = try ChildProcess.spawn(
      executable: try #require(ForeignVarlink.python), arguments: ["-c", Self.script, path],
      descriptors: [.init(output.writing.rawValue, as: 1), .init(output.writing.rawValue, as: 2)])
    output.writing.close()
    var status: ProcessEnd?
    try server.loop.watch(child.handleRawValue, for: .reading) { _ in status = child.reap(killingGroup: true)
    }
    let hasEnded = server.loop.run(atMost: Patience.usual) { status != nil }
    if !hasEnded { try child.signalGroup(.kill) }
    var text = ""
    while case .bytes(let bytes) = try output.reading.read(atMost: 65_536) {
      text += String(decoding: bytes, as: UTF8.self)
    }
    #expect(status == .exited(0) && text == "well\n", "\(text)")
    #expect(server.faults.isEmpty)
  }
}

/// A daemon of samples on a Unix socket: the shortest server that keeps all of the connection's promises.
private final class SocketServer {
  let loop: EventLoop
  private(set) var faults: [VarlinkServerConnection.Fault] = []
  private let listener: UnixListener
  private var peers: [ObjectIdentifier: Peer] = [:]

  private final class Peer {
    let stream: ByteStream
    let connection = VarlinkServerConnection(service: VarlinkService(version: "0.1.0"))
    var watch: Watch?

    init(_ stream: ByteStream) { self.stream = stream }
  }

  init(at path: String) throws {
    loop = try EventLoop()
    listener = try UnixListener(at: path, mode: 0o600)
    try loop.watch(listener.rawValue, for: .reading) { [unowned self] _ in
      do { try accept() } catch { Issue.record(error) }
    }
  }

  private func accept() throws {
    while let stream = try listener.accept() {
      let peer = Peer(stream)
      peers[ObjectIdentifier(peer)] = peer
      peer.watch = try loop.watch(stream.rawValue, for: .reading) { [unowned self] readiness in
        do { try serve(peer, readiness) } catch { Issue.record(error) }
      }
    }
  }

  private func serve(_ peer: Peer, _ readiness: Readiness) throws {
    if readiness.contains(.readable) && peer.connection.wantsInput {
      switch try peer.stream.read(atMost: 16_384) {
      case .bytes(let bytes): peer.connection.receive(bytes)
      case .wouldBlock: break
      case .endOfFile: return close(peer)
      }
    }
    while let call = peer.connection.nextCall() { answer(call, on: peer.connection) }
    while !peer.connection.output.isEmpty,
      case .wrote(let count) = try peer.stream.write(peer.connection.output)
    {
      peer.connection.wrote(count)
    }
    if let fault = peer.connection.fault {
      faults.append(fault)
      return close(peer)
    }
    var interest: Interest = peer.connection.wantsInput ? .reading : []
    if !peer.connection.output.isEmpty { interest.insert(.writing) }
    peer.watch?.update(interest)
  }

  private func answer(_ call: VarlinkCall, on connection: VarlinkServerConnection) {
    do {
      switch try Samples.read(call) {
      case is Control.Status: connection.reply(to: call.id, Samples.status)
      case is Control.List:
        connection.reply(to: call.id, ListReply(jobs: [Samples.job, Samples.bareJob]))
      case is Control.Metrics: connection.reply(to: call.id, Samples.metrics)
      case is Control.Reload: connection.reply(to: call.id, ReloadReply(unchangedCount: 2))
      case let trigger as Control.Trigger where trigger.job == "report":
        connection.reply(to: call.id, Samples.bareTrigger, continues: true)
        connection.reply(to: call.id, Samples.trigger)
      case let trigger as Control.Trigger:
        connection.fail(call.id, ControlError.noSuchJob(job: trigger.job, nearest: "report").varlink)
      case is Control.Why: connection.reply(to: call.id, Samples.why)
      case is Control.History: connection.reply(to: call.id, Samples.history)
      case is Control.Logs: connection.reply(to: call.id, Samples.logs)
      case is Control.Watch:
        connection.reply(to: call.id, Samples.bareWatch, continues: true)
        connection.reply(to: call.id, Samples.watch)
      case is Control.Clock: connection.reply(to: call.id, ClockReply(state: Samples.bareClock))
      case is Control.Mode: connection.reply(to: call.id, ModeReply(state: Samples.bareMode))
      default: connection.fail(call.id, ControlError.permissionDenied.varlink)
      }
    } catch let error as VarlinkError {
      connection.fail(call.id, error)
    } catch {
      Issue.record(error)
    }
  }

  private func close(_ peer: Peer) {
    peer.watch?.cancel()
    peer.watch = nil
    peer.stream.close()
    peers[ObjectIdentifier(peer)] = nil
  }
}
