package import TimelineCore
package import TimelineEngine

/// Event that ``PluginHosts`` reports.
package enum PluginEvent: Sendable, Equatable {
  /// The run waits for a host: its plugin has not been called.
  case waits(RunID)
  /// The run was sent to a host, whose process number is `process`. `hasWaited` is true if no host was free at first.
  /// Reported again if that host turned out to be dead.
  case started(RunID, process: Int32, hasWaited: Bool)
  case line(PluginLine)
  /// Progress of a run: from 0 to 1,000,000 millionths, `nil` if unknown, and a line for operators, which may be empty.
  case progress(RunID, JobName, millionths: UInt32?, text: String)
  /// The run is over. No further event of it follows.
  case ended(RunID, PluginRunEnd)
  /// A note for operators that belongs to no run's end.
  case note(HostNote)
}

/// A line that a plugin wrote.
package struct PluginLine: Sendable, Equatable {
  /// Severity of a line; the numbers are those of the plugin's header.
  package enum Level: UInt8, Sendable, Hashable, CaseIterable, Comparable {
    /// Information for the plugin's author.
    case debug = 0
    /// Information for the record.
    case info = 1
    /// A normal event that deserves attention.
    case notice = 2
    /// A problem after which the run goes on.
    case warning = 3
    case error = 4

    /// Orders levels by severity, the least severe first.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// Origin of a line.
  package enum Source: Sendable, Hashable {
    /// A call of `log` by the plugin.
    case log
    /// Standard output or standard error of the host or its child processes.
    case output
    /// A message of this module about the plugin's lines.
    case pools
  }

  /// A key and a value beside the message.
  package struct Field: Sendable, Equatable {
    package var key: String
    package var value: String

    package init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The run during which the line was written; `nil` for output of an idle host.
  package var run: RunID?
  package var job: JobName?
  package var pluginPath: String
  package var source: Source
  /// Severity of the line; ``Level/info`` for output.
  package var level: Level
  /// At most 4 KiB, without the line end.
  package var message: String
  /// The fields in the plugin's order, at most 32.
  package var fields: [Field]

  package init(
    run: RunID?, job: JobName?, pluginPath: String, source: Source, level: Level, message: String,
    fields: [Field] = []
  ) {
    self.run = run
    self.job = job
    self.pluginPath = pluginPath
    self.source = source
    self.level = level
    self.message = message
    self.fields = fields
  }
}

extension HostNote: CustomStringConvertible {
  /// One sentence with the file, the reason and the consequence.
  package var description: String {
    switch self {
    case .diedIdle(let kind, let status):
      "\(kind.pluginPath): its host \(status) while it had nothing to do; the next run has a new one"
    case .recycled(let kind, let runs):
      "\(kind.pluginPath): its host has done \(runs) runs and is replaced, so that what it may have leaked is freed"
    case .kindPaused(_, let pause, let reason):
      "\(reason) (its runs fail at once for \(pause.inMilliseconds) ms, then it is tried again)"
    case .jobPaused(_, let job, let pause, let reason):
      "\(reason) (runs of job \(job) fail at once for \(pause.inMilliseconds) ms, then it is tried again)"
    case .waiting(let run, let job, let wait):
      "job \(job): run \(run) waits \(wait.text): "
        + (wait.bound == .all ? "raise `plugin-hosts-max`, or have runs end sooner" : "have runs end sooner")
    case .shortage(let pause, let reason):
      "no plugin host can be started; runs wait, and it is tried again in \(pause.inMilliseconds) ms: \(reason)"
    case .killedAtEnd(let kind):
      "\(kind.pluginPath): its host did not end when it was let go, and was killed; its close function may hang"
    case .slowInProcess(let kind, let job, let took):
      "\(kind.pluginPath): a call of it took \(took.approximateText) in job \(job), and timelined did nothing else meanwhile; "
        + "take out the job's isolation = \"in-process\", or make the plugin quicker"
    case .replacedInProcess(let kind):
      "\(kind.pluginPath): the file was replaced, and timelined's own process keeps the old one; restart timelined"
    case .orphansEnded(let processes):
      "left behind by a plugin host that died, and ended: \(processes)"
    case .leftoversKilled(let job, let max):
      "job \(job): leftovers of a run were killed: \(max) plugin hosts stay for leftovers of earlier runs already: end those"
    case .credentialsLeft(let kind, let directory, let reason):
      "\(kind.pluginPath): the credentials in \(directory) could not be removed: \(reason) Remove that directory"
    }
  }
}

extension ElapsedTime {
  /// The length in whole milliseconds, for messages.
  fileprivate var inMilliseconds: Int64 { nanoseconds / 1_000_000 }
}
