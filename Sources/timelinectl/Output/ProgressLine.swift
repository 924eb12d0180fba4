import TimelineCore
import TimelineSystem

/// A line on the terminal with how far a command has come, for one that takes longer than a second.
///
/// It goes to standard error, so that it is in no file, and only where that is a terminal whose lines can be erased; what the command
/// prints takes its place.
struct ProgressLine: ~Copyable {
  private let label: String
  private let begin: WallInstant
  private let end: WallInstant
  private let isShown = CurrentProcess.errorIsTerminal && CurrentProcess.environment["TERM"] != "dumb"
  private var due = SystemTime.monotonic() + .seconds(1)
  private var calls = 0
  private var isWritten = false

  /// The real clock is read at every so many calls, which are many in a millisecond.
  private static let callsPerReading = 256
  /// Often enough to be seen to move.
  private static let interval = ElapsedTime.milliseconds(200)

  /// A line that begins with `label`, of a command that goes from one instant to another.
  init(_ label: String, from begin: WallInstant, until end: WallInstant) {
    (self.label, self.begin, self.end) = (label, begin, end)
  }

  /// Notes that the command has come to `instant`.
  mutating func reach(_ instant: WallInstant) {
    calls += 1
    guard isShown, begin < end, calls % Self.callsPerReading == 0 else { return }
    let now = SystemTime.monotonic()
    guard now >= due else { return }
    due = now + Self.interval
    let share = (min(max(begin, instant), end) - begin) / (end - begin)
    CurrentProcess.printError("\r\u{1B}[K\(label): \(Int(100 * share)) %")
    isWritten = true
  }

  deinit {
    if isWritten { CurrentProcess.printError("\r\u{1B}[K") }
  }
}
