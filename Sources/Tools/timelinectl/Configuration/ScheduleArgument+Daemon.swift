import TimelineControl
import TimelineCore

extension ScheduleArgument {
  /// The daemon's answer about a job, or the reason why there is none.
  struct OwnAnswer<Reply> {
    var answer: Reply?
    /// A one-line note that the configuration file is used instead; `nil` with an answer, or if the daemon was not
    /// queried.
    var note: String?
    /// The failed call; `nil` with an answer, or if the daemon was not queried.
    var failure: CallFailure?
  }

  /// Queries the daemon about the job ``what``. Does not query it if `--config` names a file or if ``what`` can only
  /// be a rule.
  func ofDaemon<Reply>(
    _ daemon: DaemonConnection, _ body: (ControlClient, String) throws -> Reply
  ) throws -> OwnAnswer<Reply> {
    let isNamed = source.config != ConfigurationOptions.defaultPath
    guard JobName(what) != nil, !isNamed, gap == nil, fold == nil else { return OwnAnswer() }
    do {
      return OwnAnswer(answer: try daemon.attempt { client in try body(client, what) })
    } catch let failure as CallFailure {
      let why =
        failure.status == .negative
        ? "the daemon has no such job" : "no answer from the daemon at \(daemon.path)"
      return OwnAnswer(note: "\(what): \(why): shown is what \(source.config) says\n", failure: failure)
    }
  }

  /// The zones for displayed times.
  func shown() throws -> ShownZones { try ShownZones(utc: utc, zone: utc ? nil : zone) }
}
