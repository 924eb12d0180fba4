import TimelinePluginKit

/// A program and its arguments, as the job's parameters give them; checked.
package struct CommandLine: Sendable {
  /// The program and its arguments.
  package let arguments: [String]
  /// The command in one line, for people.
  package let text: String
  /// Whether the run goes on after it has failed.
  package var mayFail = false

  /// Checks the words of the parameter at `pointer`; `text` is what people read in place of them.
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
