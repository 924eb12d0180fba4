import ArgumentParser
import TimelineControl
import TimelineSystem

/// Exit statuses of every verb, as timelinectl(1) lists them; statuses from 64 on are those of sysexits.h.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  /// The answer is no: an error in a configuration, no such job or run, a run that did not succeed, a plan with changes.
  case negative = 1
  /// Only for `plan`, whose status 1 has another meaning: a file has errors.
  case unusablePlan = 2
  /// A verb, an option or an argument is wrong.
  case usage = 64
  /// The daemon cannot be reached, does not answer in time, or ended before it answered.
  case unavailable = 69
  /// Output cannot be written, or input cannot be read.
  case inputOutput = 74
  /// The answer has an unknown form.
  case foreignAnswer = 76
  /// The user may not do this.
  case permissionDenied = 77
}

extension ExitStatus {
  /// The status for a failed call.
  init(_ error: VarlinkClientError) {
    self =
      switch error {
      case .remote(let error):
        switch ControlError(error) {
        case .permissionDenied: .permissionDenied
        case .shuttingDown, .configurationRefused, .tooManyClients: .unavailable
        case nil: .foreignAnswer
        case .some: .negative
        }
      case .connection, .closed: .unavailable
      case .malformedReply: .foreignAnswer
      case .receiver: .inputOutput
      }
  }
}

/// Prints `message` to standard error, and returns `status` to throw. A message that begins with `error: ` gets the
/// program's name as its prefix.
func fail(_ message: String, status: ExitStatus = .negative) -> ExitCode {
  let text = message.hasPrefix("error: ") ? "timelinectl: " + message : message
  CurrentProcess.printError(text.hasSuffix("\n") ? text : text + "\n")
  return ExitCode(status.rawValue)
}
