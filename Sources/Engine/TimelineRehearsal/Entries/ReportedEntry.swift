package import TimelineCore

/// An entry that the daemon reports.
package struct ReportedEntry: Sendable, Equatable {
  package var job: JobName
  package var entry: ViewEntry

  package init(job: JobName, entry: ViewEntry) {
    self.job = job
    self.entry = entry
  }
}
