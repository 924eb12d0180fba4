import ArgumentParser
import TimelineSystem

/// A question to the operator before something unusual is done.
enum Confirmation {
  /// Asks on the terminal, and returns whether the answer is yes. Without a terminal, ends the program with a message that
  /// names `option`, which skips the question.
  static func ask(_ reason: String, skippedBy option: String) throws -> Bool {
    guard CurrentProcess.inputIsTerminal, CurrentProcess.errorIsTerminal else {
      throw fail("timelinectl: error: \(reason.printable): confirm with \(option)")
    }
    CurrentProcess.printError("\(reason.printable)\ncontinue? [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
  }
}
