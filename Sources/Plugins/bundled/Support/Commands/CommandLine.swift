import TimelinePluginKit

/// A program and its arguments, checked, from the job's parameters.
package struct CommandLine: Sendable {
  package let arguments: [String]
  /// The command in one line, for operators.
  package let text: String
  /// Whether the run continues after a failure of this command.
  package var mayFail = false

  /// Checks the words of the parameter at `pointer`. `text` is shown to operators in place of the words.
  package init(_ arguments: [String], text: String? = nil, of pointer: String) throws {
    guard let program = arguments.first, !program.isEmpty else {
      throw Failure("the parameter \(pointer) is empty: name a program")
    }
    if arguments.contains(where: { $0.utf8.contains(0) }) {
      throw Failure(
        "the parameter \(pointer) contains a NUL character, which no program can be given: take it out")
    }
    self.arguments = arguments
    self.text = text ?? arguments.joined(separator: " ")
  }
}
