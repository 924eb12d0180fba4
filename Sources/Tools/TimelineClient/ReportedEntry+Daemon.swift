package import TimelineControl
import TimelineCore
import TimelineEngine
package import TimelineRehearsal
import TimelineSystem

// Entries of the control interface as entries of the view.
extension ReportedEntry {
  /// Makes an entry from a report; `nil` if the name of its job is invalid.
  package init?(_ report: EntryReport) {
    guard let job = JobName(report.job) else { return nil }
    self.init(job: job, entry: ViewEntry(report))
  }

  /// Makes the start or the end of an entry from an event of the daemon; `nil` for other events.
  package init?(_ reply: WatchReply) {
    if let end = reply.end {
      self.init(end)
    } else if reply.kind == WatchReply.Kind.started.rawValue, reply.attempt ?? 1 == 1,
      let job = reply.job.flatMap(JobName.init), let entry = reply.entry
    {
      var shown = ViewEntry(entry.instant)
      shown.start = reply.at.instant
      shown.cause = reply.cause.flatMap(RunCause.init(rawValue:)) ?? .schedule
      shown.of = reply.of?.instant
      shown.run = reply.run
      shown.attempts = 1
      self.init(job: job, entry: shown)
    } else {
      return nil
    }
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
        shown.of = run.of?.instant
        shown.cause = run.cause.flatMap(RunCause.init(rawValue:)) ?? (run.of == nil ? .schedule : .rerun)
        return ReportedEntry(job: job, entry: shown)
      }
  }
}

extension ViewEntry {
  /// Makes the entry of a report.
  fileprivate init(_ report: EntryReport) {
    self.init(report.entry.instant, outcome: report.outcome.flatMap(Outcome.init(rawValue:)))
    firstEntry = report.firstEntry?.instant ?? report.entry.instant
    count = report.entryCount
    start = report.startedAt?.instant
    end = report.startedAt == nil ? nil : report.endedAt?.instant
    cause = RunCause(rawValue: report.cause) ?? .schedule
    of = report.of?.instant
    reason = report.reason.printable
    run = report.run
    node = report.node
    attempts = report.attempts
    usage = report.usage
  }
}
