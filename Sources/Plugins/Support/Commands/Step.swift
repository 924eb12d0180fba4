import TimelinePluginKit

/// One command of a job in C's form, made once: a run uses it as it is.
package final class Step {
  /// The program, as it is written.
  let name: String
  /// The program and its arguments in one line, for people.
  package let text: String
  /// Whether the program has to be looked for in PATH: its name has no slash.
  let isSought: Bool
  /// Whether the run goes on after it has failed.
  package let mayFail: Bool
  let arguments: Words

  /// Makes the step of a command.
  package init(_ line: CommandLine) {
    name = line.arguments[0]
    text = line.text
    isSought = !name.utf8.contains(UInt8(ascii: "/"))
    mayFail = line.mayFail
    arguments = Words(line.arguments)
  }
}

extension RunContext {
  /// Logs that a rehearsal does not run these commands; returns the text, as the run's result.
  package func skip(_ steps: [Step]) -> String {
    let commands = steps.map(\.text).joined(separator: "; ")
    let text = "rehearsal: \(commands) was not run; set rehearse = true to run it"
    log(text, level: .notice)
    return text
  }
}
