import TimelineCore
import TimelineSystem

/// Token bucket of the lines and bytes that a host may still send: lines of the log with their fields, and progress; it fills again with
/// time.
///
/// It belongs to a host and not to a run, so that a job with a hundred runs a second may not write more than one with a
/// run an hour. Each run begins with a small minimum, so that it does not pay for the one before it.
struct LogBudget {
  private let limits: OutputLimits
  private var lines: Int64
  private var bytes: Int64
  private var filledAt: MonotonicInstant?
  private var droppedBytes: Int64 = 0
  private var droppedToldAt: MonotonicInstant?

  init(limits: OutputLimits) {
    self.limits = limits
    lines = Int64(limits.burstLines)
    bytes = Int64(limits.burstBytes)
  }

  /// Whether nothing is left, so that reading on is only drainage.
  var isSpent: Bool { lines <= 0 || bytes <= 0 }

  /// Makes sure that a new run can say something.
  mutating func beginRun() {
    lines = max(lines, Int64(limits.linesPerRunMin))
    bytes = max(bytes, Int64(limits.linesPerRunMin) * 256)
  }

  /// Counts bytes that are not passed on.
  mutating func drop(bytes: Int) { droppedBytes = droppedBytes.addingSaturating(Int64(bytes)) }

  /// Whether anything may be passed on at this time.
  mutating func mayPass(at now: MonotonicInstant) -> Bool {
    fill(at: now)
    return !isSpent
  }

  /// Whether a line of `length` bytes may be passed on; if so, it is charged.
  mutating func admit(length: Int, at now: MonotonicInstant) -> Bool {
    guard mayPass(at: now) else { return false }
    charge(length: length)
    return true
  }

  /// The same for progress with a text of `length` bytes. It is no line, but is sent to all clients that follow the run.
  mutating func admit(progressOf length: Int, at now: MonotonicInstant) -> Bool {
    guard mayPass(at: now) else { return false }
    bytes -= Int64(Self.progressBytes + length)
    return true
  }

  /// Bytes that progress is charged beside its text: what a client is sent for it.
  private static let progressBytes = 64

  /// Charges a line that is passed on whatever is left.
  mutating func charge(length: Int) {
    lines -= 1
    bytes -= Int64(length)
  }

  /// Returns the number of dropped bytes if its report is due, else 0: a flood is reported once a second at most.
  mutating func takeDroppedBytes(dueAt now: MonotonicInstant) -> Int64 {
    guard droppedBytes > 0, droppedToldAt.map({ now - $0 >= .seconds(1) }) ?? true else { return 0 }
    droppedToldAt = now
    return takeDroppedBytes()
  }

  /// Returns the number of bytes that were dropped since the last call.
  mutating func takeDroppedBytes() -> Int64 {
    defer { droppedBytes = 0 }
    return droppedBytes
  }

  private mutating func fill(at now: MonotonicInstant) {
    guard let last = filledAt else {
      filledAt = now
      return
    }
    let elapsed = (now - last).nanoseconds
    // Anything less would be lost in the division.
    guard elapsed >= 10_000_000 else { return }
    filledAt = now
    let seconds = min(elapsed, 60_000_000_000)
    lines = min(lines + Int64(limits.linesPerSecond) * seconds / 1_000_000_000, Int64(limits.burstLines))
    bytes = min(bytes + Int64(limits.bytesPerSecond) * seconds / 1_000_000_000, Int64(limits.burstBytes))
  }
}
