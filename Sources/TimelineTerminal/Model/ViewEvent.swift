package import TimelineCore
package import TimelineRehearsal

/// A key of the terminal.
package enum ViewKey: Sendable, Hashable {
  /// A character that was typed.
  case character(Character)
  /// A key with a meaning of its own.
  case up, down, left, right, pageUp, pageDown, home, end, enter, escape, backspace
}

/// Something that happens to the view.
package enum ViewEvent {
  /// A key was pressed.
  case key(ViewKey)
  /// The terminal has another size.
  case resized(ScreenSize)
  /// Time has passed, or there is time to simulate more.
  case tick
  /// The daemon's jobs, clock and future are these.
  case snapshot(DaemonSnapshot)
  /// The daemon reports entries of jobs, by name.
  case entries([ReportedEntry])
  /// The daemon has answered with a text to read.
  case answer(title: String, lines: [String])
  /// Something to say in the status line, such as the result of an action.
  case message(String)
  /// The daemon does not answer, for this reason.
  case disconnected(String)
}

/// Something that the view asks of its surroundings.
package enum ViewRequest: Sendable, Hashable {
  /// Ends the view.
  case quit
  /// Runs the job now.
  case trigger(JobName)
  /// Starts no entry of the job until it is resumed.
  case pause(JobName)
  /// Lets the job go on.
  case resume(JobName)
  /// Asks runs of the job to stop: all that are active or wait.
  case cancel(JobName, runs: [UInt64])
  /// Shows what the job wrote in its last runs.
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

  /// Most columns and lines: more than any screen has, so that a terminal that reports nonsense costs no memory.
  package static let limit = 500

  /// Makes a size, within ``limit``.
  package init(width: Int, height: Int) {
    self.width = min(max(1, width), Self.limit)
    self.height = min(max(1, height), Self.limit)
  }
}
