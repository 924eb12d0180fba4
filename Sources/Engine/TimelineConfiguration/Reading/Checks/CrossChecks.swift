import TimelineCore

/// Checks of references between jobs, and from jobs to groups and to the daemon's settings.
struct CrossChecks {
  let log: DiagnosticLog
  let settings: DaemonSettings
  /// Whether a cluster is configured, or may be configured because `[cluster]` has errors.
  let mayHaveCluster: Bool
  let groups: GroupTable
  /// Jobs without errors, by name; empty if no job refers to another job or a group.
  private let jobs: [String: Job]
  /// Places of all jobs' names, including jobs with errors.
  let places: EntryTable
  /// Names of the jobs with their references, in the order of the files.
  let mentions: [(job: String, mentions: JobReferences)]
  /// The jobs that expectations name.
  let named: [JobReferences.Mention]
  private var hintCount = 0

  init(
    log: DiagnosticLog, settings: DaemonSettings, mayHaveCluster: Bool, groups: GroupTable, jobs: [Job],
    places: EntryTable, mentions: [(job: String, mentions: JobReferences)],
    named: [JobReferences.Mention]
  ) {
    self.named = named
    self.log = log
    self.settings = settings
    self.mayHaveCluster = mayHaveCluster
    self.groups = groups
    self.jobs =
      mentions.isEmpty
      ? [:] : Dictionary(jobs.map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    self.places = places
    self.mentions = mentions
  }

  mutating func run() {
    for (job, mentions) in mentions {
      for mention in mentions.groups where groups.places[mention.name] == nil { reportUnknownGroup(mention) }
      for mention in mentions.jobs { checkReaction(of: job, mention) }
      checkSettings(job, mentions)
    }
    for mention in named where places[mention.name] == nil {
      reportUnknownJob(mention, from: nil, help: "the expectation is about a job of this configuration")
    }
    checkUnusedGroups()
    checkCycles()
  }

  private mutating func reportUnknownGroup(_ mention: JobReferences.Mention) {
    var help = ["declare it with the header [group.\(mention.name)] and a `limit`"]
    let names = groups.places.keys
    if let near = hint(for: mention.name, among: names.sorted()) {
      help.insert("did you mean \"\(near)\"?", at: 0)
    }
    log.error(
      "there is no group `\(mention.name)`", at: mention.place, label: "expected the name of a group",
      help: help)
  }

  private mutating func checkReaction(of job: String, _ mention: JobReferences.Mention) {
    if mention.name == job {
      return log.error(
        "`\(mention.key)` names its own job", at: mention.place, label: "expected another job",
        help: ["on-late", "on-start"].contains(mention.key)
          ? [] : ["to try again write `retry = { attempts = 3 }`"])
    }
    guard places[mention.name] != nil else {
      return reportUnknownJob(
        mention, from: job, help: "a job that only reacts to others has `schedule = \"on-demand\"`")
    }
    if let target = jobs[mention.name], target.placement.runOn == .one {
      log.error(
        "the job `\(mention.name)` runs on one node of the cluster, which may be another than that of this job",
        at: mention.place, label: "expected a job with `run-on = \"every\"`",
        notes: places[mention.name].map { [Diagnostic.Note(message: "it is here", place: $0.place)] } ?? [])
    }
    if let target = jobs[mention.name], !target.isEnabled, jobs[job]?.isEnabled == true {
      log.warning(
        "the job `\(mention.name)` is disabled: it will not be triggered", at: mention.place,
        help: ["enable it, or leave `\(mention.key)` out"],
        notes: places[mention.name].map { [Diagnostic.Note(message: "it is here", place: $0.place)] } ?? [])
    }
  }

  private mutating func reportUnknownJob(_ mention: JobReferences.Mention, from job: String?, help: String) {
    let places = places
    let near = hint(for: mention.name, among: places.names.filter { $0 != job }.sorted())
    log.error(
      "there is no job `\(mention.name)`", at: mention.place,
      label: job == nil ? "expected the name of a job" : "expected the name of another job",
      help: [near.map { "did you mean \"\($0)\"?" } ?? help])
  }

  /// Returns the nearest of `names`; `nil` after ``ConfigurationLimits/nameHintCountMax`` wrong names, because each
  /// search takes time.
  private mutating func hint(for name: String, among names: @autoclosure () -> [String]) -> String? {
    hintCount += 1
    return hintCount <= ConfigurationLimits.nameHintCountMax
      ? Spelling.nearest(to: name, among: names()) : nil
  }

  private func checkSettings(_ name: String, _ mentions: JobReferences) {
    guard let job = jobs[name] else { return }
    if let place = mentions.places["run-on"], job.placement.runOn == .one, !mayHaveCluster {
      log.error(
        "`run-on` \"one\" needs a cluster, and this daemon is by itself", at: place,
        label: "expected `every`",
        help: ["describe the cluster under the header [cluster] in the main file, or leave `run-on` out"])
    }
    if let place = mentions.places["concurrency"], job.policies.concurrency > settings.hostCountMax {
      log.warning(
        "`concurrency` is more than `daemon.plugin-hosts-max` of \(settings.hostCountMax), which is reached first",
        at: place, help: ["make it at most \(settings.hostCountMax), or raise `plugin-hosts-max`"])
    }
    if let place = mentions.places["grace"], job.policies.grace > settings.drainTimeout {
      log.warning(
        "`grace` is longer than `daemon.drain-timeout` of \(settings.drainTimeout): a stop of the daemon takes both",
        at: place, help: ["make it at most \"\(settings.drainTimeout)\", or raise `drain-timeout`"])
    }
  }

  private func checkUnusedGroups() {
    let used = Set(mentions.flatMap { $0.mentions.groups.map(\.name) })
    for (name, place) in groups.places where !used.contains(name) {
      log.warning(
        "no job is in the group `\(name)`", at: place, help: ["write `groups = [\"\(name)\"]` in a job"])
    }
  }

  /// Reports reactions that form a cycle of jobs, once for each cycle.
  private func checkCycles() {
    for key in ["on-failure", "on-start", "on-success", "on-output"] { checkCycles(of: key) }
  }

  private func checkCycles(of key: String) {
    var next: [String: JobReferences.Mention] = [:]
    for (job, mentions) in mentions {
      next[job] = mentions.jobs.first { $0.key == key && $0.name != job }
    }
    var visited: Set<String> = []
    for (job, _) in mentions {
      var path: [String] = []
      var current = job
      while let mention = next[current], visited.insert(current).inserted {
        path.append(current)
        current = mention.name
        guard let start = path.firstIndex(of: current) else { continue }
        let ring = (path[start...] + [current]).prefix(ConfigurationLimits.namedJobCountMax + 1).joined(
          separator: " -> ")
        log.warning(
          "`\(key)` leads back to `\(current)`: \(ring)", at: mention.place,
          help: ["a run that was started by a reaction has none itself, so that the ring ends after one step"]
        )
      }
    }
  }
}
