package import TimelineCore
package import TimelineEngine

/// One `[job.NAME]`: when, by which rules, and what is called with what.
///
/// A few words a job: what it has in common with others is kept once for all of them.
package struct Job: Sendable {
  /// What the engine is to know of the job.
  package var definition: JobDefinition
  let call: JobCall

  /// Makes a job; `definition` has the policies and the timing of the call's traits.
  init(_ definition: JobDefinition, _ call: JobCall) {
    self.definition = definition
    self.call = call
  }

  var traits: JobTraits { call.traits }
  var text: JobText { call.text }

  /// The name, unique over all files.
  package var name: JobName { definition.name }
  /// When it falls due.
  package var schedule: ScheduleRule { definition.schedule }
  /// A digest of what a run can see beside the schedule and the policies.
  package var revision: UInt64 { definition.revision }
  /// One line for people.
  package var summary: String? { text.summary }
  /// Whether the job is kept; a disabled job is checked like any other.
  package var isEnabled: Bool { traits.values.isEnabled }
  /// What is called.
  package var plugin: PluginReference { traits.values.plugin }
  /// What the plugin is opened with: a JSON object, keys sorted by their bytes, no white space. Dates are RFC 3339 text.
  package var parameters: String { text.parameters }
  /// The user that the plugin runs as; `nil` for the daemon's own.
  package var user: String? { traits.values.user }
  /// What its host makes of itself before it loads the plugin.
  package var setup: HostSetup { traits.values.setup }
  /// Where the plugin's code runs.
  package var isolation: Isolation { traits.values.isolation }
  /// How the daemon waits for the job's entries.
  package var precision: Precision { traits.values.precision }
  /// How exactly its entries are meant.
  package var timing: ScheduleTiming { traits.values.timing }
  /// The zone in which the job's dates and minutes are meant.
  package var zone: Zone { traits.values.zone }
  /// What is done when the world is in the way.
  package var policies: JobPolicies { traits.values.policies }
  /// What is set of ``setup`` and ``isolation``.
  var surroundings: [(key: String, value: String)] { traits.surroundings }

  /// Jobs with the same kin run in hosts of the same kind and by the same policies; good as long as one of them is kept.
  package var kin: ObjectIdentifier { ObjectIdentifier(traits) }
  /// Jobs with the same wants have the same parameters; good as long as one of them is kept.
  package var wants: ObjectIdentifier { ObjectIdentifier(text) }
}

/// How the daemon waits for a job's entries.
package enum Precision: String, Sendable, Hashable, CaseIterable {
  /// It sleeps until they are due.
  case timer
  /// It keeps a processor busy for the last fifth of a millisecond, so that no wake-up makes them late.
  case spin
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

extension Job {
  /// The names of the zones that its dates and its rule are meant in.
  package var zoneNames: [String] {
    guard case .calendar(let rule) = schedule, rule.zone.name != zone.name else { return [zone.name] }
    return [zone.name, rule.zone.name]
  }
}
