package import TimelineCore

/// What `Why` asks for.
package struct WhyParameters: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The moment, as people write it.
  package var moment: String
  /// The zone of the answer's texts; `nil` for the job's.
  package var zone: String?

  /// Makes parameters.
  package init(job: String, moment: String, zone: String? = nil) {
    self.job = job
    self.moment = moment
    self.zone = zone
  }
}

/// What there is at a moment of a job's timeline.
package enum WhyVerdict: String, Codable, Sendable, Hashable, CaseIterable {
  /// The entry has its disposition.
  case settled
  /// Its run is in flight.
  case running
  /// It is due and waits for its turn.
  case waiting
  /// It is due and the job is paused.
  case held
  /// It lies in the future.
  case planned
  /// It lies in the future and is not run: the clock was set back, and what it showed before is decided.
  case silent
  /// The rule names it and leaves it out.
  case omitted
  /// The job fires too often for a record an entry; the hour has counts.
  case counted
  /// It is an entry of the schedule, and the ledger has nothing of it.
  case unrecorded
  /// The schedule has no entry there.
  case none
}

/// What `Why` replies.
package struct WhyReply: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The zone of ``headline`` and ``details``: the job's, unless another was asked for.
  package var zone: String
  /// What the daemon's clock shows.
  package var now: Timestamp
  /// What there is; text, so that an older client can show a newer daemon's. See ``WhyVerdict``.
  package var verdict: String
  /// The answer in a sentence.
  package var headline: String
  /// What led to it, a line each.
  package var details: [Detail]
  /// The nominal instant of the entry, if there is one.
  package var entry: Timestamp?
  /// What the ledger has of it.
  package var record: HistoryEntry?
  /// The attempts that are known, first to last.
  package var tries: [AttemptReport]
  /// Its run in flight.
  package var running: RunReport?
  /// What it waits for, if it does.
  package var waiting: WaitReport?
  /// As what the rule leaves it out: `excluded`, `dst-gap` or `dst-fold`.
  package var omission: String?
  /// How the entries of that hour ended, for a job whose entries are counted.
  package var counts: [String: Int]?
  /// Since when the job is paused, if it is.
  package var pausedSince: Timestamp?
  /// The operator who paused it, if that is known.
  package var pausedBy: OperatorReport?
  /// The operator's reason, if there was one.
  package var pauseReason: String?
  /// The thing that the job needs and the machine lacks.
  package var fault: String?
  /// Other runs of the job that were in flight then: what was in the way of an entry that did not run.
  package var underWay: [HistoryEntry]
  /// The entry before it.
  package var before: Neighbour?
  /// The entry after it.
  package var after: Neighbour?
  /// How many more entries the moment names.
  package var alsoCount: Int
  /// The last of what the run wrote, if it did.
  package var output: String?

  /// Makes a reply that says only what there is; the rest is set afterwards.
  package init(job: String, zone: String, now: WallInstant, verdict: WhyVerdict, headline: String) {
    self.job = job
    self.zone = zone
    self.now = Timestamp(now)
    self.verdict = verdict.rawValue
    self.headline = headline
    details = []
    tries = []
    underWay = []
    alsoCount = 0
  }

  /// A line for people (`Detail`).
  package struct Detail: Codable, Sendable, Hashable {
    /// What it is about, a word or two.
    package var name: String
    /// The text.
    package var text: String

    /// Makes a line.
    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// An entry beside the one that was asked for (`Neighbour`).
  package struct Neighbour: Codable, Sendable, Hashable {
    /// The nominal instant.
    package var entry: Timestamp
    /// What there is; see ``WhyVerdict``.
    package var verdict: String
    /// How it ended, if it has.
    package var disposition: String?

    /// Makes a neighbour.
    package init(entry: WallInstant, verdict: WhyVerdict, disposition: String? = nil) {
      self.entry = Timestamp(entry)
      self.verdict = verdict.rawValue
      self.disposition = disposition
    }
  }

  /// One call of the plugin (`Attempt`).
  package struct AttemptReport: Codable, Sendable, Hashable {
    /// Which it is, from 1.
    package var number: Int
    /// When it began.
    package var startedAt: Timestamp
    /// How long it took, when it is over, and the clock does not show it to have ended before it began.
    package var durationNanoseconds: Int64?
    /// What became of it, in the words of dispositions, when it is over.
    package var outcome: String?
    /// What the plugin said of it; may be empty.
    package var message: String

    /// Makes a report.
    package init(
      number: Int, startedAt: WallInstant, endedAt: WallInstant? = nil, outcome: String? = nil,
      message: String = ""
    ) {
      self.number = number
      self.startedAt = Timestamp(startedAt)
      durationNanoseconds = endedAt.flatMap { $0 < startedAt ? nil : ($0 - startedAt).nanoseconds }
      self.outcome = outcome
      self.message = message
    }
  }
}
