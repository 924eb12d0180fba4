package import TimelineCore
package import TimelineEngine

/// One `[job.NAME]`: its schedule, its policies, and its plugin with the parameters.
///
/// A job takes a few words of memory, because parts in common with other jobs are stored once for all of them.
package struct Job: Sendable {
  /// The definition of the job for the engine.
  package var definition: JobDefinition
  let call: JobInvocation

  /// Makes a job. The traits of `definition` have the policies and the timing of the traits of `call`.
  init(_ definition: JobDefinition, _ call: JobInvocation) {
    self.definition = definition
    self.call = call
  }

  var traits: SharedSettings { call.traits }
  var text: JobParameters { call.text }

  /// The name, which is unique over all files.
  package var name: JobName { definition.name }
  /// The schedule of the job.
  package var schedule: ScheduleRule { definition.schedule }
  /// A digest of all facts, except the schedule and the policies, that a run depends on.
  package var revision: UInt64 { definition.revision }
  /// One line for people.
  package var summary: String? { text.summary }
  /// Whether the job is enabled. A disabled job is checked like any other job.
  package var isEnabled: Bool { traits.values.isEnabled }
  /// The plugin that the job's runs call.
  package var plugin: PluginReference { traits.values.plugin }
  /// The parameters with which the plugin is opened: a JSON object without white space, with keys sorted by their bytes.
  /// Dates are RFC 3339 text.
  package var parameters: String { text.parameters }
  /// The user that the plugin runs as; `nil` for the daemon's own user.
  package var user: String? { traits.values.user }
  /// The setup that the plugin host applies before it loads the plugin.
  package var setup: HostSetup { traits.values.setup }
  /// The process in which the plugin's code runs.
  package var isolation: Isolation { traits.values.isolation }
  /// The way in which the daemon waits for the job's entries.
  package var precision: Precision { traits.values.precision }
  /// The tolerated deviation of starts from the schedule, such as jitter.
  package var timing: ScheduleTiming { traits.values.timing }
  /// The zone of the job's dates and times.
  package var zone: Zone { traits.values.zone }
  /// The policies of the job.
  package var policies: JobPolicies { traits.values.policies }
  /// The nodes of a cluster on which the job runs.
  package var placement: JobPlacement { traits.values.placement }
  /// Digest of the job as it is written: 16 hexadecimal digits. The nodes of a cluster compare their definitions of the job
  /// by it. `nil` for a job that each node runs by itself.
  package var clusterDigest: String? {
    text.clusterDigest.map { digest in
      let digits = String(digest, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
  /// The settings of ``setup`` and ``isolation`` that differ from their defaults.
  var surroundings: [(key: String, value: String)] { traits.surroundings }

  /// An identifier that is equal for jobs whose runs use hosts of the same kind and the same policies. Valid as long as one
  /// of these jobs exists.
  package var kin: ObjectIdentifier { ObjectIdentifier(traits) }
  /// An identifier that is equal for jobs with the same parameters. Valid as long as one of these jobs exists.
  package var wants: ObjectIdentifier { ObjectIdentifier(text) }
}

/// The way in which the daemon waits for a job's entries.
package enum Precision: String, Sendable, Hashable, CaseIterable {
  /// The daemon sleeps until the entries are due.
  case timer
  /// The daemon keeps a processor busy for the last fifth of a millisecond before an entry, so that a late wake-up does not
  /// delay it.
  case spin
}

/// Reference to a job's plugin: a name, which is searched in the plugin directories, or a path.
package enum PluginReference: Sendable, Hashable, CustomStringConvertible {
  /// A name such as `exec`, for the file `exec.so` in the first plugin directory that has one.
  case name(String)
  /// The absolute path of a shared library.
  case path(String)

  /// The text as written in the file.
  package var text: String {
    switch self {
    case .name(let text), .path(let text): text
    }
  }

  /// The text as written in the file.
  package var description: String { text }
}

extension Job {
  /// The names of the zones of the job's dates and of its rule.
  package var zoneNames: [String] {
    guard case .calendar(let rule) = schedule, rule.zone.name != zone.name else { return [zone.name] }
    return [zone.name, rule.zone.name]
  }
}
