package import TimelineControl
package import TimelineCore
package import TimelineSystem

/// Thrown if a reply, or room for a request, does not arrive in time.
package struct NoAnswer: Error {}

/// A connection to the daemon with a time limit for each reply.
package final class DaemonStream {
  private let stream: ByteStream
  private let limit: ElapsedTime
  private let isPatient: Bool
  /// Waits for bytes in place of the connection's own wait, without a time limit.
  private let waitElsewhere: ((ByteStream) throws -> Void)?
  /// Waits for the bytes of a reply in place of the connection's own wait, for at most a time; returns whether they came.
  private let waitForReply: ((ByteStream, ElapsedTime) throws -> Bool)?
  private var replyCount = 0
  /// Deadline of the expected reply; `nil` for no limit.
  private var deadline: MonotonicInstant?

  /// Bytes per read: enough for a reply of usual size.
  private static let readMax = 64 * 1024

  /// Makes a connection that waits for at most `limit`. With `isPatient`, the limit applies only to the first reply.
  ///
  /// After the first reply, `waitElsewhere`, if given, waits for bytes. `waitForReply`, if given, waits for bytes that have a
  /// time limit, and returns whether they came.
  package init(
    _ stream: ByteStream, limit: ElapsedTime, isPatient: Bool,
    waitElsewhere: ((ByteStream) throws -> Void)? = nil,
    waitForReply: ((ByteStream, ElapsedTime) throws -> Bool)? = nil
  ) {
    self.waitForReply = waitForReply
    self.stream = stream
    self.waitElsewhere = waitElsewhere
    self.limit = limit
    self.isPatient = isPatient
    deadline = SystemTime.monotonic() + limit
  }

  /// The connection in the form that a client uses.
  package var port: VarlinkClient.Port {
    VarlinkClient.Port(read: read, write: write, replyIsExpected: expectReply)
  }

  private func expectReply() {
    replyCount += 1
    // The time for the first reply began with the request, because a stopped daemon does not read the request either.
    if replyCount > 1 { deadline = isPatient ? nil : SystemTime.monotonic() + limit }
  }

  private func read() throws -> [UInt8] {
    while true {
      switch try stream.read(atMost: Self.readMax) {
      case .bytes(let bytes): return bytes
      case .endOfFile: return []
      case .wouldBlock: try wait(toWrite: false)
      }
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch try stream.write(rest) {
      case .wrote(let count): rest = rest.dropFirst(count)
      case .wouldBlock: try wait(toWrite: true)
      case .peerClosed: return
      }
    }
  }

  private func wait(toWrite: Bool) throws {
    if !toWrite, deadline == nil, let waitElsewhere { return try waitElsewhere(stream) }
    let left = deadline.map { max($0 - SystemTime.monotonic(), .zero) }
    let isReady =
      if !toWrite, let left, let waitForReply {
        try waitForReply(stream, left)
      } else {
        try stream.wait(toWrite: toWrite, atMost: left)
      }
    guard isReady else { throw NoAnswer() }
  }
}
