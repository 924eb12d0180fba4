import TimelinePluginKit

/// The working directory and the variables of a job's commands, checked, from the job's parameters.
package struct CommandSettings: Sendable {
  /// The variables that the job adds to the plugin host's environment.
  package let environment: [String: String]
  /// The working directory of the commands; `nil` for the plugin host's.
  package let workingDirectory: String?

  /// The members `environment` and `working-directory` for a plugin's schema.
  package static let schema = """
    "environment": {
          "type": "object", "additionalProperties": {"type": "string"},
          "propertyNames": {"pattern": "^[^=]+$", "x-timelined-hint": "the name of a variable, without =", "not": {"pattern": "^TIMELINE_"}},
          "description": "Variables beside PATH, HOME, LOGNAME, USER, SHELL and the TIMELINE_... of the run: JOB, RUN_KEY, NOMINAL, NOMINAL_NS, ACTUAL, DEADLINE, ATTEMPT, ENTRY_COUNT, MODE, REHEARSAL. A run that reacts to another job's entry has also UPSTREAM, which is JSON, and of it UPSTREAM_JOB, UPSTREAM_ENTRY, UPSTREAM_OUTCOME, UPSTREAM_REASON and UPSTREAM_OUTPUT, the last lines that it wrote; UPSTREAM_FAILURES and UPSTREAM_SINCE are the number of failures of its incident and the instant of the first."
        },
        "working-directory": {
          "type": "string", "pattern": "^/", "x-timelined-hint": "an absolute path",
          "description": "Where each command starts, entered for each run; an absolute path. Default: the job's working-directory, or else /."
        }
    """

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
