package import TimelineCore

/// A due entry that waits, and the reason (`Waiting`).
package struct WaitReport: Codable, Sendable, Hashable {
  /// Reasons why an entry waits.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
    /// A plugin host.
    case pluginHost = "plugin-host"
    /// Groups that are full.
    case group
    /// The end of a run of the same job.
    case previousRun = "previous-run"
    /// The time before the next attempt.
    case backOff = "back-off"
    /// The end of its jitter.
    case jitter
    /// The end of its job's pause.
    case pause
    /// The ledger.
    case ledger
    /// The cluster's store.
    case store
  }

  /// The entry's nominal instant.
  package var entry: Timestamp
  /// Its run, if it has one already.
  package var run: UInt64?
  /// Instant at which the wait began, if known.
  package var since: Timestamp?
  /// Instant at which the wait ends, if known.
  package var until: Timestamp?
  /// Reason for the wait; text, so that an older client can show a reason of a newer daemon. See ``Reason``.
  package var reason: String
  /// The reason for people, as text after "waits".
  package var text: String

  /// Makes a report.
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
