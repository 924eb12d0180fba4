import TimelineLoading
import TimelineSystem
import TimelineSystemd

/// Exit statuses of the daemon's process (sysexits.h).
package enum DaemonExit: Int32, Sendable {
  case success = 0
  /// The daemon cannot start for now; another attempt may succeed.
  case cannotStart = 70
  /// The configuration is wrong: another attempt without a change fails, too.
  case configuration = 78
}

/// The reason why the daemon does not start: the exit status, and a message with the subject, the fault and the remedy.
struct DaemonFailure: Error, CustomStringConvertible {
  let exit: DaemonExit
  let description: String
  /// The lines for standard error. Errors with a position in a file have no prefix `timelined:`.
  let text: String

  init(_ exit: DaemonExit, _ description: String) {
    self.exit = exit
    self.description = description
    text = "timelined: error: \(description)\n"
  }

  /// Makes the failure of a configuration that was not loaded. If standard error is the journal, the failure is redacted,
  /// because readers of the journal may lack the right to read the files. Otherwise it is not redacted, because the reader of
  /// standard error started this process.
  init(_ failure: LoadFailure) {
    let isJournal = Journal.isConnected(environment: CurrentProcess.environment)
    let failure = isJournal ? failure.redacted : failure
    exit = if case .late = failure { .cannotStart } else { .configuration }
    description = failure.text(color: CurrentProcess.errorShowsColors)
    text = description.hasPrefix("error: ") ? "timelined: " + description : description
  }
}
