package import TimelineCore
package import TimelineEngine

/// One `[job.NAME]`: when, by which rules, and what is called with what.
package struct Job: Sendable, Hashable {
  /// The name, unique over all files.
  package var name: JobName
  /// One line for people.
  package var summary: String?
  /// Whether the job is kept; a disabled job is checked like any other.
  package var isEnabled: Bool
  /// What is called.
  package var plugin: PluginReference
  /// What the plugin is opened with: a JSON object, keys sorted by their bytes, no white space. Dates are RFC 3339 text.
  package var parameters: String
  /// The user that the plugin runs as; `nil` for the daemon's own.
  package var user: String?
  /// What its host makes of itself before it loads the plugin.
  package var setup = HostSetup()
  /// Where the plugin's code runs.
  package var isolation: Isolation = .host
  /// When it falls due.
  package var schedule: ScheduleRule
  /// How exactly its entries are meant.
  package var timing = ScheduleTiming()
  /// The zone in which the job's dates and minutes are meant.
  package var zone: Zone
  /// What is done when the world is in the way.
  package var policies: JobPolicies
  /// Where the job's name stands.
  package var place: SourcePlace
  /// Where the plugin's name stands, for those who find out that there is none.
  package var pluginPlace: SourcePlace

  /// What the engine is to know of the job.
  package var definition: JobDefinition {
    JobDefinition(name: name, schedule: schedule, policies: policies, timing: timing, revision: revision)
  }
}

/// Which plugin a job calls: by name, to be looked up in the plugin folders, or by path.
package enum PluginReference: Sendable, Hashable, CustomStringConvertible {
  /// A name such as `exec`, which stands for `exec.so` in the first plugin folder that has one.
  case name(String)
  /// The absolute path of a shared library.
  case path(String)

  /// As written in the file.
  package var text: String {
    switch self {
    case .name(let text), .path(let text): text
    }
  }

  /// As written in the file.
  package var description: String { text }
}
