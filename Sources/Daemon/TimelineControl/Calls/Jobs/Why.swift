package import TimelineCore

extension Control {
  /// State of a job's timeline at a moment, with the reasons.
  package struct Why: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = WhyReply

    package var job: String
    /// Text such as `yesterday 02:30` or `2h ago`.
    package var moment: String
    /// The zone of instants in the reply's texts; `nil` for the job's zone.
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
  /// The entry's run is active.
  case running
  /// The entry is due and waits.
  case waiting
  /// The entry is due, and the job is paused.
  case held
  /// The entry lies in the future.
  case planned
  /// The entry lies in the future and will not run, because it was decided before the clock was set to an earlier time.
  case silent
  /// The rule of the schedule has the entry, but a policy or a window omits it.
  case omitted
  /// The job is counted: the hour has counts instead of a record for each entry.
  case counted
  /// The schedule has the entry, but the ledger has no record of it.
  case unrecorded
  /// The schedule has no entry at the moment.
  case none
}

/// Reply to `Why`.
package struct WhyReply: Codable, Sendable, Equatable {
  package var job: String
  /// The zone of instants in ``headline`` and ``details``: the requested zone, or the job's zone.
  package var zone: String
  package var now: Timestamp
  /// Raw value of ``WhyVerdict``. Text, so that an older client can show a state of a newer daemon.
  package var verdict: String
  /// The answer in a sentence.
  package var headline: String
  /// Reasons for the answer, one line each.
  package var details: [Detail]
  /// The nominal instant of the entry, if there is one.
  package var entry: Timestamp?
  /// The ledger's record of the entry.
  package var record: EntryReport?
  /// Known attempts, first to last.
  package var attempts: [AttemptReport]
  /// Active run of the entry.
  package var running: RunReport?
  /// Wait of the entry; `nil` if the entry does not wait.
  package var waiting: WaitReport?
  /// Reason why the schedule omits the moment: `excluded`, `dst-gap` or `dst-fold`.
  package var omission: String?
  /// Number of entries in the hour of the moment by outcome, for a job whose entries are counted.
  package var counts: [String: Int]?
  /// Start of the job's pause; `nil` if the job is not paused.
  package var pausedSince: Timestamp?
  /// The operator who paused the job; `nil` if unknown.
  package var pausedBy: OperatorReport?
  /// The operator's reason, if there was one.
  package var pauseReason: String?
  /// The missing requirement of the job on this machine.
  package var fault: String?
  /// The node that runs a job of the cluster; empty if no node runs the job at present; `nil` for other jobs.
  package var node: String?
  /// Other runs that were active when the entry did not run or had to wait, or at a moment without an entry. These are runs of
  /// the job or, if there are none, runs that filled the job's groups.
  package var underWay: [EntryReport]
  /// The latest reactions to the entry, oldest first, ten at most; `nil` if there is no entry.
  package var reactions: [EntryReport]?
  /// The latest reruns of the entry, oldest first, ten at most; `nil` if there is no entry.
  package var reruns: [EntryReport]?
  /// The incident that counts the failed entry, opened or not yet opened; `nil` for none.
  package var incident: IncidentState?
  /// The entry before the requested one.
  package var before: Neighbor?
  /// The entry after the requested one.
  package var after: Neighbor?
  /// Number of further entries at the requested moment.
  package var alsoCount: Int
  /// The last part of the run's output, if there is output.
  package var output: String?

  /// Makes a reply with these fields. The initializer does not set the other fields.
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

  /// A line of text (`Detail`).
  package struct Detail: Codable, Sendable, Equatable {
    /// Subject of the line, one or two words.
    package var name: String
    package var text: String

    package init(_ name: String, _ text: String) {
      self.name = name
      self.text = text
    }
  }

  /// An incident that no success has ended (`Incident`).
  package struct IncidentState: Codable, Sendable, Equatable {
    /// Kind of the counted failures: `failure` or `missed`.
    package var kind: String
    /// Number of failures that count at present.
    package var failures: Int
    /// Number of failures that opens the incident.
    package var after: Int
    /// Time window for the failures; `nil` for failures in a row, without a success in between.
    package var withinNanoseconds: Int64?
    /// Instant of the first counted failure.
    package var since: Timestamp
    /// Instant of the last report; `nil` before the incident opens.
    package var toldAt: Timestamp?
    /// Instant of the next reminder; `nil` for none.
    package var nextReminder: Timestamp?

    /// Makes a state with these fields. The initializer does not set the other fields.
    package init(kind: String, failures: Int, after: Int, since: WallInstant) {
      (self.kind, self.failures, self.after, self.since) = (kind, failures, after, Timestamp(since))
    }
  }

  /// The entry before or after the requested one (`Neighbor`).
  package struct Neighbor: Codable, Sendable, Equatable {
    /// The nominal instant.
    package var entry: Timestamp
    /// Raw value of ``WhyVerdict``.
    package var verdict: String
    package var outcome: String?

    package init(entry: WallInstant, verdict: WhyVerdict, outcome: String? = nil) {
      self.entry = Timestamp(entry)
      self.verdict = verdict.rawValue
      self.outcome = outcome
    }
  }

  /// One call of the plugin (`Attempt`).
  package struct AttemptReport: Codable, Sendable, Equatable {
    /// Number of the attempt, from 1.
    package var number: Int
    package var startedAt: Timestamp
    /// `nil` before the end of the attempt, and if the clock shows an end before the start.
    package var durationNanoseconds: Int64?
    /// `nil` before the end of the attempt.
    package var outcome: String?
    /// The plugin's message; may be empty.
    package var message: String

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
