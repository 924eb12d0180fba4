import TimelineCore

/// References of a job to other tables, which are checked after all files have been read.
struct JobReferences {
  /// A name as written in the file, with its place.
  struct Mention {
    /// The key of the name, for messages.
    var key: String
    var name: String
    var place: SourcePlace
  }

  var groups: [Mention] = []
  /// Names of other jobs, from `on-failure` and the other ``MentionReader/reactionKeys``.
  var jobs: [Mention] = []
  /// Places of values that are compared with settings of the daemon.
  var places: [String: SourcePlace] = [:]

  var isEmpty: Bool { groups.isEmpty && jobs.isEmpty && places.isEmpty }
}

/// Reads a job's keys that name other tables.
struct MentionReader {
  let reading: FileReading
  let fields: Fields

  /// The keys that name a reacting job.
  static let reactionKeys = [
    "on-failure", "on-missed", "on-late", "on-start", "on-recovery", "on-success", "on-output",
  ]

  /// Returns the references, and stores valid names in `policies`. The existence of groups and jobs is checked later.
  func read(into policies: inout JobPolicies) -> JobReferences {
    var mentions = JobReferences()
    if let item = fields["groups"] { mentions.groups = groups(item) }
    policies.groups = mentions.groups.compactMap { GroupName($0.name) }
    var lateIncidents: IncidentPolicy?
    policies.reactions = Reactions(
      onFailure: reaction("on-failure", into: &mentions, &policies.reactions.failureIncidents),
      onMissed: reaction("on-missed", into: &mentions, &policies.reactions.missedIncidents),
      onRecovery: reaction("on-recovery", into: &mentions),
      onSuccess: reaction("on-success", into: &mentions),
      onOutput: reaction("on-output", into: &mentions),
      failureIncidents: policies.reactions.failureIncidents,
      missedIncidents: policies.reactions.missedIncidents,
      onLate: reaction("on-late", into: &mentions, &lateIncidents),
      onStart: reaction("on-start", into: &mentions))
    if let lateIncidents { policies.reactions.lateIncidents = lateIncidents }
    if let item = fields["concurrency"] { mentions.places["concurrency"] = item.place }
    if let item = fields["grace"] { mentions.places["grace"] = item.place }
    if let item = fields["run-on"] { mentions.places["run-on"] = item.place }
    return mentions
  }

  private func reaction(_ key: String, into mentions: inout JobReferences) -> JobName? {
    guard let item = fields[key], let name = reading.string(item, expected: "the name of a job") else {
      return nil
    }
    mentions.jobs.append(JobReferences.Mention(key: key, name: name, place: item.place))
    return JobName(name)
  }

  private func reaction(
    _ key: String, into mentions: inout JobReferences, _ incidents: inout IncidentPolicy?
  ) -> JobName? {
    guard let item = fields[key], let reaction = ReactionReader(reading: reading).read(item, key) else {
      return nil
    }
    mentions.jobs.append(reaction.mention)
    incidents = reaction.incidents
    return JobName(reaction.mention.name)
  }

  private func groups(_ item: Item) -> [JobReferences.Mention] {
    var help: [String] = []
    if case .string(let text) = item.value.content { help = ["write it in brackets: [\"\(text)\"]"] }
    guard let items = reading.array(item, expected: "an array of groups' names", help: help) else {
      return []
    }
    if items.count > ConfigurationLimits.groupsPerJobMax {
      reading.log.error(
        "`\(item.path)` has too many names", at: item.place,
        label: "expected at most \(ConfigurationLimits.groupsPerJobMax): a run waits for room in all of them")
      return []
    }
    var mentions: [JobReferences.Mention] = []
    for item in items {
      guard let name = reading.string(item, expected: "the name of a group") else { continue }
      if let first = mentions.first(where: { $0.name == name }) {
        reading.log.error(
          "the group `\(name)` is named twice", at: item.place, label: "expected another name",
          notes: [Diagnostic.Note(message: "the first is here", place: first.place)])
      } else {
        mentions.append(JobReferences.Mention(key: "groups", name: name, place: item.place))
      }
    }
    return mentions
  }
}
