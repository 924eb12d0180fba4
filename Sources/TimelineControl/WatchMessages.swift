package import TimelineCore

/// What `Watch` asks for.
package struct WatchParameters: Codable, Sendable, Hashable {
  /// The job's name; `nil` for all.
  package var job: String?

  /// Makes parameters.
  package init(job: String? = nil) {
    self.job = job
  }
}

/// What `Watch` replies, again and again.
package struct WatchReply: Codable, Sendable, Hashable {
  /// What kind of thing happened.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Nothing yet: from now on everything is told.
    case watching
    /// An attempt was started.
    case started
    /// A run waits: its plugin is not called yet, or not yet again.
    case waiting
    /// A plugin says how far it is.
    case progress
    /// An entry has its disposition.
    case ended
    /// What became of the entries of a job that fires too often to tell each.
    case busy
    /// A job was paused.
    case paused
    /// A job goes on.
    case resumed
    /// The wall clock was set or the machine resumed.
    case clockStepped = "clock-stepped"
    /// A new configuration is in force.
    case reloaded
    /// The daemon drains.
    case stopping
    /// The client did not keep up.
    case lost
  }

  /// What kind of thing happened; text, so that an older client can show a newer daemon's. See ``Kind``.
  package var kind: String
  /// When.
  package var at: Timestamp
  /// The zone of the job, or the daemon's where there is no job; set afterwards.
  package var zone: String?
  /// The job it is about.
  package var job: String?
  /// The run it is about.
  package var run: UInt64?
  /// The nominal instant of the run.
  package var entry: Timestamp?
  /// Which attempt was started, from 1.
  package var attempt: Int?
  /// Why the run exists, when an attempt was started.
  package var cause: String?
  /// From 0 to 1,000,000, when the plugin has said.
  package var progressMillionths: UInt32?
  /// How an entry ended.
  package var end: EntryEnd?
  /// What there is to say in words.
  package var text: String?
  /// How many were not told.
  package var count: Int?
  /// The operator who paused or resumed a job.
  package var by: OperatorReport?

  /// Makes a reply; what else there is to say is set afterwards.
  package init(_ kind: Kind, at: WallInstant, job: String? = nil, text: String? = nil) {
    self.kind = kind.rawValue
    self.at = Timestamp(at)
    self.job = job
    self.text = text
  }
}

/// What `Logs` asks for.
package struct LogsParameters: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// Of how many of the last runs, 1 to ``Limits/logsMax``.
  package var limit: Int?

  /// Makes parameters.
  package init(job: String, limit: Int? = nil) {
    self.job = job
    self.limit = limit
  }
}

/// What `Logs` replies: the past at first and, called with `more`, then a line at a time.
package struct LogsReply: Codable, Sendable, Hashable {
  /// The last runs, oldest first; none in later replies.
  package var runs: [RunOutput]
  /// A line as it was written, in later replies.
  package var line: String?
  /// The run that wrote it.
  package var run: UInt64?
  /// Whether the job's entries are counted, so that nothing is kept of what runs of its schedule wrote; `nil` for no.
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

/// What a job wrote during one run (`RunOutput`).
package struct RunOutput: Codable, Sendable, Hashable {
  /// The entry; open while the run is in flight.
  package var entry: HistoryEntry
  /// The last lines that were written, with line ends between them; may be empty.
  package var output: String

  /// Makes an output.
  package init(entry: HistoryEntry, output: String) {
    self.entry = entry
    self.output = output
  }
}
