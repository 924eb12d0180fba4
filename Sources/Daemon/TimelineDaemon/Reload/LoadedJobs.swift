import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineLoading
import TimelineHostPool

/// The configuration in force, and data of each job other than its timeline: the details of its calls, and the outcomes of its
/// entries.
///
/// The jobs are those of the configuration. A job without an entry so far costs only a few bytes of index.
final class LoadedJobs {
  /// One job's row.
  struct Row {
    var job: Job
    var tally: OutcomeCounts
    /// Record of the last entry that ended.
    var last: EntryRecord?
    var runs: RunTally
    /// Entries that backfills have run, which count in nothing else.
    var backfilled: OutcomeCounts
    /// Summary for a job that has too many entries for one line per entry; `nil` for any other job.
    var summary: HighRateSummary?
  }

  /// Data that a start needs besides the job's name. All jobs with the same call share one object, which is cheap to pass on.
  final class Launch {
    /// The kind of host that runs the job; `nil` if the job's plugin was not found.
    let kind: HostSpec?
    /// The job's parameters as one JSON object.
    let parameters: String
    let revision: UInt64
    /// Whether the daemon spins just before the start.
    let isSpun: Bool

    init(_ job: Job, kind: HostSpec?) {
      self.kind = kind
      parameters = job.parameters
      revision = job.revision
      isSpun = job.precision == .spin
    }
  }

  /// Key that jobs with the same call share.
  private struct Call: Hashable {
    var kin: ObjectIdentifier
    var wants: ObjectIdentifier
  }

  /// Outcomes of a job's entries.
  private struct Story {
    var tally = OutcomeCounts()
    var last: EntryRecord?
    var runs: RunTally
    var backfilled = OutcomeCounts()
    var summary = HighRateSummary()

    init(after former: FormerRun?) { runs = RunTally(after: former) }

    /// Counts an entry. Returns a sentence if a summary is due and the entry has no line of its own.
    mutating func add(_ record: EntryRecord, isSummarized: Bool) -> (level: Announcement.Level, text: String)?
    {
      tally.add(record.entryCount, of: record.outcome)
      last = record
      runs.add(record)
      return isSummarized ? summary.add(record) : nil
    }
  }

  /// The configuration in force.
  private(set) var loaded: LoadedConfiguration
  private(set) var settings: DaemonSettings
  /// The settings at the start. Some of them stay in effect after a reload.
  let settingsAtStart: DaemonSettings
  /// The number of configurations that have been in force.
  private(set) var adoptionCount = 0
  /// The last run of each job under an earlier daemon.
  private let lastRuns: [JobName: FormerRun]
  private var launches: [Call: Launch] = [:]
  /// Launch data of the jobs that have been started, by their places in ``jobs``.
  private var launchAt: [Launch?] = []
  /// The enabled jobs in the order of the configuration.
  private var jobs: [Job] = []
  private var places: [JobName: Int] = [:]
  /// Outcomes of jobs, by their places in ``jobs``.
  private var stories: [Int: Story] = [:]
  private var faults: [JobName: String] = [:]
  private var cautions: [JobName: String] = [:]
  private var suspended: Set<JobName> = []
  /// Number of entries since the daemon's start by outcome, over all jobs.
  private(set) var tally = OutcomeCounts()
  private(set) var lastFailure: EntryRecord?

  /// Adopts the first configuration; `lastRuns` are the last runs of jobs under an earlier daemon.
  init(_ loaded: LoadedConfiguration, lastRuns: [JobName: FormerRun]) {
    self.lastRuns = lastRuns
    self.loaded = loaded
    settings = loaded.configuration.daemon
    settingsAtStart = settings
    adopt(loaded)
  }

  /// The row of a job; `nil` if the job is no longer configured.
  subscript(_ name: JobName) -> Row? { place(of: name).map(row) }

  /// Returns the data that a start for an entry needs; `nil` if the job is no longer configured.
  func launch(of entry: EntryKey) -> Launch? {
    guard let place = place(of: entry) else { return nil }
    if place < launchAt.count, let launch = launchAt[place] { return launch }
    let call = Call(kin: jobs[place].kin, wants: jobs[place].wants)
    let launch =
      isSuspended(jobs[place].name)
      ? Launch(jobs[place], kind: nil)
      : launches[call] ?? Launch(jobs[place], kind: loaded.kind(of: jobs[place]))
    if launch.kind != nil { launches[call] = launch }
    if place >= launchAt.count { launchAt += repeatElement(nil, count: place + 1 - launchAt.count) }
    launchAt[place] = launch
    return launch
  }

  /// Returns the index of the entry's job. The engine has the same jobs in the same order, so the name is seldom looked up.
  private func place(of entry: EntryKey) -> Int? {
    if let place = entry.jobSlot.index, place < jobs.count, jobs[place].name == entry.job { return place }
    return place(of: entry.job)
  }

  /// Returns the zone of a job; the daemon's zone if `name` is `nil` or not configured.
  func zone(of name: JobName?) -> Zone { name.flatMap { places[$0] }.map { jobs[$0].zone } ?? settings.zone }

  /// Whether one node of the cluster is to run the job.
  func isOfCluster(_ name: JobName) -> Bool {
    place(of: name).map { jobs[$0].placement.runOn == .one } ?? false
  }

  /// Whether the job is not run because a file or its plugin is missing. A job whose plugin could not be inspected, perhaps
  /// because memory ran out, is run; its runs fail if the fault lasts.
  func isSuspended(_ name: JobName) -> Bool { !suspended.isEmpty && suspended.contains(name) }

  /// Returns the reason why the job cannot be run, as last seen; `nil` if the job can be run.
  func fault(of name: JobName) -> String? { faults[name] }

