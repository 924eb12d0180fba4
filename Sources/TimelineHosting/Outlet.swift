internal import Synchronization
internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// What the host says to the daemon, without the lines that are too many.
///
/// The daemon takes lines at a rate that leaves it to other hosts, so a plugin that logs faster would stand still and time
/// out because of its words. What the daemon keeps is still less than what passes here: it counts what is printed too.
final class Outlet: Sendable {
  private let socket: HostSocket
  private let flow = Mutex(LineFlow())

  init(_ socket: HostSocket) {
    self.socket = socket
  }

  /// Sends the message, or counts a line that is one too many. Any thread of the plugin's may log.
  func send(_ message: HostMessage) {
    switch message {
    case .log(let line):
      let length = line.fields.reduce(line.message.utf8.count) {
        $0 + $1.key.utf8.count + $1.value.utf8.count
      }
      let now = SystemTime.monotonic()
      guard flow.withLock({ $0.admit(length: length, at: now) }) else { return }
      tellDropped()
    case .ended:
      tellDropped()
    default:
      break
    }
    socket.send(message)
  }

  /// Makes sure that a new run can say something.
  func beginRun() { flow.withLock { $0.beginRun() } }

  private func tellDropped() {
    let bytes = flow.withLock { $0.takeDroppedBytes() }
    if bytes > 0 { socket.send(.dropped(bytes: UInt64(clamping: bytes))) }
  }
}

/// How many lines and bytes pass in each second, and how many have not.
struct LineFlow {
  /// Lines in a second: what the daemon keeps of a burst, so that a stack trace or a build's output passes whole.
  static let linesMax = 2_000
  /// Bytes in a second, for the same reason.
  static let bytesMax = 1_048_576
  /// Lines that a run may write, whatever the run before it did in the same second.
  static let linesPerRunMin = 100

  private var since: MonotonicInstant?
  private var lines = 0
  private var bytes = 0
  private var droppedBytes = 0

  /// Whether a line of `length` bytes passes; if not, it is counted.
  mutating func admit(length: Int, at now: MonotonicInstant) -> Bool {
    if since.map({ now - $0 >= .seconds(1) }) ?? true {
      since = now
      (lines, bytes) = (0, 0)
    }
    guard lines < Self.linesMax, bytes < Self.bytesMax else {
      droppedBytes += length
      return false
    }
    lines += 1
    bytes += length
    return true
  }

  /// Leaves room for a new run.
  mutating func beginRun() {
    lines = min(lines, Self.linesMax - Self.linesPerRunMin)
    bytes = min(bytes, Self.bytesMax - Self.linesPerRunMin * 256)
  }

  /// How many bytes have not passed since this was last asked.
  mutating func takeDroppedBytes() -> Int {
    defer { droppedBytes = 0 }
    return droppedBytes
  }
}
