internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Sends the plugin host's messages to the daemon, without the log lines that exceed the rate limit.
///
/// The daemon reads lines at a rate that leaves capacity for other plugin hosts. Without a limit here, a plugin that logs
/// faster would block until its timeout. The daemon keeps fewer lines than this limit admits, because it also counts
/// printed lines. The last lines are held until the limit admits them, or until the run is over.
final class MessageOutlet: Sendable {
  private let socket: HostSocket
  private let flow = Mutex(LineFlow())
  /// Alarm for the time when held lines may be sent.
  let isPassable: Alarm

  /// Throws when the process has too many descriptors.
  init(_ socket: HostSocket) throws(SystemError) {
    self.socket = socket
    isPassable = try Alarm()
  }

  /// Sends the message. A log line beyond the limit is held, or dropped and counted. May be called on any thread of the
  /// plugin.
  func send(_ message: HostMessage) {
    flow.withLock { flow in
      switch message {
      case .log(let line):
        let wasEmpty = flow.isEmpty
        for message in flow.pass(line, length: line.length, at: SystemTime.monotonic()) {
          socket.send(message)
        }
        if wasEmpty, !flow.isEmpty { isPassable.mustSet(after: LineFlow.period) }
        return
      case .progress: break
      default: for message in flow.flush() { socket.send(message) }
      }
      socket.send(message)
    }
  }

  /// Sends the held lines that the limit admits now.
  func sendHeldLines() {
    flow.withLock { flow in
      for message in flow.passable(at: SystemTime.monotonic()) { socket.send(message) }
      if !flow.isEmpty { isPassable.mustSet(after: LineFlow.period) }
    }
  }

  /// Reserves a minimum of lines for a new run.
  func beginRun() { flow.withLock { $0.beginRun() } }
}

/// Rate limit of log lines: in each period the first lines pass at once. Of the lines beyond, the latest are held.
struct LineFlow {
  /// Lines per period: the daemon's own limit for a burst, so that a stack trace or a build's output passes whole.
  static let linesMax = 2_000
  /// Bytes per period, for the same reason.
  static let bytesMax = 1_048_576
  /// Lines that a run may write, regardless of the output of an earlier run in the same period.
  static let linesPerRunMin = 100
  /// Length of a period. At its end the counts of lines and bytes begin anew.
  static let period = ElapsedTime.seconds(1)

  private var since: MonotonicInstant?
  private var lines = 0
  private var bytes = 0
  private var tail = HeldOutput<LogLine>()
  private var droppedBytes = 0

  /// Whether no line is held.
  var isEmpty: Bool { tail.isEmpty }

  /// Adds a line of `length` bytes; returns the messages that may be sent now, in order.
  mutating func pass(_ line: LogLine, length: Int, at now: MonotonicInstant) -> [HostMessage] {
    droppedBytes += tail.append(line, length: length)
    return passable(at: now)
  }

  /// Returns the held messages that may be sent now, in order.
  mutating func passable(at now: MonotonicInstant) -> [HostMessage] {
    if since.map({ now - $0 >= Self.period }) ?? true {
      since = now
      (lines, bytes) = (0, 0)
    }
    var messages: [HostMessage] = []
    while lines < Self.linesMax, bytes < Self.bytesMax, let next = takeFirst() { messages += next }
    return messages
  }

  /// Returns all held messages in order, regardless of the limit, because the last lines of a run contain the reason of its
  /// failure.
  mutating func flush() -> [HostMessage] {
    var messages: [HostMessage] = []
    while let next = takeFirst() { messages += next }
    return messages
  }

  /// Reserves room for the lines of a new run.
  mutating func beginRun() {
    lines = min(lines, Self.linesMax - Self.linesPerRunMin)
    bytes = min(bytes, Self.bytesMax - Self.linesPerRunMin * 256)
  }

  /// Removes and returns the oldest held line, preceded by the number of dropped bytes if there are any.
  private mutating func takeFirst() -> [HostMessage]? {
    let length = tail.firstLength ?? 0
    guard let line = tail.popFirst() else { return nil }
    lines += 1
    bytes += length
    defer { droppedBytes = 0 }
    return droppedBytes > 0 ? [.dropped(bytes: UInt64(droppedBytes)), .log(line)] : [.log(line)]
  }
}
