package import TimelineCore

/// Limits on what a client can make the daemon store or do, each with its reason.
package enum ControlLimits {
  /// Bytes of one request, including its NUL. The largest sensible request pauses 900 jobs by name.
  package static let requestBytesMax = 64 * 1024
  /// Calls of one client that its connection answers without the daemon before other clients are served. Each answer needs a
  /// fraction of a millisecond.
  package static let ownAnswersMax = 8
  /// Jobs of a list in one reply. No job can be started while the reply is written, for some milliseconds. A client that accepts
  /// more than one reply gets a list of any length in pages.
  package static let listMax = 1_000
  /// Bytes of replies that a client has not read yet. A list of 1,000 jobs has about 0.8 MB. A client with far more unread data
  /// is disconnected, so that it cannot fill the daemon's memory.
  package static let outputBytesMax = 16 * 1024 * 1024
  /// Bytes of one reply, as many as ``outputBytesMax``. A longer reply is replaced by the error `ReplyTooLong`.
  package static let replyBytesMax = 16 * 1024 * 1024
  /// Entries of one history. No job can be started while the entries are read, or while they are written to a client that accepts
  /// only one reply.
  package static let historyMax = 1_000
  /// Entries of one history of a cluster: as many as its store returns in one message.
  package static let clusterHistoryMax = 200
  /// Entries of a history without a limit in the request: as many as a person reads.
  package static let historyDefault = 50
  /// Lines of one list of gaps: as many records as one history has.
  package static let gapsMax = historyMax
  /// Records that one list of gaps reads, and entries of the schedule that it passes over: no job can be started for these some
  /// 20 ms. A client gets the rest with further calls.
  package static let gapRecordsMax = 1_000
  package static let gapEntriesMax = 2_000
  /// Length of the stretch of a list of gaps in days: longer than a year, and beyond what a ledger usually keeps.
  package static let gapDaysMax = 400
  /// Length of the stretch in days if the request has no start.
  package static let gapDaysDefault = 7
  /// Entries of a backfill that starts without a question: a day of a job that runs each ten seconds. More is rather an error in the
  /// request.
  package static let backfillEntriesAskMax = 10_000
  /// Backfilled runs of a job at a time: more than a job's `concurrency` usually is.
  package static let backfillParallelMax = 100
  /// Longest time from one start of a backfill to the next. A slower backfill would hardly end.
  package static let backfillPaceMax = ElapsedTime.hours(24)
  /// Entries that the reply to a dry run of a backfill names: as many as a person reads.
  package static let backfillFirstEntriesMax = 10
  /// Backfills in one reply: the open ones, and as many that have ended.
  package static let backfillsMax = 200
  /// Runs whose output is returned in one reply. With 4 KiB for each run, the reply stays far below ``outputBytesMax``.
  package static let logsMax = 100
  /// Runs whose output is returned if the request has no limit.
  package static let logsDefault = 10
  /// Bytes of the reason of a pause: two lines of a terminal. The reason is stored for each paused job and shown in lists.
  package static let reasonBytesMax = 500
  /// Jobs with missing requirements that a status names. A list names all these jobs.
  package static let faultsMax = 100
  /// Future entries in one reply: even the rarest rule needs only a fraction of a millisecond for this number. A client gets
  /// further entries with another call.
  package static let nextMax = 100
  /// Years of clock changes in one explanation: the whole range of instants, with about two changes a year.
  package static let explainedYearsMax = ScheduleExplanation.yearsMax
  /// Moved entries that a change of the zones lists; the total number is reported as well.
  package static let zoneMovesMax = 100
}
