package import TimelineCore

extension Control {
  /// Events of one job or of all jobs, as they happen.
  package struct Watch: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = WatchReply

    /// `nil` for all jobs.
    package var job: String?

    package init(job: String? = nil) { self.job = job }

    /// A reply for each event, until the client disconnects.
    package static var replies: ReplyForm<WatchReply> { .events }
  }
}

/// Reply to `Watch`, sent for each event.
package struct WatchReply: Codable, Sendable, Equatable {
  /// Kinds of events.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The first reply: all events from now on are reported.
    case watching
    /// An attempt was started.
    case started
    /// A run waits for the first or next call of its plugin.
    case waiting
    /// A plugin has reported its progress.
    case progress
    /// An entry has its outcome.
    case ended
    /// Outcome counts of a job with too many entries to report each entry.
    case busy
    case paused
    case resumed
    /// The wall clock was set or the machine resumed.
    case clockStepped = "clock-stepped"
    /// An operator changed a rehearsal's clock.
    case clockControlled = "clock-controlled"
    /// The mode or its cause has changed.
    case modeChanged = "mode-changed"
    /// A new configuration is active.
    case reloaded
    /// The daemon drains.
    case stopping
    /// The client was too slow, and events were dropped.
    case lost
  }

  /// Raw value of ``Kind``. Text, so that an older client can show an event of a newer daemon.
  package var kind: String
  package var at: Timestamp
  /// The job's zone, or the daemon's zone for an event without a job; not set by the initializer.
  package var zone: String?
  package var job: String?
  package var run: UInt64?
  /// The nominal instant of the run's entry.
  package var entry: Timestamp?
  /// Number of the attempt that was started, from 1.
  package var attempt: Int?
  /// Cause of the run, when an attempt was started.
  package var cause: String?
  /// Nominal instant of the entry that a rerun repeats; `nil` for other causes.
  package var of: Timestamp?
  /// Progress from 0 to 1,000,000, if the plugin has reported it.
  package var progressMillionths: UInt32?
  package var end: EntryReport?
  /// Description of the event in words.
  package var text: String?
  /// Number of events that were not reported.
  package var count: Int?
  /// The operator who paused or resumed a job, changed the clock or chose the mode.
  package var by: OperatorReport?

  /// Makes a reply with these fields. The initializer does not set the other fields.
  package init(_ kind: Kind, at: WallInstant, job: String? = nil, text: String? = nil) {
    self.kind = kind.rawValue
    self.at = Timestamp(at)
    self.job = job
    self.text = text
  }
}
