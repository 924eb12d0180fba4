import TimelinePluginKit

/// The parameters that say where the commands of a job are run, and with which variables; checked.
package struct CommandSettings: Sendable {
  /// The variables that the job adds to the plugin host's environment.
  package let environment: [String: String]
  /// The directory in which a command starts; `nil` for the plugin host's.
  package let workingDirectory: String?

  /// Reads `environment` and `working-directory`.
  package init(_ parameters: Parameters) throws {
    environment = try parameters.optionalTable("/environment") ?? [:]
    workingDirectory = try parameters.optionalText("/working-directory")
    try check()
  }

  private func check() throws {
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
  }
}
