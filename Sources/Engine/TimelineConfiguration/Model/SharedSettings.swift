import TimelineCore
import TimelineEngine

/// Settings that many jobs have in common, stored once.
final class SharedSettings: Sendable {
  /// All settings, for comparison.
  struct Values: Sendable, Hashable {
    var isEnabled: Bool
    var plugin: PluginReference
    var user: String?
    var setup: HostSetup
    var isolation: Isolation
    var precision: Precision
    var timing: ScheduleTiming
    var zone: Zone
    var policies: JobPolicies
    var placement = JobPlacement()
  }

  let values: Values
  /// The settings that a run depends on, except plugin and user; for ``Job/revision``.
  let surroundings: [(key: String, value: String)]

  init(_ values: Values) {
    self.values = values
    surroundings = Self.surroundings(of: values)
  }
}

/// The parameters and the summary of a job. They may be long, and are often the same for many jobs.
final class JobParameters: Sendable {
  /// Canonical JSON of `with`.
  let parameters: String
  /// One line for people.
  let summary: String?
  /// Digest of the whole job for other cluster nodes; `nil` for a job that each node runs by itself.
  let clusterDigest: UInt64?

  init(parameters: String, summary: String?, clusterDigest: UInt64?) {
    self.parameters = parameters
    self.summary = summary
    self.clusterDigest = clusterDigest
  }
}

/// The settings, parameters, summary and digest of a job, in one object for all jobs that have them in common.
final class JobInvocation: Sendable {
  let traits: SharedSettings
  let text: JobParameters
  let revision: UInt64

  init(_ traits: SharedSettings, _ text: JobParameters) {
    self.traits = traits
    self.text = text
    revision = traits.revision(with: text)
  }
}

/// Stores equal parts of jobs once. Used for one reading of the files.
final class JobPool {
  private struct Words: Hashable {
    var parameters: String
    var summary: String?
    var clusterDigest: UInt64?
  }

  private struct CallParts: Hashable {
    var traits: ObjectIdentifier
    var text: ObjectIdentifier
  }

  private var traits: [SharedSettings.Values: SharedSettings] = [:]
  /// The settings of the latest job. Most jobs have those of the one before, and hashing all settings takes long.
  private var latest: SharedSettings?
  private var texts: [Words: JobParameters] = [:]
  private var calls: [CallParts: JobInvocation] = [:]
  private var definitions: [ObjectIdentifier: JobDefinition] = [:]

  /// Returns the one object for these settings.
  func shared(_ values: SharedSettings.Values) -> SharedSettings {
    if let latest, latest.values == values { return latest }
    let found = traits[values] ?? SharedSettings(values)
    traits[values] = found
    latest = found
    return found
  }

  /// Returns the one object for these parameters, summary and digest.
  func shared(parameters: String, summary: String?, clusterDigest: UInt64?) -> JobParameters {
    let words = Words(parameters: parameters, summary: summary, clusterDigest: clusterDigest)
    if let found = texts[words] { return found }
    let text = JobParameters(parameters: parameters, summary: summary, clusterDigest: clusterDigest)
    texts[words] = text
    return text
  }

  /// Returns the one object for these settings, parameters, summary and digest.
  private func shared(_ traits: SharedSettings, _ text: JobParameters) -> JobInvocation {
    let parts = CallParts(traits: ObjectIdentifier(traits), text: ObjectIdentifier(text))
    if let found = calls[parts] { return found }
    let call = JobInvocation(traits, text)
    calls[parts] = call
    return call
  }

  /// Makes a job. Parts that are equal to parts of earlier jobs are shared.
  func job(_ name: JobName, _ schedule: ScheduleRule, _ traits: SharedSettings, _ text: JobParameters) -> Job
  {
    let call = shared(traits, text)
    guard let like = definitions[ObjectIdentifier(traits)] else {
      let definition = JobDefinition(
        name: name, schedule: schedule, policies: traits.values.policies, timing: traits.values.timing,
        revision: call.revision)
      definitions[ObjectIdentifier(traits)] = definition
      return Job(definition, call)
    }
    return Job(
      JobDefinition(name: name, schedule: schedule, revision: call.revision, like: like), call)
  }
}
