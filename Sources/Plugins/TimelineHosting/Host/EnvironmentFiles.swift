internal import TimelineCore
internal import TimelineSystem
internal import TimelineWire

/// Reads the environment files that a job names. Runs with the daemon's rights, before the plugin host becomes the job's
/// user.
enum EnvironmentFiles {
  /// Returns the variables of all files. If several files set a variable, the last file counts.
  static func variables(of request: LoadRequest) throws(Refusal) -> [String: String] {
    var variables: [String: String] = [:]
    for file in request.setup.environmentFiles {
      do {
        guard let text = try file.readEnvironment() else { continue }
        variables.merge(text.variables) { _, later in later }
      } catch {
        throw Refusal(
          file: request.path, reason: "its job's environment file cannot be used: \(error.reason)",
          remedy: error.remedy)
      }
    }
    guard variables.count <= JobLimits.variablesMax else {
      throw Refusal(
        file: request.path,
        reason:
          "its job's environment files have \(variables.count) variables, and may have \(JobLimits.variablesMax)",
        remedy: "leave out what the job does not need")
    }
    return variables
  }
}
