import CCommand
import Glibc
import TimelinePluginKit

extension Command {
  /// Returns the error of a run whose command ended with `ending`, if there is no other reason for the failure.
  ///
  /// - Parameter isPassing: Whether a retry may succeed after an exit with this status.
  package func failure(_ ending: Ending, _ context: RunContext, isPassing: (Int64) -> Bool) -> any Error {
    let line = lastDiagnostic.isEmpty ? lastOutput : lastDiagnostic
    let lastLine =
      line.isEmpty ? "it printed nothing" : "last line of output: \"\(Self.quote(line))\""
    let more = line.isEmpty ? "" : "; `timelinectl logs \(context.job)` has its last lines"
    switch ending {
    case .lost(ECHILD):
      return Failure(
        "\(name): its exit status cannot be known: \(reason(ECHILD)): something else in its plugin host ignores or reaps ended "
          + "children (SIGCHLD); \(lastLine)\(more)")
    case .lost(let code):
      return Failure(
        "\(name) was killed: its end could not be awaited: \(reason(code)): the machine or a limit is exhausted; "
          + "\(lastLine)\(more)")
    case .exited(let status):
      if context.isCancelled { return CancellationError() }
      let hint = StartFailure.hint(status: status, of: path).map { ": \($0)" } ?? ""
      let sentence = "\(name) exited with status \(status)\(hint); \(lastLine)\(more)"
      return isPassing(status) ? RetryableFailure(sentence) : Failure(sentence)
    case .signalled(let signal):
      if context.isCancelled { return CancellationError() }
      let sentence =
        "\(name) was killed by signal \(signal) (\(String(cString: strsignal(signal)))); \(lastLine); "
        + SignalRemedy.text(signal, memoryLimit: memoryLimit)
      // After SIGXCPU a retry would use as much processor time again.
      return signal == SIGXCPU ? Failure(sentence) : RetryableFailure(sentence)
    }
  }

  /// Characters of a line of output that are quoted in a reason: a few lines on a terminal.
  private static var quoteMax: Int { 500 }

  /// Returns the line itself, or its beginning and its end if it is too long.
  package static func quote(_ line: String) -> String {
    guard line.count > quoteMax else { return line }
    return "\(line.prefix(quoteMax / 2)) ... \(line.suffix(quoteMax / 2))"
  }

  /// Number of bytes of memory that the job may use; `nil` for no limit.
  private var memoryLimit: UInt? {
    let bytes = timelined_memory_limit()
    return bytes == 0 ? nil : bytes
  }
}
