package import TimelineCore

/// The client side of our control interface: one method for each method of the daemon.
package struct ControlClient {
  let client: VarlinkClient

  /// Makes a client of a new connection.
  package init(port: VarlinkClient.Port) {
    client = VarlinkClient(port: port)
  }

  /// Returns the daemon's status.
  package func status() throws(VarlinkClientError) -> StatusReply {
    try client.call(ControlMethod.status.fullName, NoParameters())
  }

  /// All jobs, in the order of the configuration.
  package func list() throws(VarlinkClientError) -> [JobReport] {
    var jobs: [JobReport] = []
    _ = try client.callForMore(ControlMethod.list.fullName, NoParameters()) { (reply: ListReply) in
      jobs += reply.jobs
    }
    return jobs
  }

  /// Metrics of the daemon and of all jobs.
  package func metrics() throws(VarlinkClientError) -> MetricsReply {
    var jobs: [JobMetrics] = []
    var last: MetricsReply = try client.callForMore(ControlMethod.metrics.fullName, NoParameters()) {
      (reply: MetricsReply) in jobs += reply.jobs
    }
    last.jobs = jobs
    return last
  }

  /// The configuration in effect.
  package func configuration() throws(VarlinkClientError) -> ConfigurationReply {
    var tables: [ConfigurationTable] = []
    var last: ConfigurationReply = try client.callForMore(
      ControlMethod.configuration.fullName, NoParameters()
    ) { (reply: ConfigurationReply) in tables += reply.tables }
    last.tables = tables
    return last
  }

  /// Returns the state of a job's timeline at a moment, with the reasons for it.
  package func why(
    job: String, moment: String, zone: String? = nil
  ) throws(VarlinkClientError) -> WhyReply {
    try client.call(ControlMethod.why.fullName, WhyParameters(job: job, moment: moment, zone: zone))
  }

  /// The next entries of a job.
  package func next(_ parameters: NextParameters) throws(VarlinkClientError) -> NextReply {
    try client.call(ControlMethod.next.fullName, parameters)
  }

  /// A job's schedule in words.
  package func explain(_ parameters: ExplainParameters) throws(VarlinkClientError) -> ExplainReply {
    try client.call(ControlMethod.explain.fullName, parameters)
  }

  /// Returns the outcomes of entries, oldest first.
  package func history(_ parameters: HistoryParameters) throws(VarlinkClientError) -> HistoryReply {
    var entries: [HistoryEntry] = []
    var zones: [String: String] = [:]
    var history: HistoryReply = try client.callForMore(ControlMethod.history.fullName, parameters) {
      (reply: HistoryReply) in
      entries += reply.entries
      zones.merge(reply.zones ?? [:]) { $1 }
    }
    history.entries = entries
    if history.zones != nil { history.zones = zones }
    return history
  }

  /// Passes every event to `each`; ends only by throwing, when the daemon ends or closes the connection.
  package func watch(job: String?, each: (WatchReply) throws -> Void) throws(VarlinkClientError) {
    _ = try client.callForMore(ControlMethod.watch.fullName, WatchParameters(job: job), each: each)
  }

  /// Returns the output of a job's last runs, oldest first; if `limit` is `nil`, the daemon chooses the number of
  /// runs.
  package func logs(job: String, limit: Int? = nil) throws(VarlinkClientError) -> LogsReply {
    try client.call(ControlMethod.logs.fullName, LogsParameters(job: job, limit: limit))
  }

  /// Passes the output of a job's last runs to `each`, and then every new line; ends as ``watch(job:each:)`` does.
  package func followLogs(
    job: String, limit: Int? = nil, each: (LogsReply) throws -> Void
  ) throws(VarlinkClientError) {
    _ = try client.callForMore(
      ControlMethod.logs.fullName, LogsParameters(job: job, limit: limit), each: each)
  }

  /// Makes the daemon read its configuration again; returns when the new one is active.
  package func reload() throws(VarlinkClientError) -> ReloadReply {
    try client.call(ControlMethod.reload.fullName, NoParameters())
  }

  /// Runs a job now; returns when the run is started.
  package func trigger(job: String) throws(VarlinkClientError) -> TriggerReply {
    try client.call(ControlMethod.trigger.fullName, TriggerParameters(job: job))
  }

  /// Runs a job now, passes every reply to `each`, and returns the last one, which has the end.
  package func triggerAndWait(
    job: String, each: (TriggerReply) throws -> Void
  ) throws(VarlinkClientError) -> TriggerReply {
    try client.callForMore(ControlMethod.trigger.fullName, TriggerParameters(job: job), each: each)
  }

  /// Pauses jobs: no entry of these jobs starts until they are resumed.
  package func pause(jobs: [String], reason: String? = nil) throws(VarlinkClientError) -> PauseReply {
    try client.call(ControlMethod.pause.fullName, PauseParameters(jobs: jobs, reason: reason))
  }

  /// Resumes a job; without `catchUp` its own policy decides about the entries that fell due meanwhile.
  package func resume(
    job: String, catchUp: MissedPolicy.Choice? = nil
  ) throws(VarlinkClientError) -> ResumeReply {
    try client.call(
      ControlMethod.resume.fullName, ResumeParameters(job: job, catchUp: catchUp?.rawValue))
  }

  /// Releases a job that waits because the clock was set back.
  package func release(job: String) throws(VarlinkClientError) -> ReleaseReply {
    try client.call(ControlMethod.release.fullName, ReleaseParameters(job: job))
  }

  /// Asks a run to stop; returns as soon as the request is made.
  func cancel(run: UInt64) throws(VarlinkClientError) -> CancelReply {
    try client.call(ControlMethod.cancel.fullName, CancelParameters(run: run))
  }

  /// Asks a run to stop, passes every reply to `each`, and returns the last one, which has the end.
  package func cancelAndWait(
    run: UInt64, each: (CancelReply) throws -> Void = { _ in }
  ) throws(VarlinkClientError) -> CancelReply {
    try client.callForMore(ControlMethod.cancel.fullName, CancelParameters(run: run), each: each)
  }

  /// Makes the daemon drain and end; returns when draining has begun. With `now`, runs are asked to stop at once.
  package func stop(now: Bool = false) throws(VarlinkClientError) -> StopReply {
    try client.call(ControlMethod.stop.fullName, StopParameters(now: now ? true : nil))
  }
}
