package import TimelineCore

/// An entry that waits for room or for the end of a pause, as recorded for a later daemon.
package struct WaitingEntry: Sendable, Hashable {
  package var entry: EntryKey
  package var cause: RunCause
  /// Whether the operator who resumed the job requested the entry. The missed policy then does not apply.
  package var isAskedFor: Bool
  /// Upstream entry of a reaction.
  package var upstream: EntryRecord? { upstreams.first }

  // At most one element. Stored out of line, because every effect is as large as the largest case.
  private let upstreams: [EntryRecord]

  package init(entry: EntryKey, cause: RunCause, isAskedFor: Bool = false, upstream: EntryRecord? = nil) {
    self.entry = entry
    self.cause = cause
    self.isAskedFor = isAskedFor
    upstreams = upstream.map { [$0] } ?? []
  }
}
