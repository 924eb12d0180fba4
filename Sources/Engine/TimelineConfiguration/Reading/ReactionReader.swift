import TimelineCore

/// Reads `on-failure`, `on-missed` and `on-late`. A job's name is a reaction to each entry; a table is a reaction to
/// each incident.
struct ReactionReader {
  let reading: FileReading

  /// A reaction that was read.
  struct Reaction {
    /// The name of the job, with its place.
    var mention: JobReferences.Mention
    /// `nil` for a reaction to each entry.
    var incidents: IncidentPolicy?
  }

  private static let example = ["it looks like { job = \"tell\", after = 3, remind = \"1d\" }"]

  /// Returns the reaction under `key`; `nil` after an error has been reported.
  func read(_ item: Item, _ key: String) -> Reaction? {
    guard case .table(let entries) = item.value.content else {
      return name(item, key).map { Reaction(mention: $0) }
    }
    let fields = Fields(entries, of: .reaction, path: item.path + ".", in: reading)
    if fields["job"] == nil {
      reading.log.error(
        "`\(item.path)` has no `job`", at: item.keyPlace, label: "expected the name of the job that reacts",
        help: Self.example)
    }
    let incidents = policy(fields)
    guard let mention = fields["job"].flatMap({ name($0, key) }) else { return nil }
    return Reaction(mention: mention, incidents: incidents)
  }

  private func name(_ item: Item, _ key: String) -> JobReferences.Mention? {
    let name = reading.string(item, expected: "the name of a job")
    return name.map { JobReferences.Mention(key: key, name: $0, place: item.place) }
  }

  private func policy(_ fields: Fields) -> IncidentPolicy {
    var policy = IncidentPolicy()
    if let item = fields["after"] {
      policy.after =
        reading.integer(item, in: 1...ConfigurationLimits.incidentFailureCountMax) ?? policy.after
    }
    policy.within = fields["within"].flatMap {
      reading.elapsed(
        $0, atLeast: ConfigurationLimits.incidentWindowMin, because: ": hardly two failures come in less")
    }
    policy.remind = fields["remind"].flatMap {
      reading.elapsed(
        $0, atLeast: ConfigurationLimits.reminderIntervalMin, because: ": each reminder is a run of the job")
    }
    if let within = fields["within"], fields["after"] == nil || policy.after == 1 && isWhole(fields["after"])
    {
      reading.log.error(
        "`\(within.path)` contradicts `after` of 1: one failure lies within any time", at: within.keyPlace,
        label: "expected `after` of at least 2",
        help: ["write `after = 3`, or leave `within` out"])
    }
    return policy
  }

  /// Whether the value is the integer 1. False for a wrong value, which has been reported.
  private func isWhole(_ item: Item?) -> Bool {
    if case .integer(1)? = item?.value.content { return true }
    return false
  }
}
