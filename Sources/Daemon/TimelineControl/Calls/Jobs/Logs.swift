extension Control {
  /// Output of a job's last runs.
  package struct Logs: ReadingCall {
    /// Reply with the past output. A call with `more` also gets each further line.
    package typealias Reply = LogsReply

    package var job: String
    /// Number of last runs to return, 1 to ``ControlLimits/logsMax``; `nil` for ``ControlLimits/logsDefault``.
    package var limit: Int?

    package init(job: String, limit: Int? = nil) {
      self.job = job
      self.limit = limit
    }

    /// Refuses a limit that is out of range.
    package func validate() throws(VarlinkError) {
      try require((1...ControlLimits.logsMax).contains(limit ?? 1), "limit")
    }
  }
}

/// Reply to `Logs`. The first reply has the past output. A call with `more` gets further replies with one line each.
package struct LogsReply: Codable, Sendable, Equatable {
  /// The last runs, oldest first; empty in later replies.
  package var runs: [RunOutput]
  /// Line of output as the run wrote it; `nil` in the first reply.
  package var line: String?
  /// The run that wrote ``line``.
  package var run: UInt64?
  /// Whether the job is counted, so that the output of its scheduled runs is not kept; `nil` for no.
  package var isCounted: Bool?
  /// The zone of the job.
  package var zone: String

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
package struct RunOutput: Codable, Sendable, Equatable {
  /// The entry, without an outcome while the run is active.
  package var entry: EntryReport
  /// The last lines of output, separated by line ends; may be empty.
  package var output: String

  package init(entry: EntryReport, output: String) {
    self.entry = entry
    self.output = output
  }
}
