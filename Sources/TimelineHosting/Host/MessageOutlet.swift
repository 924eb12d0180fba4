internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Sends the plugin host's messages to the daemon, without the lines that exceed the rate limit.
///
/// The daemon reads lines at a rate that leaves capacity for other plugin hosts, so a plugin that logs faster would
/// block and time out because of its lines. The daemon keeps even fewer lines than pass here: it also counts printed
/// ones. The last lines are held until they may pass, or the run is over.
final class MessageOutlet: Sendable {
  private let socket: HostSocket
  private let flow = Mutex(LineFlow())
  /// Goes off when lines that are held may pass.
  let isPassable: Alarm

  /// Throws when the process has too many descriptors.
  init(_ socket: HostSocket) throws(SystemError) {
    self.socket = socket
    isPassable = try Alarm()
  }

  /// Sends the message, or holds or counts a line that is one too many. Any thread of the plugin's may log.
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

  /// Sends lines that were held and may pass by now.
  func sendHeldLines() {
    flow.withLock { flow in
      for message in flow.passable(at: SystemTime.monotonic()) { socket.send(message) }
      if !flow.isEmpty { isPassable.mustSet(after: LineFlow.period) }
    }
  }

  /// Makes sure that a new run can say something.
  func beginRun() { flow.withLock { $0.beginRun() } }
}

/// The lines that pass in each second: so many at once, then the latest as far as there is room.
struct LineFlow {
  /// Lines in a second: what the daemon keeps of a burst, so that a stack trace or a build's output passes whole.
  static let linesMax = 2_000
  /// Bytes in a second, for the same reason.
  static let bytesMax = 1_048_576
  /// Lines that a run may write, whatever the run before it did in the same second.
  static let linesPerRunMin = 100
  /// The time after which as many may pass again.
  static let period = ElapsedTime.seconds(1)

  private var since: MonotonicInstant?
  private var lines = 0
  private var bytes = 0
  private var tail = HeldOutput<LogLine>()
  private var droppedBytes = 0

  /// Whether no line is held.
  var isEmpty: Bool { tail.isEmpty }

  /// Takes a line of `length` bytes; returns what may be sent now, in order.
  mutating func pass(_ line: LogLine, length: Int, at now: MonotonicInstant) -> [HostMessage] {
    droppedBytes += tail.append(line, length: length)
    return passable(at: now)
  }

  /// The held messages that may be sent now, in order.
  mutating func passable(at now: MonotonicInstant) -> [HostMessage] {
    if since.map({ now - $0 >= Self.period }) ?? true {
      since = now
      (lines, bytes) = (0, 0)
    }
    var messages: [HostMessage] = []
    while lines < Self.linesMax, bytes < Self.bytesMax, let next = takeFirst() { messages += next }
    return messages
  }

  /// All that was held, in order, however much has passed: the end of a run says why it failed.
  mutating func flush() -> [HostMessage] {
    var messages: [HostMessage] = []
    while let next = takeFirst() { messages += next }
    return messages
  }

  /// Leaves room for a new run.
  mutating func beginRun() {
    lines = min(lines, Self.linesMax - Self.linesPerRunMin)
    bytes = min(bytes, Self.bytesMax - Self.linesPerRunMin * 256)
  }

  /// The oldest line that is held, and before it the number of bytes that were dropped.
  private mutating func takeFirst() -> [HostMessage]? {
    let length = tail.firstLength ?? 0
    guard let line = tail.popFirst() else { return nil }
    lines += 1
    bytes += length
    defer { droppedBytes = 0 }
    return droppedBytes > 0 ? [.dropped(bytes: UInt64(droppedBytes)), .log(line)] : [.log(line)]
  }
}
