package import TimelineControl
package import TimelineCore

/// A connection to a daemon. Calls wait for the daemon's answer.
package protocol DaemonSource: Sendable {
  /// Connects to the daemon, and calls it.
  func call<Reply>(_ body: (ControlClient) throws(VarlinkClientError) -> Reply) throws(FailedCall) -> Reply
}

/// The reason why a call of the daemon failed.
package struct FailedCall: Error, Sendable, Equatable {
  /// The cause and the remedy.
  package var message: String
  /// Whether the daemon answered with an error.
  package var isRefusal: Bool

  package init(message: String, isRefusal: Bool) {
    self.message = message
    self.isRefusal = isRefusal
  }
}

extension FailedCall: CustomStringConvertible {
  package var description: String { message }
}

extension DaemonSource {
  /// Connects to the daemon, and makes one call.
  package func call<Call: ControlCall>(_ call: Call) throws(FailedCall) -> Call.Reply {
    try self.call { client throws(VarlinkClientError) in try client.call(call) }
  }

  /// Returns the explanation of a reply's entry. For an entry of a cluster the explanation includes the store's record. Times
  /// are shown in `zone`.
  package func explanation(of reply: WhyReply, in zone: Zone) -> ClusterExplanation {
    guard let question = Control.History(entryOf: reply) else { return ClusterExplanation(reply) }
    do throws(FailedCall) {
      let answer = try call(Control.ClusterHistory(question))
      return ClusterExplanation(reply, answer.entries, in: zone)
    } catch {
      return ClusterExplanation(reply, storeFault: error.message)
    }
  }
}
