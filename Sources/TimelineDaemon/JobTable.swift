import TimelineConfiguration
import TimelineCore
import TimelineEngine
import TimelineLoading
import TimelinePlugins

/// What the daemon knows of each job beside its timeline: how it is called, and what became of its entries.
struct JobTable {
  /// One job's row.
  struct Row {
    var job: Job
    /// The host that runs it; `nil` when its plugin was not found.
    var kind: HostKind?
    /// Why its plugin cannot be called, as last seen.
    var fault: String?
    var tally = DispositionCounts()
    /// How its last entry ended.
    var last: EntryRecord?
    /// Set for a job that fires too often for a line an entry.
    var summary: HighRateSummary?
  }

  private var rows: [JobName: Row] = [:]
  /// The enabled jobs in the order of the configuration.
  private(set) var order: [JobName] = []
  /// How entries ended since the daemon's start, over all jobs.
  private(set) var tally = DispositionCounts()
  /// The last entry that ended badly.
  private(set) var lastFailure: EntryRecord?

  /// The row of a job; `nil` when there is no such job any more.
  subscript(_ name: JobName) -> Row? { rows[name] }

  /// All rows in the order of the configuration.
  var all: [Row] { order.compactMap { rows[$0] } }

  /// How wide a column of job names has to be.
  var nameWidth: Int { order.map(\.text.count).max() ?? 0 }

  /// Takes in a configuration; what is known of jobs that stay is kept.
  mutating func adopt(_ loaded: LoadedConfiguration) {
    let faults = Dictionary(
      loaded.pluginFaults.map { ($0.job, $0.diagnostic.message) }, uniquingKeysWith: { first, _ in first })
    var next: [JobName: Row] = [:]
    order = []
    for job in loaded.configuration.jobs where job.isEnabled {
      var row = rows[job.name] ?? Row(job: job)
      row.job = job
      row.kind = loaded.kinds[job.name]
      row.fault = faults[job.name]
      row.summary = job.schedule.firesMoreThanOncePerSecond ? (row.summary ?? HighRateSummary()) : nil
      next[job.name] = row
      order.append(job.name)
    }
    rows = next
  }

  /// Counts a settled entry; gives the sentence to announce, if it is time for one.
  mutating func settle(
    _ record: EntryRecord, toldOf story: EntryKey? = nil, in zone: Zone
  ) -> Announcement? {
    tally.add(record.entryCount, of: record.disposition)
    if [.failed, .timedOut, .lost, .unknown].contains(record.disposition) { lastFailure = record }
    let announcement = RunLine.announcement(of: record, toldOf: story, in: zone)
    guard rows[record.entry.job] != nil else { return announcement }
    rows[record.entry.job]?.tally.add(record.entryCount, of: record.disposition)
    rows[record.entry.job]?.last = record
    guard rows[record.entry.job]?.summary != nil, record.cause != .trigger else { return announcement }
    guard let told = rows[record.entry.job]?.summary?.add(record) else { return nil }
    return Announcement(level: told.level, kind: .entrySettled, text: told.text, job: record.entry.job)
  }
}
