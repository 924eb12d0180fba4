import ArgumentParser
import TimelineSystem

/// Standard output of every verb. Output that is lost makes the verb fail, because a script would take nothing for an answer.
enum Output {
  /// Writes `text`.
  static func print(_ text: String) throws(ExitCode) {
    // Safe: the bytes of a text have no parts that are not theirs.
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
    // A reader that is gone has seen enough, as `head` has. Other tools are killed by SIGPIPE then, as silently.
    guard hasReader else { throw ExitCode(ExitStatus.inputOutput.rawValue) }
  }
}
