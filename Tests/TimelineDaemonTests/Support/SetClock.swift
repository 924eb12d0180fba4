import Testing
import TimelineCore
import TimelineSystem
import TimelineTestSupport

/// A daemon's clock that a test sets: the system's plus an offset, which is in a file.
struct SetClock {
  /// Arguments of a daemon with this clock.
  var arguments: [String] { ["--clock-offset-file", path] }
  private let path: String
  private let workshop: Workshop

  /// Makes a clock that shows the system's time.
  init(in workshop: Workshop) throws {
    self.workshop = workshop
    path = try workshop.write("0s", to: "offset")
  }

  /// Sets the clock of `daemon` to show `instant`, and waits until the daemon has noticed.
  func set(to instant: WallInstant, in daemon: DaemonProcess) throws {
    let count = daemon.lines.count
    try workshop.write("\((instant - SystemTime.now()).nanoseconds)ns", to: "offset")
    try daemon.child.signal(.user2)
    try daemon.line(containing: "the system clock moved", after: count)
  }
}
