package import TimelineCore

/// Parameters of `Watch`.
package struct WatchParameters: Codable, Sendable, Hashable {
  /// The job's name; `nil` for all.
  package var job: String?

  /// Makes parameters.
  package init(job: String? = nil) {
    self.job = job
  }
}

/// Reply to `Watch`, sent for each event.
package struct WatchReply: Codable, Sendable, Hashable {
  /// Kinds of events.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// No event yet: all later events are reported.
    case watching
    /// An attempt was started.
    case started
    /// A run waits for the first or next call of its plugin.
    case waiting
    /// A plugin has reported its progress.
    case progress
    /// An entry has its outcome.
    case ended
    /// Counts of outcomes of a job that has too many entries to report each entry.
    case busy
    /// A job was paused.
    case paused
    /// A job was resumed.
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

  /// Kind of event; text, so that an older client can show an event of a newer daemon. See ``Kind``.
  package var kind: String
  /// Instant of the event.
  package var at: Timestamp
  /// The zone of the job, or the daemon's if there is no job; set afterwards.
  package var zone: String?
  /// The job of the event.
  package var job: String?
  /// The run of the event.
  package var run: UInt64?
  /// The nominal instant of the run.
  package var entry: Timestamp?
  /// Number of the attempt that was started, from 1.
  package var attempt: Int?
  /// Cause of the run, when an attempt was started.
  package var cause: String?
  /// Progress from 0 to 1,000,000, if the plugin has reported it.
  package var progressMillionths: UInt32?
  /// End of an entry.
  package var end: EntryEnd?
  /// Description of the event in words.
  package var text: String?
  /// Number of events that were not reported.
  package var count: Int?
  /// The operator who paused or resumed a job, changed the clock or chose the mode.
  package var by: OperatorReport?

  /// Makes a reply with these fields; the others are set afterwards.
  package init(_ kind: Kind, at: WallInstant, job: String? = nil, text: String? = nil) {
    self.kind = kind.rawValue
    self.at = Timestamp(at)
    self.job = job
    self.text = text
  }
}

/// Parameters of `Logs`.
package struct LogsParameters: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// Number of last runs to return, 1 to ``ControlLimits/logsMax``.
  package var limit: Int?

  /// Makes parameters.
  package init(job: String, limit: Int? = nil) {
    self.job = job
    self.limit = limit
  }
}

/// Reply to `Logs`: first the past output and, for a call with `more`, then one line at a time.
package struct LogsReply: Codable, Sendable, Hashable {
  /// The last runs, oldest first; none in later replies.
  package var runs: [RunOutput]
  /// A line as it was written, in later replies.
  package var line: String?
  /// The run that wrote ``line``.
  package var run: UInt64?
  /// Whether the job is counted, so that the output of its scheduled runs is not kept; `nil` for no.
  package var isCounted: Bool?
  /// The zone of the job.
  package var zone: String

  /// Makes a reply.
  package init(
    runs: [RunOutput] = [], line: String? = nil, run: UInt64? = nil, isCounted: Bool? = nil, zone: String
  ) {
    self.runs = runs
    self.line = line
    self.run = run
    self.isCounted = isCounted
    self.zone = zone
  }
}

/// Output of a job during one run (`RunOutput`).
package struct RunOutput: Codable, Sendable, Hashable {
  /// The entry; open while the run is active.
  package var entry: HistoryEntry
  /// The last lines that were written, with line ends between them; may be empty.
  package var output: String

  /// Makes an output.
  package init(entry: HistoryEntry, output: String) {
    self.entry = entry
    self.output = output
  }
}
