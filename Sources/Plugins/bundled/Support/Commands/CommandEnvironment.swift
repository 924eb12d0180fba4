import CCommand
import PluginSupport
import TimelinePluginKit

/// The environment of a job's commands: the common variables, which are made once, and the few variables of the run.
///
/// A run waits while its environment is prepared, so nothing is sorted, merged or copied for a run.
final class CommandEnvironment {
  /// The directories in which a program is searched if its name has no slash.
  let searchPath: String
  private let common: Words
  private var own: RunVariables
  /// The common variables, then the variables of the run, then NULL.
  private var vector: [UnsafeMutablePointer<CChar>?]

  /// Merges the host's variables with the job's variables, which take precedence. Variables that have the name of a run's
  /// variable are left out. A trace context of the job or the host replaces the run's own.
  init(host: [String: String], job: [String: String]) {
    let variables = host.merging(job) { _, own in own }
    searchPath = variables["PATH"] ?? ""
    own = RunVariables(hasTrace: variables[TraceContext.variable] == nil)
    common = Words(
      variables.filter { !RunVariables.names.contains($0.key) }.map { "\($0.key)=\($0.value)" }.sorted())
    vector = common.vector
  }

  /// Calls `body` with the variables of one run. They are valid until `body` returns.
  func with<Result>(_ context: RunContext, _ body: (timelined_words?) throws -> Result) rethrows -> Result {
    own.fill(for: context)
    return try own.withText { text, starts in
      vector.removeLast(vector.count - (common.vector.count - 1))
      for start in starts { vector.append(text?.advanced(by: start)) }
      vector.append(nil)
      return try vector.withUnsafeBufferPointer { try body($0.baseAddress) }
    }
  }
}
