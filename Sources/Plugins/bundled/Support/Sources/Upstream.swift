import TimelinePluginKit

/// Facts about the other job's entry to which a run reacts, under the names in the plugins' parameters.
public enum Upstream {
  /// The facts that have a placeholder, such as `{upstream-job}`, and a variable, such as `TIMELINE_UPSTREAM_JOB`.
  public static let names = ["job", "entry", "outcome", "reason", "output", "failures", "since"]

  /// Returns one fact; empty if the run reacts to no entry. `failures` and `since` are empty if the reaction belongs to no
  /// incident.
  public static func text(_ name: String, in context: RunContext) -> String {
    guard let upstream = context.upstream else { return "" }
    switch name {
    case "failures":
      return (try? upstream.optionalInteger("/incident/failures")).flatMap { $0 }.map { String($0) } ?? ""
    case "since": return (try? upstream.optionalText("/incident/since")) ?? ""
    default: return (try? upstream.optionalText("/\(name)")) ?? ""
    }
  }
}
