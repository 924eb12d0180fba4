import TimelinePluginKit

/// The parameters that say which command is run, and where; checked.
package struct CommandSettings: Sendable {
  /// The program and its arguments.
  package let arguments: [String]
  /// The variables that the job adds to the plugin host's environment.
  package let environment: [String: String]
  /// The directory in which the command starts; `nil` for the plugin host's.
  package let workingDirectory: String?

  /// Reads `environment` and `working-directory`; `arguments` come from the parameter `command`.
  package init(_ arguments: [String], _ parameters: Parameters) throws {
    self.arguments = arguments
    environment = try parameters.optionalTable("/environment") ?? [:]
    workingDirectory = try parameters.optionalText("/working-directory")
    try check()
  }

  private func check() throws {
    guard let program = arguments.first, !program.isEmpty else {
      throw Failure("the parameter /command is empty: name a program")
    }
    if let workingDirectory, !workingDirectory.hasPrefix("/") {
      throw Failure(
        "the parameter /working-directory is \"\(workingDirectory)\": it must be an absolute path, one that begins with /"
      )
    }
    for (name, value) in environment {
      guard !name.isEmpty, !name.contains("="), !name.utf8.contains(0), !value.utf8.contains(0) else {
        throw Failure(
          "the parameter /environment has the variable \"\(name)\": a name has no = and no NUL, a value no NUL"
        )
      }
      guard !name.hasPrefix("TIMELINE_") else {
        throw Failure(
          "the parameter /environment sets \(name): TIMELINE_... tell of the run, choose another name")
      }
    }
    if arguments.contains(where: { $0.utf8.contains(0) }) {
      throw Failure(
        "the parameter /command contains a NUL character, which no program can be given: take it out")
    }
  }
}
