import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool

// Clients that stay connected and receive events.
extension ControlHandlers {
  mutating func addEvents() {
    on(Control.Watch.self) { try $0.watch() }
    on(Control.Logs.self) { try $0.logs() }
  }
}

extension ReceivedCall<Control.Watch> {
  /// Sends the events of one job or of all jobs to the client as long as it stays connected.
  fileprivate func watch() throws(ControlError) {
    let daemon = daemon
    let job = try parameters.job.map { text throws(ControlError) in
      try daemon.answers.row(named: text).job.name
    }
    let watcher = Watcher<WatchReply>(connection, call) { count in
      var reply = WatchReply(.lost, at: daemon.now)
      reply.count = count
      reply.zone = daemon.answers.zoneName(of: job?.text)
      return reply
    }
    try listen { event in
      guard Self.isWanted(event, by: job, daemon), var report = event.report(at: daemon.now) else { return }
      report.zone = daemon.answers.zoneName(of: report.job)
      watcher.tell(report)
    }
    var first = WatchReply(.watching, at: daemon.now, job: job?.text)
    first.zone = daemon.answers.zoneName(of: job?.text)
    watcher.tell(first)
  }

  /// Whether a client receives an event. The client watches `job`, or all jobs if `job` is `nil`.
  private static func isWanted(_ event: DaemonEvent, by job: JobName?, _ daemon: Daemon) -> Bool {
    guard let about = event.job else { return true }
    if case .busy = event { return job == nil }
    if let job { return about == job }
    // A counted job may start and end sixty times a second. Only a client that names the job receives these events.
    return !event.isOfRun || daemon.jobs[about]?.summary == nil
  }
}

extension ReceivedCall<Control.Logs> {
  /// Sends the output of a job's last runs and, to a client that asks for more replies, every further line.
  fileprivate func logs() throws(ControlError) {
    let row = try daemon.answers.row(named: parameters.job)
    let zone = row.job.zone.name
    let past = LogsReply(
      runs: daemon.answers.outputs(of: row.job.name, limit: parameters.limit ?? ControlLimits.logsDefault),
      isCounted: daemon.jobs.isCounted(row.job.name), zone: zone)
    guard wantsMore else { return reply(past) }
    let watcher = Watcher<LogsReply>(connection, call) { count in
      LogsReply(line: "(\(count) lines were not sent: they came faster than they were read)", zone: zone)
    }
    try listen { event in
      guard case .line(let line) = event, line.job == row.job.name else { return }
      watcher.tell(LogsReply(line: line.message, run: line.run?.number, zone: zone))
    }
    watcher.tell(past)
  }
}

extension ReceivedCall {
  /// Passes events to `listener` as long as the client stays connected.
  fileprivate func listen(_ listener: @escaping (DaemonEvent) -> Void) throws(ControlError) {
    try stay(.watching)
    let subscribers = daemon.subscribers
    let number = subscribers.listen(listener)
    connection?.whenClosed = { subscribers.leave(number) }
  }
}
