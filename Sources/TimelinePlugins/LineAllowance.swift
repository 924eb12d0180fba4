import TimelineCore
import TimelineSystem

/// How many lines and bytes a host may still write to the log: a store that fills again with time.
///
/// It belongs to a host and not to a run, so that a job of a hundred runs a second has no more to say than one of a
/// run an hour; each run begins with a little at least, so that it does not pay for the one before it.
struct LineAllowance {
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

  /// Charges a line that is passed on whatever is left.
  mutating func charge(length: Int) {
    lines -= 1
    bytes -= Int64(length)
  }

  /// How many bytes were dropped, if it is time to say so: a flood is told of once a second, not each time it ebbs.
  mutating func takeDroppedBytes(dueAt now: MonotonicInstant) -> Int64 {
    guard droppedBytes > 0, droppedToldAt.map({ now - $0 >= .seconds(1) }) ?? true else { return 0 }
    droppedToldAt = now
    return takeDroppedBytes()
  }

  /// How many bytes were dropped since this was last asked.
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
