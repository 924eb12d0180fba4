package import TimelineCore

extension Control {
  /// Runs the entries of a job's schedule in a stretch of time that have no success again, one after the other. ``from`` and
  /// ``until`` are moments in text form.
  package struct Backfill: ChangingCall {
    /// Reply when the backfill is recorded; of a dry run, what the backfill would do.
    package typealias Reply = BackfillReply

    package var job: String
    /// Start of the stretch, included.
    package var from: String
    /// End of the stretch, not included; `nil` for now.
    package var until: String?
    /// Outcomes of the entries to run again, as raw values of `Outcome`; `nil` for ``defaultOutcomes``.
    package var outcomes: [String]?
    /// Whether the newest entry is run first; `nil` for the oldest first.
    package var isNewestFirst: Bool?
    /// Largest number of backfilled runs at a time, 1 to ``ControlLimits/backfillParallelMax``; `nil` for 1.
    package var parallel: Int?
    /// Length of time from one start to the next, 0 to ``ControlLimits/backfillPaceMax``; `nil` for 0.
    package var paceNanoseconds: Int?
    /// Whether entries without a record are run as well; `nil` to leave them out.
    package var includesUnrecorded: Bool?
    /// Whether the reply only describes the backfill, and nothing is run or recorded.
    package var isDryRun: Bool?
    /// Whether the operator accepts what ``ControlError/backfillQuestion(job:reason:)`` states.
    package var isConfirmed: Bool?

    package init(
      job: String, from: String, until: String? = nil, outcomes: [String]? = nil, isNewestFirst: Bool? = nil,
      parallel: Int? = nil, paceNanoseconds: Int? = nil, includesUnrecorded: Bool? = nil,
      isDryRun: Bool? = nil, isConfirmed: Bool? = nil
    ) {
      (self.job, self.from, self.until, self.outcomes) = (job, from, until, outcomes)
      (self.isNewestFirst, self.parallel, self.paceNanoseconds) = (isNewestFirst, parallel, paceNanoseconds)
      (self.includesUnrecorded, self.isDryRun, self.isConfirmed) = (includesUnrecorded, isDryRun, isConfirmed)
    }

    /// Outcomes of entries that an operator can run again. An entry with any other outcome has run, or is not to run.
    package static let allowedOutcomes = Outcome.allCases.filter {
      ![.succeeded, .excluded, .daylightSavingGap, .daylightSavingFold].contains($0)
    }
    /// Outcomes of a call that names none. Entries that have run, or may have, need to be named.
    package static let defaultOutcomes = allowedOutcomes.filter {
      ![.unknown, .lost, .leftToCron].contains($0)
    }

    /// Refuses unknown outcomes, and numbers that are out of range.
    package func validate() throws(VarlinkError) {
      let allowed = Self.allowedOutcomes.map(\.rawValue)
      try require(outcomes.map { !$0.isEmpty && $0.allSatisfy(allowed.contains) } ?? true, "outcomes")
      try require((1...ControlLimits.backfillParallelMax).contains(parallel ?? 1), "parallel")
      let paceMax = Int(ControlLimits.backfillPaceMax.nanoseconds)
      try require((0...paceMax).contains(paceNanoseconds ?? 0), "paceNanoseconds")
    }
  }

  /// Pauses, resumes or cancels the open backfill of a job.
  package struct ChangeBackfill: ChangingCall {
    /// Reply of the daemon, with the state after the change.
    package typealias Reply = BackfillReply

    /// The recorded action; the recorded reason names the change.
    package static var audit: String? { "backfill" }

    package var job: String
    /// Raw value of ``BackfillChange``.
    package var change: String

    package init(job: String, change: BackfillChange) {
      self.job = job
      self.change = change.rawValue
    }

    /// ``change`` as a value; throws an error if the text is unknown.
    package var chosen: BackfillChange {
      get throws(VarlinkError) {
        guard let chosen = BackfillChange(rawValue: change) else { throw .invalidParameter("change") }
        return chosen
      }
    }

    /// Refuses an unknown change.
    package func validate() throws(VarlinkError) { _ = try chosen }
  }

  /// The backfills of all jobs, or of one: those that are open, and the last one of each job that has ended.
  package struct Backfills: ReadingCall {
    /// Reply of the daemon.
    package typealias Reply = BackfillsReply

    /// `nil` for all jobs.
    package var job: String?

    package init(job: String? = nil) { self.job = job }
  }
}

/// Changes of an open backfill.
package enum BackfillChange: String, Sendable, CaseIterable {
  /// Starts no more runs until the backfill is resumed; active runs go on.
  case pause
  /// Continues a backfill that an operator has paused.
  case resume
  /// Ends the backfill; active runs go on.
  case cancel
}

/// Reply to `Backfill` and `ChangeBackfill`.
package struct BackfillReply: Codable, Sendable, Equatable {
  package var backfill: BackfillReport

  package init(backfill: BackfillReport) { self.backfill = backfill }
}

/// Reply to `Backfills`.
package struct BackfillsReply: Codable, Sendable, Equatable {
  /// The backfills, newest first, at most ``ControlLimits/backfillsMax``.
  package var backfills: [BackfillReport]

  package init(backfills: [BackfillReport]) { self.backfills = backfills }
}
