import TimelineSystem

/// Output of the program `timelined` that needs only its command line: help, the version, and errors.
package enum CommandLineAnswer {
  /// Exit status of a program whose output cannot be written (sysexits.h).
  private static let outputLost: Int32 = 74

  /// Prints `text` and ends the program. The text is an error message unless the status is 0.
  package static func end(_ text: String, status: Int32) -> Never {
    let line = text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    guard status == 0 else {
      let parsed = "Error: "
      CurrentProcess.printError(
        line.hasPrefix(parsed) ? "timelined: error: " + line.dropFirst(parsed.count) : line)
      CurrentProcess.exitNow(status)
    }
    do throws(SystemError) {
      // Safe: the bytes of a text have no padding.
      guard try CurrentProcess.write(unsafe Array(line.utf8).span.bytes) else {
        CurrentProcess.exitNow(outputLost)
      }
    } catch {
      CurrentProcess.printError("timelined: error: standard output: \(error.plainReason)\n")
      CurrentProcess.exitNow(outputLost)
    }
    CurrentProcess.exitNow(0)
  }
}
