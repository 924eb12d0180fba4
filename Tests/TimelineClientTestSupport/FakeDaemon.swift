import Foundation
package import Synchronization
package import TimelineClient
package import TimelineControl
import TimelineCore
import TimelineEngineTestSupport

/// A daemon that answers from what it is given, through the bytes of the real client.
package final class FakeDaemon: DaemonSource {
  package struct State {
    package var status = StatusReply(
      version: "0.1.0", pid: 1, startedAt: t(0), now: t(1_000), uptime: .seconds(1_000), clock: "system",
      mode: .normal, configuration: "/nonexistent/timelined.toml", jobCount: 1, runningCount: 0, next: nil,
      lastFailure: nil, outcomes: [:])
    package var jobs: [JobReport] = []
    package var entries: [EntryReport] = []
    package var metrics = MetricsReply(
      daemon: DaemonMetrics(version: "0.1.0", startedAt: t(0), mode: .normal, jobCount: 1), jobs: [])
    /// State of the cluster; `nil` for none.
    package var cluster: ClusterState?
    /// Entries that the cluster's store has, ascending.
    package var clusterEntries: [EntryReport] = []
    /// The verdict of `Why`, and the node that runs the job.
    package var why: (verdict: WhyVerdict, node: String?) = (.settled, nil)
    /// Entries in one page of a history.
    package var pageLength = 1_000
    /// The reason why the daemon does not answer.
    package var failure: FailedCall?
    /// The reason why the cluster's store does not answer.
    package var storeFailure: FailedCall?
    /// Names of the methods that were called.
    package var calls: [String] = []
    /// Parameters of the histories that were asked for.
    package var questions: [Control.History] = []
  }

  package let state: Mutex<State>

  package init(_ change: (inout State) -> Void = { _ in }) {
    var state = State()
    state.status.zone = "UTC"
    change(&state)
    self.state = Mutex(state)
  }

  package func call<Reply>(
    _ body: (ControlClient) throws(VarlinkClientError) -> Reply
  ) throws(FailedCall) -> Reply {
    if let failure = state.withLock({ $0.failure }) { throw failure }
    var replies: [[UInt8]] = []
    let port = VarlinkClient.Port(
      read: { replies.isEmpty ? [] : replies.removeFirst() },
      write: { bytes in replies.append(try self.state.withLock { try $0.answer(bytes) }) })
    do throws(VarlinkClientError) {
      return try body(ControlClient(port: port))
    } catch .connection(let failure as FailedCall) {
      throw failure
    } catch {
      throw FailedCall(message: "\(error)", isRefusal: true)
    }
  }
}

extension FakeDaemon.State {
  private struct Call<Parameters: Decodable>: Decodable {
    var method: String
    var parameters: Parameters
  }
  private struct Anything: Decodable {}
  private struct Reply<Parameters: Encodable>: Encodable {
    var parameters: Parameters
  }

  fileprivate mutating func answer(_ bytes: [UInt8]) throws -> [UInt8] {
    let data = Data(bytes.dropLast())
    let method = try JSONDecoder().decode(Call<Anything>.self, from: data).method
    let name = String(method.split(separator: ".").last ?? "")
    calls.append(name)
    switch name {
    case "Status": return try encoded(status)
    case "List": return try encoded(ListReply(jobs: jobs))
    case "History":
      let asked = try JSONDecoder().decode(Call<Control.History>.self, from: data).parameters
      questions.append(asked)
      return try encoded(history(asked))
    case "Why":
      let asked = try JSONDecoder().decode(Call<Control.Why>.self, from: data).parameters
      var reply = WhyReply(
        job: asked.job, zone: "UTC", now: status.now.instant, verdict: why.verdict,
        headline: "\(asked.job) at \(asked.moment): failed")
      reply.node = why.node
      reply.entry = (try? WallInstant(rfc3339: asked.moment)).map(Timestamp.init)
      reply.details = [WhyReply.Detail("reason", "<b>no\u{1B}[31m</b>")]
      reply.output = "one\n<script>alert(1)</script>\u{7}"
      return try encoded(reply)
    case "Cluster":
      guard let cluster else { break }
      return try encoded(ClusterReply(state: cluster))
    case "ClusterHistory":
      if let storeFailure { throw storeFailure }
      return try encoded(
        clusterHistory(try JSONDecoder().decode(Call<Control.History>.self, from: data).parameters))
    case "Metrics": return try encoded(metrics)
    case "Trigger": return try encoded(TriggerReply(run: 7))
    default: break
    }
    return Array(#"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#.utf8) + [0]
  }

  private func history(_ asked: Control.History) -> HistoryReply {
    let since = asked.since.flatMap { try? WallInstant(rfc3339: $0) } ?? .min
    let until = asked.until.flatMap { try? WallInstant(rfc3339: $0) } ?? .max
    let found = entries.filter { $0.entry.instant >= since && $0.entry.instant < until }
    return HistoryReply(
      entries: found.suffix(pageLength), isCut: found.count > pageLength, zone: "UTC")
  }

  private func clusterHistory(_ asked: Control.History) -> ClusterHistoryReply {
    let since = asked.since.flatMap { try? WallInstant(rfc3339: $0) } ?? .min
    let until = asked.until.flatMap { try? WallInstant(rfc3339: $0) } ?? .max
    let found = clusterEntries.filter { $0.entry.instant >= since && $0.entry.instant < until }
    let limit = asked.limit ?? 200
    return ClusterHistoryReply(
      entries: found.suffix(limit), isCut: found.count > limit, zone: "UTC")
  }

  private func encoded(_ value: some Encodable) throws -> [UInt8] {
    Array(try JSONEncoder().encode(Reply(parameters: value))) + [0]
  }
}
