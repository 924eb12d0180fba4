import TimelineCore

/// Limits on what a client can make the daemon store or do, each with its reason.
package enum ControlLimits {
  /// One request, its NUL included. The largest that makes sense pauses 900 jobs by name.
  package static let requestBytesMax = 64 * 1024
  /// Calls of one client that are answered without the daemon before other clients have a turn: each takes a fraction
  /// of a millisecond.
  package static let ownAnswersMax = 8
  /// Jobs of a list in one reply. No job can be started while they are written, which takes some milliseconds; a
  /// client that accepts more than one reply receives the rest in further replies.
  package static let listMax = 1_000
  /// Bytes of replies that a client has not read yet. A list of 1,000 jobs has about 0.8 MB; a client with far more unread data
  /// is disconnected, so that it cannot fill the daemon's memory.
  package static let outputBytesMax = 16 * 1024 * 1024
  /// One reply; as much as the server would ever queue. A longer one is replaced by the error `ReplyTooLong`.
  package static let replyBytesMax = 16 * 1024 * 1024
  /// Entries of one history. No job can be started while they are read, nor while they are written to a client that
  /// accepts only one reply.
  package static let historyMax = 1_000
  /// Entries of one history of a cluster: as many as its store returns in one message.
  package static let clusterHistoryMax = 200
  /// Entries of a history without a limit in the request: as many as a person reads.
  package static let historyDefault = 50
  /// Runs whose output is returned at once; with 4 KiB each they stay far below ``outputBytesMax``.
  package static let logsMax = 100
  /// Runs whose output is returned if the request has no limit.
  package static let logsDefault = 10
  /// The reason of a pause: two lines of a terminal, stored for every paused job and shown in lists.
  package static let reasonBytesMax = 500
  /// Jobs with missing requirements that a status names; a list has all of them.
  package static let faultsMax = 100
  /// Future entries in one reply: even the rarest rule finds so many in a fraction of a millisecond. A client can request more.
  package static let nextMax = 100
  /// Years of clock changes in one explanation, with about two changes a year: the whole range of instants.
  package static let explainedYearsMax = ScheduleExplanation.yearsMax
  /// Moved entries that a change of the zones lists; the total number is reported as well.
  package static let zoneMovesMax = 100
}
