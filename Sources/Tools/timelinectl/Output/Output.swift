import ArgumentParser
import TimelineSystem

/// Standard output of every verb. A verb fails if its output cannot be written, because a script would take missing
/// output for an answer.
enum Output {
  /// Writes `text`.
  static func print(_ text: String) throws(ExitCode) {
    // Safe: the bytes of a text have no padding.
    try write(unsafe Array(text.utf8).span.bytes)
  }

  /// Writes `bytes`.
  static func write(_ bytes: RawSpan) throws(ExitCode) {
    let hasReader: Bool
    do throws(SystemError) {
      hasReader = try CurrentProcess.write(bytes)
    } catch {
      throw fail("timelinectl: error: standard output: \(error.reason.lowercased())", status: .inputOutput)
    }
    // A reader that has closed the pipe, such as `head`, needs no more output. Other tools are then killed by
    // SIGPIPE, also without a message.
    guard hasReader else { throw ExitCode(ExitStatus.inputOutput.rawValue) }
  }
}
