import TimelineCore

/// What many jobs of a configuration have in common, kept once for all of them.
final class JobTraits: Sendable {
  /// All of it, to be compared.
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
  }

  let values: Values
  /// What of it a run can see beside plugin and user, for ``Job/revision``.
  let surroundings: [(key: String, value: String)]

  init(_ values: Values) {
    self.values = values
    surroundings = Self.surroundings(of: values)
  }
}

/// What a job is given, which may be long and is often the same.
final class JobText: Sendable {
  /// The canonical JSON of `with`.
  let parameters: String
  /// One line for people.
  let summary: String?

  init(parameters: String, summary: String?) {
    self.parameters = parameters
    self.summary = summary
  }
}

/// Keeps equal parts of jobs once; it lives as long as one reading.
final class JobPool {
  private struct Words: Hashable {
    var parameters: String
    var summary: String?
  }

  private var traits: [JobTraits.Values: JobTraits] = [:]
  private var texts: [Words: JobText] = [:]
  /// Who writes many jobs writes them one like the other.
  private var last: JobTraits?

  /// The one object for traits that are equal.
  func shared(_ values: JobTraits.Values) -> JobTraits {
    if let last, last.values == values { return last }
    let found = traits[values] ?? JobTraits(values)
    traits[values] = found
    last = found
    return found
  }

  /// The one object for texts that are equal.
  func shared(parameters: String, summary: String?) -> JobText {
    let words = Words(parameters: parameters, summary: summary)
    if let found = texts[words] { return found }
    let text = JobText(parameters: parameters, summary: summary)
    texts[words] = text
    return text
  }
}
