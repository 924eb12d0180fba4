import TimelineConfiguration
import TimelineCore

/// A job in the form of a configuration.
package struct ImportedJob: Sendable, Equatable {
  /// Unique in the file.
  package var name: String
  /// Lines above the job's header, without `#`. An empty text is a blank line.
  var comments: [String] = []
  /// TOML by key.
  var values: [String: String] = [:]
  var environment: [String: String] = [:]
  /// Whether the job only reacts to other jobs of the file.
  var isReaction = false

  /// Makes a job of the plugin `exec`.
  init(name: String) {
    self.name = name
    values["plugin"] = TOMLText.string("exec")
  }

  /// Sets a key to a string.
  mutating func set(_ key: String, _ text: String) { values[key] = TOMLText.string(text) }

  /// Returns the first error of the job in a configuration; `nil` if the job has none.
  func fault(in context: ImportContext) -> String? {
    let reading = ConfigurationContext(zone: { context.isZone($0) ? Zone(standingInFor: $0) : nil })
    let source = ConfigurationSource(path: name, bytes: Array(ImportedFile.text(of: self).utf8))
    switch Configuration.read([source], in: reading) {
    case .success: return nil
    case .failure(let refusal): return refusal.diagnostics.first { $0.severity == .error }?.message
    }
  }
}

extension ImportedJob {
  /// In the order of writing.
  static let orderedKeys =
    ["description", "plugin", "schedule", "time-zone", "with"] + sharedKeys.filter { $0 != "plugin" }
    + reactionKeys

  /// Keys that are valid in `[defaults]`.
  static let sharedKeys = [
    "plugin", "overlap", "missed", "timeout", "grace", "leftovers", "no-new-privileges", "user", "group",
    "umask", "limits", "run-limits", "working-directory", "environment-file", "environment", "credentials",
  ]

  /// Keys of reactions, which usually remain in their jobs.
  static let reactionKeys = ["on-failure", "on-success", "on-output"]
}
