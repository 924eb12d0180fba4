import TimelineCore

/// Jobs of the engine by position: configured jobs in their order, then jobs that were removed while they ran.
struct JobTable: Sendable {
  private var jobs: [JobState] = []
  /// Number of configured jobs, which come first.
  private(set) var configuredCount = 0
  /// Position of each configured job by its name.
  private var positions: [JobName: Int] = [:]
  /// Configured jobs whose entries may fall due after their nominal instants.
  private(set) var inexact: [Int32] = []
  /// Jobs with an entry that has waited since the table was made; each job once.
  private(set) var withPastWaits: [Int32] = []

  /// Makes an empty table with room for `count` jobs.
  init(minimumCapacity count: Int) {
    jobs.reserveCapacity(count)
    positions = Dictionary(minimumCapacity: count)
  }

  var count: Int { jobs.count }
  /// Positions of all jobs.
  var indices: Range<Int> { jobs.indices }
  /// Positions of the configured jobs.
  var configured: Range<Int> { 0..<configuredCount }

  /// The job at a position.
  subscript(index: Int) -> JobState {
    // In place: a job has more than a dozen parts, and an event touches a few of them.
    _read { yield jobs[index] }
    _modify { yield &jobs[index] }
  }

  /// Returns the position of the configured job with this name; `nil` for none.
  func index(named name: JobName) -> Int? { positions[name] }

  /// Returns the position of the entry's job if the job is configured. The position in the key may be out of date.
  func index(of entry: EntryKey) -> Int? {
    if let index = entry.jobSlot.index, index < configuredCount, jobs[index].definition.name == entry.job {
      return index
    }
    return index(named: entry.job)
  }

  /// Returns the key of the entry at `nominal` of the job at `index`.
  func key(_ index: Int, _ nominal: WallInstant) -> EntryKey {
    EntryKey(
      job: jobs[index].definition.name, nominal: nominal,
      jobSlot: JobSlot(number: Int32(truncatingIfNeeded: index)))
  }

  /// Returns the key of an entry of an earlier daemon. `index` is `nil` for a job that is not configured.
  func key(_ index: Int?, of former: EntryKey) -> EntryKey {
    index.map { key($0, former.nominal) } ?? EntryKey(job: former.job, nominal: former.nominal)
  }

  /// Appends a configured job, before any job that is not configured.
  mutating func append(_ job: JobState) {
    precondition(configuredCount == jobs.count, "configured jobs come first")
    let former = positions.updateValue(jobs.count, forKey: job.definition.name)
    precondition(former == nil, "job names are unique")
    if !job.isExact { inexact.append(Int32(jobs.count)) }
    appendUnlisted(job)
    configuredCount = jobs.count
  }

  /// Appends a job that is kept for its runs only. Returns its position.
  mutating func appendRetired(_ job: JobState) -> Int {
    appendUnlisted(job)
    jobs[jobs.count - 1].retire()
    return jobs.count - 1
  }

  /// Returns the position of the job with this name that is kept for its runs only; `nil` for none.
  func retiredIndex(named name: JobName) -> Int? {
    jobs.indices.last { jobs[$0].isRetired && jobs[$0].definition.name == name }
  }

  /// Records that an entry of the job has waited.
  mutating func noteWaited(_ index: Int) {
    guard !jobs[index].hasWaited else { return }
    jobs[index].hasWaited = true
    withPastWaits.append(Int32(index))
  }

  private mutating func appendUnlisted(_ job: JobState) {
    jobs.append(job)
    jobs[jobs.count - 1].hasWaited = false
  }
}
