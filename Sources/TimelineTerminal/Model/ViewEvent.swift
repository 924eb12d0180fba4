package import TimelineCore
package import TimelineRehearsal

/// A key of the terminal.
package enum ViewKey: Sendable, Hashable {
  /// A character that was typed.
  case character(Character)
  /// A key with a meaning of its own.
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
}

/// An event of the view.
package enum ViewEvent {
  /// A key was pressed.
  case key(ViewKey)
  /// The size of the terminal has changed.
  case resized(ScreenSize)
  /// Time has passed, or there is time for more simulation.
  case tick
  /// The daemon's current jobs, clock and future.
  case snapshot(DaemonSnapshot)
  /// The daemon reports entries of jobs, by name.
  case entries([ReportedEntry])
  /// The daemon has answered with a text to read.
  case answer(title: String, lines: [String])
  /// A message for the status line, such as the result of an action.
  case message(String)
  /// The daemon does not answer, for this reason.
  case disconnected(String)
}

/// A request of the view to its environment.
package enum ViewRequest: Sendable, Hashable {
  /// Ends the view.
  case quit
  /// Runs the job now.
  case trigger(JobName)
  /// Starts no entry of the job until it is resumed.
  case pause(JobName)
  /// Resumes the job.
  case resume(JobName)
  /// Asks runs of the job to stop: all that are active or wait.
  case cancel(JobName, runs: [UInt64])
  /// Shows the output of the job's last runs.
  case logs(JobName)
  /// Shows what happened at a moment of the job's timeline, and why.
  case why(JobName, at: WallInstant)
}

/// The size of a terminal, in cells.
package struct ScreenSize: Sendable, Hashable {
  /// Number of columns.
  package var width: Int
  /// Number of lines.
  package var height: Int

  /// Most columns and lines: more than any screen has, so that a wrong size reported by a terminal costs no memory.
  package static let limit = 500

  /// Makes a size, within ``limit``.
  package init(width: Int, height: Int) {
    self.width = min(max(1, width), Self.limit)
    self.height = min(max(1, height), Self.limit)
  }
}
