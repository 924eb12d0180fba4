import TimelinePluginKit

/// The other job's entry to which a run reacts, in the words of the plugins' parameters.
public enum Upstream {
  /// The parts that have a placeholder, such as `{upstream-job}`, and a variable, such as `TIMELINE_UPSTREAM_JOB`.
  public static let names = ["job", "entry", "outcome", "reason", "output"]

  /// One part; empty for a run that reacts to nothing.
  public static func text(_ name: String, in context: RunContext) -> String {
    (try? context.upstream?.optionalText("/\(name)")) ?? ""
  }
}
