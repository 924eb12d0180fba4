import CCommand
import PluginSupport
import TimelinePluginKit

/// The environment of a job's commands: what is the same for each, made once, and the few variables that tell of the run.
///
/// A run takes place in the middle of what people wait for; so nothing is sorted, merged or copied in it.
final class CommandEnvironment {
  /// The directories in which programs without a slash are searched.
  let searchPath: String
  private let common: Words
  private var own: RunVariables
  /// Common variables first, then the run's, then NULL.
  private var vector: [UnsafeMutablePointer<CChar>?]

  /// Merges the host's variables with the job's, which win; those that tell of a run are left out, but for a trace context of the job's own.
  init(host: [String: String], job: [String: String]) {
    let variables = host.merging(job) { _, own in own }
    searchPath = variables["PATH"] ?? ""
    own = RunVariables(hasTrace: variables[TraceContext.variable] == nil)
    common = Words(
      variables.filter { !RunVariables.names.contains($0.key) }.map { "\($0.key)=\($0.value)" }.sorted())
    vector = common.vector
  }

  /// Calls `body` with the variables of one run; they are gone when it returns.
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
