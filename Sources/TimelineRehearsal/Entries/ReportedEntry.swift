package import TimelineCore

/// An entry that the daemon reports.
package struct ReportedEntry: Sendable, Hashable {
  /// The name of its job.
  package var job: JobName
  /// The entry.
  package var entry: ViewEntry

  /// Makes a report.
  package init(job: JobName, entry: ViewEntry) {
    self.job = job
    self.entry = entry
  }
}
