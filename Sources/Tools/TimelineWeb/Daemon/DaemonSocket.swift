package import TimelineClient
package import TimelineControl
import TimelineCore
import TimelineSystem

/// The daemon behind a control socket, with a connection for each call.
package struct DaemonSocket: DaemonSource {
  package let path: String

  package init(path: String) { self.path = path }

  /// Connects to the daemon, and calls it; each reply has a timeout.
  package func call<Reply>(
    _ body: (ControlClient) throws(VarlinkClientError) -> Reply
  ) throws(FailedCall) -> Reply {
    try call(DaemonStream(try connect(), limit: WebLimits.answerLimit, isPatient: false), body)
  }

  /// Passes events to `take` until the connection ends, and calls `pulse` from time to time; throws the reason of the end.
  package func watch(
    take: (WatchReply) -> Void, pulse: @escaping () -> Void
  ) throws(FailedCall) {
    let stream = DaemonStream(
      try connect(), limit: WebLimits.answerLimit, isPatient: true,
      waitElsewhere: { stream in
        while try !stream.wait(toWrite: false, atMost: WebLimits.pulse) { pulse() }
      })
    _ = try call(stream) { client throws(VarlinkClientError) in
      try client.stream(Control.Watch(), each: take)
    }
  }

  private func connect() throws(FailedCall) -> ByteStream {
    do {
      return try ByteStream.connect(to: path, atMost: WebLimits.answerLimit)
    } catch {
      throw FailedCall(
        message: "\(path): \(error.plainReason): is timelined running? see `systemctl status timelined`",
        isRefusal: false)
    }
  }

  private func call<Reply>(
    _ stream: DaemonStream, _ body: (ControlClient) throws(VarlinkClientError) -> Reply
  ) throws(FailedCall) -> Reply {
    do throws(VarlinkClientError) {
      return try body(ControlClient(port: stream.port))
    } catch .remote(let error) {
      throw FailedCall(message: "\(VarlinkClientError.remote(error))", isRefusal: true)
    } catch .connection(is NoAnswer) {
      throw FailedCall(
        message: "\(path): no answer within \(WebLimits.answerLimit): the daemon is stopped or busy",
        isRefusal: false)
    } catch {
      throw FailedCall(message: "\(path): \(error)", isRefusal: false)
    }
  }
}
