package import TimelineControl
import TimelineCore
package import TimelineEngine
package import TimelineRehearsal
import TimelineSystem

// Entries of the control interface as entries of the view.
extension ReportedEntry {
  /// Makes an entry from the history; `nil` if the name of its job is invalid.
  package init?(_ entry: HistoryEntry) {
    guard let job = JobName(entry.job) else { return nil }
    var shown = ViewEntry(recorded: entry)
    shown.run = entry.run
    shown.usage = RunUsage(
      processorTime: entry.processorTimeNanoseconds.map(ElapsedTime.init(nanoseconds:)),
      memoryPeak: entry.memoryPeak)
    self.init(job: job, entry: shown)
  }

  /// Makes an entry from a cluster's history; `nil` if the name of its job is invalid.
  package init?(_ entry: ClusterEntryReport) {
    guard let job = JobName(entry.job) else { return nil }
    var shown = ViewEntry(recorded: entry)
    shown.node = entry.node
    self.init(job: job, entry: shown)
  }

  /// Makes the start or the end of an entry from an event of the daemon; `nil` for other events.
  package init?(_ reply: WatchReply) {
    let cause = reply.cause.flatMap(RunCause.init(rawValue:)) ?? .schedule
    if let end = reply.end {
      self.init(end, cause: cause)
    } else if reply.kind == WatchReply.Kind.started.rawValue, reply.attempt ?? 1 == 1,
      let job = reply.job.flatMap(JobName.init), let entry = reply.entry
    {
      var shown = ViewEntry(entry.instant)
      shown.start = reply.at.instant
      shown.cause = cause
      shown.run = reply.run
      shown.attempts = 1
      self.init(job: job, entry: shown)
    } else {
      return nil
    }
  }

  /// Makes the end of an entry; `nil` if the name of its job is invalid.
  package init?(_ end: EntryEnd, cause: RunCause = .schedule) {
    guard let job = JobName(end.job) else { return nil }
    var shown = ViewEntry(end.entry.instant, outcome: Outcome(rawValue: end.outcome))
    shown.count = end.entryCount
    shown.start = end.startedAt?.instant
    shown.end = end.startedAt == nil ? nil : end.endedAt.instant
    shown.cause = cause
    shown.reason = end.reason.printable
    shown.run = end.run
    shown.attempts = end.attempts
    self.init(job: job, entry: shown)
  }

  /// Returns the active runs of a job, and its first waiting entries.
  package static func open(_ report: JobReport) -> [ReportedEntry] {
    guard let job = JobName(report.name) else { return [] }
    let waiting = report.waiting.map { wait in
      var shown = ViewEntry(wait.entry.instant)
      shown.run = wait.run
      return ReportedEntry(job: job, entry: shown)
    }
    return waiting
      + report.running.map { run in
        var shown = ViewEntry(run.entry.instant)
        shown.start = run.startedAt.instant
        shown.run = run.run
        shown.attempts = run.attempt
        return ReportedEntry(job: job, entry: shown)
      }
  }
}

/// An entry in the history of a daemon or of a cluster.
private protocol EntryFacts {
  var entry: Timestamp { get }
  var firstEntry: Timestamp? { get }
  var entryCount: Int { get }
  var cause: String { get }
  var outcome: String? { get }
  var reason: String { get }
  var startedAt: Timestamp? { get }
  var endedAt: Timestamp? { get }
  var attempts: Int { get }
}

extension HistoryEntry: EntryFacts {}
extension ClusterEntryReport: EntryFacts {}

extension ViewEntry {
  /// Makes the entry of a record.
  fileprivate init(recorded entry: some EntryFacts) {
    self.init(entry.entry.instant, outcome: entry.outcome.flatMap(Outcome.init(rawValue:)))
    firstEntry = entry.firstEntry?.instant ?? entry.entry.instant
    count = entry.entryCount
    start = entry.startedAt?.instant
    end = entry.startedAt == nil ? nil : entry.endedAt?.instant
    cause = RunCause(rawValue: entry.cause) ?? .schedule
    reason = entry.reason.printable
    attempts = entry.attempts
  }
}
