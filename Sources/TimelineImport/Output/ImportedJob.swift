import TimelineConfiguration
import TimelineCore

/// A job in the form of a configuration.
package struct ImportedJob: Sendable, Hashable {
  /// Name of the job, unique in the file.
  package var name: String
  /// Lines above the job's header, without `#`. An empty text is a blank line.
  var comments: [String] = []
  /// Values, which are already TOML, by key.
  var values: [String: String] = [:]
  /// Environment variables of the job's runs.
  var environment: [String: String] = [:]
  /// Whether it only reacts to other jobs of the file.
  var isReaction = false

  /// Makes a job of the plugin `exec`.
  init(name: String) {
    self.name = name
    values["plugin"] = TOMLText.string("exec")
  }

  /// Sets a key to a string.
  mutating func set(_ key: String, _ text: String) { values[key] = TOMLText.string(text) }

  /// The first error of the job in a configuration; `nil` if it can be read.
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
  /// Keys in the order of writing.
  static let orderedKeys =
    ["description", "plugin", "schedule", "time-zone", "with"] + sharedKeys.filter { $0 != "plugin" }
    + reactionKeys

  /// Keys that are allowed in `[defaults]`.
  static let sharedKeys = [
    "plugin", "overlap", "missed", "timeout", "grace", "leftovers", "no-new-privileges", "user", "group",
    "umask", "limits", "run-limits", "working-directory", "environment-file", "environment", "credentials",
  ]

  /// Keys of reactions, which usually stay with their jobs.
  static let reactionKeys = ["on-failure", "on-success", "on-output"]
}
