package import TimelineCore
package import TimelineRehearsal

/// A key of the terminal.
package enum ViewKey: Sendable, Equatable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
}

/// An event of the view.
package enum ViewEvent {
  case key(ViewKey)
  case resized(ScreenSize)
  /// Time has passed, or there is time for more simulation.
  case tick
  case snapshot(DaemonSnapshot)
  /// Entries that the daemon and the other nodes of its cluster have reported.
  case past(ReportedPast)
  /// The daemon has answered with a text to read.
  case answer(title: String, lines: [String])
  /// A message for the status line, such as the result of an action.
  case message(String)
  /// The daemon does not answer, for this reason.
  case disconnected(String)
}

/// A request of the view to its environment.
package enum ViewRequest: Sendable, Equatable {
  case quit
  case trigger(JobName)
  /// Starts no entry of the job until it is resumed.
  case pause(JobName)
  case resume(JobName)
  /// Asks all active and waiting runs of the job to stop.
  case cancel(JobName, runs: [UInt64])
  /// Shows the output of the job's last runs.
  case logs(JobName)
  /// Shows what happened at a moment of the job's timeline, and why.
  case why(JobName, at: WallInstant)
}

/// The size of a terminal, in cells.
package struct ScreenSize: Sendable, Equatable {
  package var width: Int
  package var height: Int

  /// Maximum width and height: more than any screen has, so that a wrong size reported by a terminal costs no memory.
  package static let limit = 500

  /// Makes a size; each number is clamped to 1 to ``limit``.
  package init(width: Int, height: Int) {
    self.width = min(max(1, width), Self.limit)
    self.height = min(max(1, height), Self.limit)
  }
}
