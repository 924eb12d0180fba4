/// Our control interface from the client's side: one method for each of the daemon's.
package struct ControlClient {
  private let client: VarlinkClient

  /// Makes a client of a fresh connection.
  package init(port: VarlinkClient.Port) {
    client = VarlinkClient(port: port)
  }

  /// How the daemon stands.
  package func status() throws(VarlinkClientError) -> StatusReply {
    try client.call(ControlRequest.fullName("Status"), NoParameters())
  }

  /// All jobs, in the order of the configuration.
  package func list() throws(VarlinkClientError) -> [JobReport] {
    try client.call(ControlRequest.fullName("List"), NoParameters(), replying: ListReply.self).jobs
  }

  /// Makes the daemon read its configuration again; returns when it is in force.
  package func reload() throws(VarlinkClientError) -> ReloadReply {
    try client.call(ControlRequest.fullName("Reload"), NoParameters())
  }

  /// Runs a job now; returns when it is started.
  package func trigger(job: String) throws(VarlinkClientError) -> TriggerReply {
    try client.call(ControlRequest.fullName("Trigger"), TriggerParameters(job: job))
  }

  /// Runs a job now, hands every reply to `each`, and returns the last one, which has the end.
  package func triggerAndWait(
    job: String, each: (TriggerReply) -> Void
  ) throws(VarlinkClientError) -> TriggerReply {
    try client.callForMore(ControlRequest.fullName("Trigger"), TriggerParameters(job: job), each: each)
  }

  /// Makes the daemon drain and end; returns when draining has begun.
  package func stop() throws(VarlinkClientError) -> StopReply {
    try client.call(ControlRequest.fullName("Stop"), NoParameters())
  }
}
