import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger
import TimelineHostPool

/// Event of the daemon that has just happened, for its subscribers.
enum DaemonEvent {
  case started(Attempt)
  /// A run waits for the reason in the report.
  case waiting(JobName, WaitReport)
  /// A plugin reported the progress of its run in millionths, and a text about what the run does.
  case progress(RunID, EntryKey, UInt32?, String)
  case line(PluginLine)
  case settled(EntryRecord)
  /// Summary of outcomes, for a job that has too many entries to report each entry.
  case busy(JobName, String)
  /// A job was paused at `since`, or resumed if `since` is `nil`.
  case paused(JobName, since: WallInstant?, OperatorAction)
  /// The wall clock was set or the machine resumed.
  case clockStepped(by: ElapsedTime)
  /// An operator changed a rehearsal's clock; the reason of the action describes the change.
  case clockControlled(OperatorAction)
  /// A change of the mode, its cadence or its cause.
  case modeChanged(ModeChange)
  /// A new configuration is in force; the text lists the changes in one line.
  case reloaded(String)
  /// The daemon drains.
  case stopping

  /// The job that the event concerns; `nil` for an event of the daemon as a whole.
  var job: JobName? {
    switch self {
    case .started(let attempt): attempt.entry.job
    case .progress(_, let entry, _, _): entry.job
    case .line(let line): line.job
    case .settled(let record): record.entry.job
    case .busy(let job, _), .paused(let job, _, _), .waiting(let job, _): job
    case .clockStepped, .clockControlled, .modeChanged, .reloaded, .stopping: nil
    }
  }

  /// Whether the event concerns a single run.
  var isOfRun: Bool {
    switch self {
    case .started, .waiting, .progress, .line, .settled: true
    case .busy, .paused, .clockStepped, .clockControlled, .modeChanged, .reloaded, .stopping: false
    }
  }
}

extension DaemonEvent {
  /// Returns the reply to a client; `nil` for lines, which belong to logs.
  func report(at now: WallInstant) -> WatchReply? {
    switch self {
    case .started(let attempt):
      var reply = WatchReply(.started, at: attempt.startedAt, job: attempt.entry.job.text)
      reply.run = attempt.run.number
      reply.entry = Timestamp(attempt.entry.nominal)
      reply.attempt = attempt.number
      reply.cause = attempt.cause.rawValue
      reply.of = attempt.rerun.map { Timestamp($0.of) }
      return reply
    case .waiting(let job, let wait):
      var reply = WatchReply(.waiting, at: now, job: job.text, text: wait.text)
      reply.run = wait.run
      reply.entry = wait.entry
      return reply
    case .progress(let run, let entry, let millionths, let text):
      var reply = WatchReply(.progress, at: now, job: entry.job.text, text: text.isEmpty ? nil : text)
      reply.run = run.number
      reply.entry = Timestamp(entry.nominal)
      reply.progressMillionths = millionths
      return reply
    case .line:
      return nil
    case .settled(let record):
      var reply = WatchReply(.ended, at: record.endedAt, job: record.entry.job.text)
      reply.run = record.run?.number
      reply.entry = Timestamp(record.entry.nominal)
      reply.cause = record.cause.rawValue
      reply.of = record.rerun.map { Timestamp($0.of) }
      reply.end = EntryReport(record)
      return reply
    case .busy(let job, let text): return WatchReply(.busy, at: now, job: job.text, text: text)
    case .paused(let job, let since, let action):
      var reply = WatchReply(
        since == nil ? .resumed : .paused, at: since ?? now, job: job.text, text: "by \(action)")
      reply.by = action.by.report
      return reply
    case .clockStepped(let length):
      return WatchReply(.clockStepped, at: now, text: "by \(length.signedApproximateText)")
    case .clockControlled(let action):
      var reply = WatchReply(.clockControlled, at: now, text: "\(action.reason) by \(action.by)")
      reply.by = action.by.report
      return reply
    case .modeChanged(let change):
      var reply = WatchReply(.modeChanged, at: change.at, text: "\(change)")
      reply.by = change.by?.report
      return reply
    case .reloaded(let text): return WatchReply(.reloaded, at: now, text: text)
    case .stopping: return WatchReply(.stopping, at: now)
    }
  }
}
