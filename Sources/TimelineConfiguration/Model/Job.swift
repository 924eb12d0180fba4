package import TimelineCore
package import TimelineEngine

/// One `[job.NAME]`: when, by which rules, and what is called with what.
///
/// A few words a job: what it has in common with others is kept once for all of them.
package struct Job: Sendable {
  /// The definition of the job for the engine.
  package var definition: JobDefinition
  let call: JobInvocation

  /// Makes a job; `definition` has the policies and the timing of the call's traits.
  init(_ definition: JobDefinition, _ call: JobInvocation) {
    self.definition = definition
    self.call = call
  }

  var traits: SharedSettings { call.traits }
  var text: JobParameters { call.text }

  /// The name, unique over all files.
  package var name: JobName { definition.name }
  /// The schedule of the job.
  package var schedule: ScheduleRule { definition.schedule }
  /// A digest of what a run can see beside the schedule and the policies.
  package var revision: UInt64 { definition.revision }
  /// One line for people.
  package var summary: String? { text.summary }
  /// Whether the job is kept; a disabled job is checked like any other.
  package var isEnabled: Bool { traits.values.isEnabled }
  /// The plugin that runs call.
  package var plugin: PluginReference { traits.values.plugin }
  /// The parameters with which the plugin is opened: a JSON object, keys sorted by their bytes, no white space. Dates
  /// are RFC 3339 text.
  package var parameters: String { text.parameters }
  /// The user that the plugin runs as; `nil` for the daemon's own.
  package var user: String? { traits.values.user }
  /// The setup of its plugin host, made before the plugin is loaded.
  package var setup: HostSetup { traits.values.setup }
  /// The process in which the plugin's code runs.
  package var isolation: Isolation { traits.values.isolation }
  /// The way in which the daemon waits for the job's entries.
  package var precision: Precision { traits.values.precision }
  /// The precision with which its entries start.
  package var timing: ScheduleTiming { traits.values.timing }
  /// The zone in which the job's dates and minutes are meant.
  package var zone: Zone { traits.values.zone }
  /// The policies of the job.
  package var policies: JobPolicies { traits.values.policies }
  /// The nodes of a cluster on which it runs.
  package var placement: JobPlacement { traits.values.placement }
  /// Digest of the job as it is written, by which the nodes of a cluster tell whether they define it alike: 16 hexadecimal digits; `nil`
  /// for a job that each node runs by itself.
  package var clusterDigest: String? {
    text.clusterDigest.map { digest in
      let digits = String(digest, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }
  /// The settings of ``setup`` and ``isolation`` that are set.
  var surroundings: [(key: String, value: String)] { traits.surroundings }

  /// Jobs with the same kin run in hosts of the same kind and by the same policies; good as long as one of them is kept.
  package var kin: ObjectIdentifier { ObjectIdentifier(traits) }
  /// Jobs with the same wants have the same parameters; good as long as one of them is kept.
  package var wants: ObjectIdentifier { ObjectIdentifier(text) }
}

/// The way in which the daemon waits for a job's entries.
package enum Precision: String, Sendable, Hashable, CaseIterable {
  /// It sleeps until they are due.
  case timer
  /// It keeps a processor busy for the last fifth of a millisecond, so that no wake-up makes them late.
  case spin
}

/// Reference to a job's plugin: a name, which is searched in the plugin directories, or a path.
package enum PluginReference: Sendable, Hashable, CustomStringConvertible {
  /// A name such as `exec`, which stands for `exec.so` in the first plugin directory that has one.
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
  /// The names of the zones that its dates and its rule are meant in.
  package var zoneNames: [String] {
    guard case .calendar(let rule) = schedule, rule.zone.name != zone.name else { return [zone.name] }
    return [zone.name, rule.zone.name]
  }
}