  /// Returns the reason why the job cannot be run, now or after a restart; `nil` if it can.
  func complaint(about name: JobName) -> String? { faults[name] ?? cautions[name] }

  /// The jobs for which ``complaint(about:)`` is not `nil`, in the order of their names.
  var complaints: [JobName] { Set(faults.keys).union(cautions.keys).sorted() }

  /// Whether the job has too many entries for one line per entry.
  func isSummarized(_ name: JobName) -> Bool {
    place(of: name).map { jobs[$0].schedule.hasMoreThanOneEntryPerSecond } ?? false
  }

  /// Whether the job's entries are counted and have no records, in the form of a reply: `true`, or `nil` for no.
  func isCounted(_ name: JobName) -> Bool? { isSummarized(name) ? true : nil }

  /// All jobs in the order of the configuration.
  var all: [Job] { jobs }

  /// Returns the jobs for whose policies `areMeant` returns `true`, in the order of the configuration. `areMeant` is called
  /// once for all jobs with the same policies.
  func names(where areMeant: (JobPolicies) -> Bool) -> [JobName] {
    var verdicts: [ObjectIdentifier: Bool] = [:]
    return jobs.indices.filter { place in
      let kin = jobs[place].kin
      if let verdict = verdicts[kin] { return verdict }
      let verdict = areMeant(jobs[place].policies)
      verdicts[kin] = verdict
      return verdict
    }.map { jobs[$0].name }
  }

  var count: Int { jobs.count }

  /// The names of the jobs in the order of the configuration.
  var order: [JobName] { jobs.map(\.name) }

  /// The definitions for the engine, in the order of the configuration.
  var definitions: [JobDefinition] { jobs.map(\.definition) }

  /// The jobs that hosts may keep open.
  var retained: ActiveJobs {
    let (jobs, places, loaded) = (jobs, places, loaded)
    let groups = loaded.configuration.groups
    let job: @Sendable (JobName) -> Job? = { name in
      places[name].map { jobs[$0] }
    }
    let turns: @Sendable (JobName) -> ActiveJobs.Turns? = { name in
      guard !groups.isEmpty, let own = job(name)?.definition.policies.groups else { return nil }
      return own.compactMap { group in groups[group].map { ActiveJobs.Turns(group, limit: $0) } }
        .min { ($0.limit, $0.group) < ($1.limit, $1.group) }
    }
    return ActiveJobs(loaded.hostKinds, turns: turns) { name, kind in
      job(name).map { loaded.kind(of: $0) == kind } ?? false
    }
  }

  /// Width of a column of job names, in characters; the names are ASCII.
  var nameWidth: Int { jobs.reduce(0) { max($0, $1.name.text.utf8.count) } }

  private func place(of name: JobName) -> Int? { places[name] }

  private func row(_ place: Int) -> Row {
    let (job, story) = (jobs[place], stories[place])
    return Row(
      job: job, tally: story?.tally ?? OutcomeCounts(), last: story?.last,
      runs: story?.runs ?? RunTally(after: lastRuns[job.name]),
      backfilled: story?.backfilled ?? OutcomeCounts(),
      summary: job.schedule.hasMoreThanOneEntryPerSecond ? story?.summary ?? HighRateSummary() : nil)
  }

  /// Adopts a configuration; the outcomes of jobs that stay are kept.
  func adopt(_ loaded: LoadedConfiguration) {
    let all = loaded.configuration.jobs
    let next = all.allSatisfy(\.isEnabled) ? all : all.filter(\.isEnabled)
    let former = stories.map { (name: jobs[$0.key].name, story: $0.value) }
    self.loaded = loaded
    settings = loaded.configuration.daemon
    adoptionCount += 1
    jobs = next
    places = Dictionary(uniqueKeysWithValues: next.enumerated().map { ($1.name, $0) })
    stories = [:]
    for (name, story) in former {
      if let place = place(of: name) { stories[place] = story }
    }
    faults = Self.messages(loaded.faults)
    cautions = Self.messages(loaded.configuration.cautions)
    suspended = loaded.suspended
    (launches, launchAt) = ([:], [])
  }

  private static func messages(_ faults: [JobFault]) -> [JobName: String] {
    Dictionary(
      faults.map { ($0.job, $0.diagnostic.redacted.message) }, uniquingKeysWith: { first, _ in first })
  }

  /// Counts an attempt that ended.
  func noteAttempt(of entry: EntryKey, _ result: AttemptResult.Status) {
    guard let place = place(of: entry) else { return }
    stories[place, default: Story(after: lastRuns[entry.job])].runs.add(result)
  }

  /// Counts a settled entry. Returns the announcement, if one is due.
  func settle(_ record: EntryRecord, in zone: Zone) -> Announcement? {
    guard record.cause.isReported else {
      if let place = place(of: record.entry) {
        stories[place, default: Story(after: lastRuns[record.entry.job])].backfilled.add(
          1, of: record.outcome)
      }
      return RunLine.announcement(of: record, in: zone)
    }
    tally.add(record.entryCount, of: record.outcome)
    if record.outcome.kind == .failure { lastFailure = record }
    guard let place = place(of: record.entry) else {
      return RunLine.announcement(of: record, in: zone)
    }
    let isSummarized = jobs[place].schedule.hasMoreThanOneEntryPerSecond && record.cause != .trigger
    let told = stories[place, default: Story(after: lastRuns[record.entry.job])].add(
      record, isSummarized: isSummarized)
    guard isSummarized else { return RunLine.announcement(of: record, in: zone) }
    guard let told else { return nil }
    return Announcement(level: told.level, kind: .entrySettled, text: told.text, job: record.entry.job)
  }
}
