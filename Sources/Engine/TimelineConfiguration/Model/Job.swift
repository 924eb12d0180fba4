package import TimelineCore
package import TimelineEngine

/// One `[job.NAME]`: its schedule, its policies, its plugin and the plugin's parameters.
///
/// A job takes a few words of memory, because equal parts of jobs are stored once.
package struct Job: Sendable {
  package var definition: JobDefinition
  let call: JobInvocation

  /// Makes a job. `definition` must have the same policies and timing as the settings of `call`.
  init(_ definition: JobDefinition, _ call: JobInvocation) {
    self.definition = definition
    self.call = call
  }

  var traits: SharedSettings { call.traits }
  var text: JobParameters { call.text }

  /// Unique over all files.
  package var name: JobName { definition.name }
  package var schedule: ScheduleRule { definition.schedule }
  /// A digest of everything that a run depends on, except the schedule and the policies.
  package var revision: UInt64 { definition.revision }
  /// One line for people.
  package var summary: String? { text.summary }
  /// A disabled job is checked like any other job.
  package var isEnabled: Bool { traits.values.isEnabled }
  package var plugin: PluginReference { traits.values.plugin }
  /// The parameters for opening the plugin: a JSON object without white space, with keys sorted by their bytes and
  /// dates as RFC 3339 text.
  package var parameters: String { text.parameters }
  /// The user who runs the plugin; `nil` for the daemon's own user.
  package var user: String? { traits.values.user }
  /// Applied by the plugin host before it loads the plugin.
  package var setup: HostSetup { traits.values.setup }
  package var isolation: Isolation { traits.values.isolation }
  package var precision: Precision { traits.values.precision }
  /// The tolerated deviation of starts from the schedule, such as jitter.
  package var timing: ScheduleTiming { traits.values.timing }
  package var zone: Zone { traits.values.zone }
  package var policies: JobPolicies { traits.values.policies }
  /// The cluster nodes that run the job.
  package var placement: JobPlacement { traits.values.placement }
  /// Digest of the job as written: 16 hexadecimal digits. Cluster nodes compare their definitions of the job by this
  /// digest. `nil` for a job that each node runs by itself.
  package var clusterDigest: String? {
    text.clusterDigest.map { digest in
      let digits = String(digest, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
  /// The settings of ``setup`` and ``isolation`` that differ from their defaults.
  var surroundings: [(key: String, value: String)] { traits.surroundings }

  /// Equal for jobs whose runs use the same kind of host and the same policies. Valid as long as one of these jobs
  /// exists.
  package var kin: ObjectIdentifier { ObjectIdentifier(traits) }
  /// Equal for jobs with the same parameters. Valid as long as one of these jobs exists.
  package var wants: ObjectIdentifier { ObjectIdentifier(text) }
}

/// The method by which the daemon waits for a job's entries.
package enum Precision: String, Sendable, Hashable, CaseIterable {
  /// The daemon sleeps until the entries are due.
  case timer
  /// The daemon busy-waits on a processor for the last fifth of a millisecond before an entry, so that a late wake-up
  /// does not delay the entry.
  case spin
}

/// Reference to a job's plugin: a name to search for in the plugin directories, or a path.
package enum PluginReference: Sendable, Hashable, CustomStringConvertible {
  /// A name such as `exec`. The first file `exec.so` in the plugin directories is used.
  case name(String)
  /// The absolute path of a shared library.
  case path(String)

  package var text: String {
    switch self {
    case .name(let text), .path(let text): text
    }
  }

  package var description: String { text }
}

extension Job {
  /// Names of the zones of the job's dates and of its schedule rule.
  package var zoneNames: [String] {
    guard case .calendar(let rule) = schedule, rule.zone.name != zone.name else { return [zone.name] }
    return [zone.name, rule.zone.name]
  }
}
