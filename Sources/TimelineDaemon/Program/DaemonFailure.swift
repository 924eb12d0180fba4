import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// Exit statuses of the daemon's process (sysexits.h).
package enum DaemonExit: Int32, Sendable {
  /// It drained.
  case success = 0
  /// It cannot do its work for now; trying again may help.
  case cannotStart = 70
  /// Its configuration is wrong: trying again without a change is pointless.
  case configuration = 78
}

/// The reason why the daemon does not start: the exit status, and what happened to what, and what to do.
struct DaemonFailure: Error, CustomStringConvertible {
  let exit: DaemonExit
  let description: String
  /// The lines for standard error; errors that have a place in a file stand by themselves.
  let text: String

  init(_ exit: DaemonExit, _ description: String) {
    self.exit = exit
    self.description = description
    text = "timelined: error: \(description)\n"
  }

  /// The failure of a configuration that was not loaded. Readers of the journal may not be readers of the files; those of standard error
  /// started this process.
  init(_ failure: LoadFailure) {
    let isJournal = Journal.isConnected(environment: CurrentProcess.environment)
    let failure = isJournal ? failure.redacted : failure
    exit = if case .late = failure { .cannotStart } else { .configuration }
    description = failure.text(color: CurrentProcess.errorShowsColors)
    text = description.hasPrefix("error: ") ? "timelined: " + description : description
  }
}
