import FoundationEssentials
package import TimelineControl
import TimelineCore
import TimelineSystem

/// A change of the daemon that a user requests.
package enum WebChange: Sendable, Hashable {
  case trigger(job: String)
  /// Starts no entry of a job until it is resumed.
  case pause(job: String, reason: String?)
  case resume(job: String)
  case cancel(run: UInt64)

  /// Kinds of changes, by the last part of their paths.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case trigger, pause, resume, cancel
  }

  private struct Parameters: Decodable {
    var job: String?
    var reason: String?
    var run: UInt64?
  }

  /// Reads the parameters of a change; `nil` if they are malformed.
  package init?(_ kind: Kind, body: [UInt8]) {
    guard let parameters = try? JSONDecoder().decode(Parameters.self, from: Data(body)) else { return nil }
    switch (kind, parameters.job, parameters.run) {
    case (.trigger, let job?, _): self = .trigger(job: job)
    case (.pause, let job?, _):
      let reason = parameters.reason.flatMap { $0.isEmpty ? nil : $0 }
      guard reason?.utf8.count ?? 0 <= ControlLimits.reasonBytesMax else { return nil }
      self = .pause(job: job, reason: reason)
    case (.resume, let job?, _): self = .resume(job: job)
    case (.cancel, _, let run?): self = .cancel(run: run)
    default: return nil
    }
  }

  /// Makes the change, and returns the result in words.
  package func perform(by client: ControlClient) throws(VarlinkClientError) -> String {
    switch self {
    case .trigger(let job):
      let reply = try client.call(Control.Trigger(job: job))
      if let end = reply.end {
        return "\(job): \(end.outcome ?? "ended")" + (end.reason.isEmpty ? "" : ": \(end.reason)")
      }
      return reply.run == 0 ? "\(job): waits for its turn" : "\(job): run \(reply.run) started"
    case .pause(let job, let reason):
      let reply = try client.call(Control.Pause(jobs: [job], reason: reason))
      return reply.jobs.first?.wasPaused == true ? "\(job): was paused already" : "\(job): paused"
    case .resume(let job):
      let reply = try client.call(Control.Resume(job: job))
      guard reply.pausedSince != nil else { return "\(job): was not paused" }
      return reply.heldCount == 0
        ? "\(job): resumed" : "\(job): resumed; \(reply.takenCount) of \(reply.heldCount) entries are run"
    case .cancel(let run):
      try client.askToStop(run: run)
      return "run \(run): asked to stop"
    }
  }
}
