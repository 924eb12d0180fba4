import TimelineConfiguration
import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineHostPool

// Clients that stay connected and receive events.
extension ControlService {
  /// Sends the events of one job or of all jobs to a client as long as it stays connected.
  func watch(_ text: String?, _ call: VarlinkCall, _ connection: ControlConnection) throws {
    guard let text else { return try watch(job: nil, call, connection) }
    try watch(job: try daemon.answers.row(named: text).job.name, call, connection)
  }

  private func watch(
    job: JobName?, _ call: VarlinkCall, _ connection: ControlConnection
  ) throws(ControlError) {
    let daemon = daemon
    let watcher = Watcher<WatchReply>(connection, call) { count in
      var reply = WatchReply(.lost, at: daemon.now)
      reply.count = count
      reply.zone = daemon.answers.zoneName(of: job?.text)
      return reply
    }
    try listen(on: connection) { event in
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

  /// Sends the output of a job's last runs and, to a client that asks for more replies, every further line.
  func logs(_ text: String, _ limit: Int, _ call: VarlinkCall, _ connection: ControlConnection) throws {
    let row = try daemon.answers.row(named: text)
    let zone = row.job.zone.name
    let past = LogsReply(
      runs: daemon.answers.outputs(of: row.job.name, limit: limit),
      isCounted: daemon.jobs.isCounted(row.job.name), zone: zone)
    guard call.wantsMore else { return connection.reply(to: call, past) }
    let watcher = Watcher<LogsReply>(connection, call) { count in
      LogsReply(line: "(\(count) lines were not sent: they came faster than they were read)", zone: zone)
    }
    try listen(on: connection) { event in
      guard case .line(let line) = event, line.job == row.job.name else { return }
      watcher.tell(LogsReply(line: line.message, run: line.run?.number, zone: zone))
    }
    watcher.tell(past)
  }

  private func listen(
    on connection: ControlConnection, _ listener: @escaping (DaemonEvent) -> Void
  ) throws(ControlError) {
    try stay(.watching, connection)
    let number = daemon.subscribers.listen(listener)
    connection.whenClosed = { [subscribers = daemon.subscribers] in subscribers.leave(number) }
  }
}
