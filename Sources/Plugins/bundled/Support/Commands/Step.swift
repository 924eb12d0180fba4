import TimelinePluginKit

/// One command of a job as C strings. It is made once, and no run changes it.
package final class Step {
  /// The program in the spelling of the job.
  let name: String
  /// The program and its arguments in one line, for operators.
  package let text: String
  /// Whether the program has to be searched in PATH, because its name has no slash.
  let isSought: Bool
  /// Whether the run continues after a failure of this command.
  package let mayFail: Bool
  let arguments: Words

  /// Makes the step for a command.
  package init(_ line: CommandLine) {
    name = line.arguments[0]
    text = line.text
    isSought = !name.utf8.contains(UInt8(ascii: "/"))
    mayFail = line.mayFail
    arguments = Words(line.arguments)
  }
}

extension RunContext {
  /// Logs that these commands are not run in a rehearsal. Returns the logged text as the run's result.
  package func skip(_ steps: [Step]) -> String {
    let commands = steps.map(\.text).joined(separator: "; ")
    let text = "rehearsal: \(commands) was not run; set rehearse = true to run it"
    log(text, level: .notice)
    return text
  }
}
