/// An entry that waits for room or for the end of a pause, as recorded for a later daemon.
package struct WaitingEntry: Sendable, Hashable {
  /// The job and the nominal instant.
  package var entry: EntryKey
  /// Cause of its run.
  package var cause: RunCause
  /// Whether the operator who resumed the job requested it, so that the missed policy does not apply.
  package var isAskedFor: Bool
  /// The end of another job's entry that the run reacts to.
  package var upstream: EntryRecord? { upstreams.first }

  // At most one element. Stored out of line, because every effect is as large as the largest case.
  private let upstreams: [EntryRecord]

  /// Makes a waiting entry.
  package init(entry: EntryKey, cause: RunCause, isAskedFor: Bool = false, upstream: EntryRecord? = nil) {
    self.entry = entry
    self.cause = cause
    self.isAskedFor = isAskedFor
    upstreams = upstream.map { [$0] } ?? []
  }
}
