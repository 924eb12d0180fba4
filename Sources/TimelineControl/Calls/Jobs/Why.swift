package import TimelineCore

extension Control {
  /// State of a job's timeline at a moment, with the reasons for it.
  package struct Why: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = WhyReply

    /// The job's name.
    package var job: String
    /// The moment, as people write it.
    package var moment: String
    /// The zone of the answer's texts; `nil` for the job's.
    package var zone: String?

    package init(job: String, moment: String, zone: String? = nil) {
      self.job = job
      self.moment = moment
      self.zone = zone
    }
  }
}

/// State of a job's timeline at a moment.
package enum WhyVerdict: String, Codable, Sendable, Hashable, CaseIterable {
  /// The entry has its outcome.
  case settled
  /// Its run is active.
  case running
  /// It is due and waits for its turn.
  case waiting
  /// It is due, and the job is paused.
  case held
  /// It lies in the future.
  case planned
  /// It lies in the future and will not run: the clock was set back, and the entry was decided before that.
  case silent
  /// The rule names it, and a policy or a window leaves it out.
  case omitted
  /// The job is counted and has no record for each entry; the hour has counts.
  case counted
  /// It is an entry of the schedule without a record in the ledger.
  case unrecorded
  /// The schedule has no entry at the moment.
  case none
}

/// Reply to `Why`.
package struct WhyReply: Codable, Sendable, Hashable {
  /// The job's name.
  package var job: String
  /// The zone of ``headline`` and ``details``: the requested one, or the job's.
  package var zone: String
  /// Current time of the daemon's clock.
  package var now: Timestamp
  /// State at the moment; text, so that an older client can show a state of a newer daemon. See ``WhyVerdict``.
  package var verdict: String
  /// The answer in a sentence.
  package var headline: String
  /// Reasons for the answer, one line each.
  package var details: [Detail]
  /// The nominal instant of the entry, if there is one.
  package var entry: Timestamp?
  /// The ledger's record of the entry.
  package var record: HistoryEntry?
  /// The attempts that are known, first to last.
  package var attempts: [AttemptReport]
  /// Active run of the entry.
  package var running: RunReport?
  /// Wait of the entry, if it waits.
  package var waiting: WaitReport?
  /// Reason why the schedule leaves the moment out: `excluded`, `dst-gap` or `dst-fold`.
  package var omission: String?
  /// Number of entries of that hour by outcome, for a job whose entries are counted.
  package var counts: [String: Int]?
  /// Instant at which the job's pause began, if it is paused.
  package var pausedSince: Timestamp?
  /// The operator who paused the job, if that is known.
  package var pausedBy: OperatorReport?
  /// The operator's reason, if there was one.
  package var pauseReason: String?
  /// The missing requirement of the job on this machine.
  package var fault: String?
  /// The node of the cluster that runs the job, for a job that one node runs; empty if no node runs it at present.
  package var node: String?
  /// Other runs that were active when the entry did not run or had to wait, or at a moment without an entry: runs of
  /// the job, or else the runs that filled its groups.
  package var underWay: [HistoryEntry]
  /// The latest reactions to the entry, oldest first, ten at most; `nil` if there is no entry.
  package var reactions: [HistoryEntry]?
  /// The open incident in which the failed entry counts, if there is one.
  package var incident: IncidentState?
  /// The entry before the requested one.
  package var before: Neighbor?
  /// The entry after the requested one.
  package var after: Neighbor?
  /// Number of further entries at the requested moment.
  package var alsoCount: Int
  /// The last part of the run's output, if there is output.
  package var output: String?

  /// Makes a reply with these fields; the others are set afterwards.
  package init(job: String, zone: String, now: WallInstant, verdict: WhyVerdict, headline: String) {
    self.job = job
    self.zone = zone
    self.now = Timestamp(now)
    self.verdict = verdict.rawValue
    self.headline = headline
    details = []
    attempts = []
    underWay = []
    alsoCount = 0
  }

  /// A line for people (`Detail`).
  package struct Detail: Codable, Sendable, Hashable {
    /// Subject of the line, one or two words.
    package var name: String
    /// The text.
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// An incident that no success has ended (`Incident`).
  package struct IncidentState: Codable, Sendable, Hashable {
    /// Kind of its failures: `failure` or `missed`.
    package var kind: String
    /// Number of failures that count at present.
    package var failures: Int
    /// Number of failures that open it.
    package var after: Int
    /// Length of time in which the failures must lie; `nil` for failures without a success in between.
    package var withinNanoseconds: Int64?
    /// Instant of the first of these failures.
    package var since: Timestamp
    /// Instant of the last report; `nil` before it opens.
    package var toldAt: Timestamp?
    /// Instant of the next reminder; `nil` for none.
    package var nextReminder: Timestamp?

    /// Makes a state with these fields; the others are set afterwards.
    package init(kind: String, failures: Int, after: Int, since: WallInstant) {
      (self.kind, self.failures, self.after, self.since) = (kind, failures, after, Timestamp(since))
    }
  }

  /// The entry before or after the requested one (`Neighbor`).
  package struct Neighbor: Codable, Sendable, Hashable {
    /// The nominal instant.
    package var entry: Timestamp
    /// State of the entry; see ``WhyVerdict``.
    package var verdict: String
    /// Its outcome, if it has one.
    package var outcome: String?

    /// Makes a neighbor.
    package init(entry: WallInstant, verdict: WhyVerdict, outcome: String? = nil) {
      self.entry = Timestamp(entry)
      self.verdict = verdict.rawValue
      self.outcome = outcome
    }
  }

  /// One call of the plugin (`Attempt`).
  package struct AttemptReport: Codable, Sendable, Hashable {
    /// Number of the attempt, from 1.
    package var number: Int
    /// Instant at which it began.
    package var startedAt: Timestamp
    /// Its duration. `nil` before its end, and when the clock shows an end before the start.
    package var durationNanoseconds: Int64?
    /// Outcome of the attempt; `nil` before its end.
    package var outcome: String?
    /// The plugin's message; may be empty.
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
