import TimelineCore
import TimelineSystem

/// A line on the terminal with the progress of a command that takes longer than a second.
///
/// The line goes to standard error, and only to a terminal that can erase it, so that no file contains it. The output
/// of the command replaces the line.
struct ProgressLine: ~Copyable {
  private let label: String
  private let begin: WallInstant
  private let end: WallInstant
  private let isShown = CurrentProcess.errorIsTerminal && CurrentProcess.environment["TERM"] != "dumb"
  private var due = SystemTime.monotonic() + .seconds(1)
  private var calls = 0
  private var isWritten = false

  /// Calls of ``reach(_:)`` between two readings of the real clock; a millisecond has many calls.
  private static let callsPerReading = 256
  /// Time between two updates, short enough to show movement.
  private static let interval = ElapsedTime.milliseconds(200)

  /// Makes a line that begins with `label`, for a command that processes the time from `begin` to `end`.
  init(_ label: String, from begin: WallInstant, until end: WallInstant) {
    (self.label, self.begin, self.end) = (label, begin, end)
  }

  /// Records that the command has reached `instant`.
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
