import TimelineCore

/// Bounds on what a client can make us keep or do, each with its reason.
package enum ControlLimits {
  /// One request, its NUL included. The largest that makes sense pauses 900 jobs by name.
  package static let requestBytesMax = 64 * 1024
  /// Calls that are answered without the daemon before others have their turn: each is a fraction of a millisecond's work.
  package static let ownAnswersMax = 8
  /// Jobs of a list in one reply. No job can be started while they are written, which takes some milliseconds; whoever is ready for
  /// more than one reply is given as many as there are.
  package static let listMax = 1_000
  /// Replies that a client has not read yet. A list of 1,000 jobs has about 0.8 MB; whoever leaves far more than that unread
  /// is cut off, so that it cannot hold the daemon's memory.
  package static let outputBytesMax = 16 * 1024 * 1024
  /// One reply, as a client takes it; as much as the server would ever queue. A longer one is replaced by an error that says so.
  package static let replyBytesMax = 16 * 1024 * 1024
  /// Entries of one history. No job can be started while they are read, nor while they are written to whoever is not ready for more
  /// than one reply.
  package static let historyMax = 1_000
  /// Entries of one history of a cluster: what its store returns in one message.
  package static let clusterHistoryMax = 200
  /// Entries of a history that is not told how many: what a person looks through.
  package static let historyDefault = 50
  /// Runs whose output is given at once; with 4 KiB each they stay far below ``outputBytesMax``.
  package static let logsMax = 100
  /// Runs whose output is given when nobody says how many.
  package static let logsDefault = 10
  /// The reason of a pause: two lines of a terminal, kept for every paused job and shown in lists.
  package static let reasonBytesMax = 500
  /// Jobs that lack something of the machine which a status names; a list has all of them.
  package static let faultsMax = 100
  /// Entries to come in one reply: the rarest rule finds so many in a fraction of a millisecond. A client asks again for more.
  package static let nextMax = 100
  /// Years of clock changes in one explanation, two or so a year: as far as instants reach.
  package static let explainedYearsMax = ScheduleExplanation.yearsMax
  /// Moved entries of a change of the zones that are told; their number tells of the rest.
  package static let zoneMovesMax = 100
}
