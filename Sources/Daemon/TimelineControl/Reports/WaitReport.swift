package import TimelineCore

/// A due entry that waits, and the reason (`Waiting`).
package struct WaitReport: Codable, Sendable, Equatable {
  /// Reasons why an entry waits.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The entry waits for a plugin host.
    case pluginHost = "plugin-host"
    /// The entry waits for full groups.
    case group
    /// The entry waits for the end of a run of the same job.
    case previousRun = "previous-run"
    /// The entry waits before the next attempt.
    case backOff = "back-off"
    /// The entry waits for the end of its jitter.
    case jitter
    /// The entry waits for the end of the job's pause.
    case pause
    /// The entry waits for the ledger.
    case ledger
    /// The entry waits for the cluster's store.
    case store
  }

  /// The entry's nominal instant.
  package var entry: Timestamp
  /// The entry's run; `nil` before the entry has one.
  package var run: UInt64?
  /// Start of the wait; `nil` if unknown.
  package var since: Timestamp?
  /// End of the wait; `nil` if unknown.
  package var until: Timestamp?
  /// Raw value of ``Reason``. Text, so that an older client can show a reason of a newer daemon.
  package var reason: String
  /// The reason in words, as text after "waits".
  package var text: String

  package init(
    entry: WallInstant, run: UInt64? = nil, since: WallInstant? = nil, until: WallInstant? = nil,
    reason: Reason,
    text: String
  ) {
    self.entry = Timestamp(entry)
    self.run = run
    self.since = since.map(Timestamp.init)
    self.until = until.map(Timestamp.init)
    self.reason = reason.rawValue
    self.text = text
  }

  /// The text after a word such as "waiting".
  package var phrase: String { text.hasPrefix("for ") ? " \(text)" : ", \(text)" }
}
