import TimelineCore
import TimelineSystem

/// Token bucket of the lines and bytes that a host may still send; it refills with time. Log lines with their fields, and
/// progress, are charged.
///
/// The budget belongs to a host and not to a run, so that a job with a hundred runs per second may not write more than a
/// job with one run per hour. Each run begins with a small minimum, so that it is not limited by the run before it.
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

  /// Whether the budget is exhausted, so that further output is only drained.
  var isSpent: Bool { lines <= 0 || bytes <= 0 }

  /// Reserves a minimum of lines and bytes for a new run.
  mutating func beginRun() {
    lines = max(lines, Int64(limits.linesPerRunMin))
    bytes = max(bytes, Int64(limits.linesPerRunMin) * 256)
  }

  /// Counts bytes that are not passed on.
  mutating func drop(bytes: Int) { droppedBytes = droppedBytes.addingSaturating(Int64(bytes)) }

  /// Whether anything may be passed on at `now`.
  mutating func mayPass(at now: MonotonicInstant) -> Bool {
    fill(at: now)
    return !isSpent
  }

  /// Whether a line of `length` bytes may be passed on; if so, the budget is charged.
  mutating func admit(length: Int, at now: MonotonicInstant) -> Bool {
    guard mayPass(at: now) else { return false }
    charge(length: length)
    return true
  }

  /// Whether progress with a text of `length` bytes may be passed on; if so, the budget is charged. Progress is not a line
  /// of the log, but it is sent to all clients that follow the run.
  mutating func admit(progressOf length: Int, at now: MonotonicInstant) -> Bool {
    guard mayPass(at: now) else { return false }
    bytes -= Int64(Self.progressBytes + length)
    return true
  }

  /// Bytes charged for progress in addition to its text: the size of the message to a client.
  private static let progressBytes = 64

  /// Charges a line that is passed on even if the budget is exhausted.
  mutating func charge(length: Int) {
    lines -= 1
    bytes -= Int64(length)
  }

  /// Returns the number of dropped bytes if a report is due, else 0. A flood is reported at most once per second.
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
    // A shorter time would be lost in the integer division.
    guard elapsed >= 10_000_000 else { return }
    filledAt = now
    let seconds = min(elapsed, 60_000_000_000)
    lines = min(lines + Int64(limits.linesPerSecond) * seconds / 1_000_000_000, Int64(limits.burstLines))
    bytes = min(bytes + Int64(limits.bytesPerSecond) * seconds / 1_000_000_000, Int64(limits.burstBytes))
  }
}
