/// The outcome of an entry. Every entry ends with exactly one outcome.
public enum Outcome: String, Sendable, Hashable, CaseIterable {
  /// The entry ran and reported success.
  case succeeded
  /// The entry ran and reported failure, or its host died.
  case failed
  /// The entry ran longer than the job's timeout and was stopped.
  case timedOut = "timed-out"
  /// The entry ran and was stopped by an operator, by an overlap policy or by the end of the daemon.
  case cancelled
  /// The entry ran at least once and its result could not be collected.
  case lost
  /// The entry may have run: the daemon died between claim and result.
  case unknown
  /// The entry did not run because the job was still running.
  case overlapped
  /// The entry did not run because a later entry took its place.
  case superseded
  /// The entry did not run because the daemon did not start it in time.
  case missed
  /// The entry did not run because the job was paused.
  case paused
  /// The entry did not run because cron, whose crontab has the job, was active.
  case leftToCron = "left-to-cron"
  /// The entry did not run because a window or a holiday excluded it.
  case excluded
  /// The entry did not run because its civil time does not exist that day.
  case daylightSavingGap = "dst-gap"
  /// The entry did not run because its civil time came twice that day.
  case daylightSavingFold = "dst-fold"
  /// The entry did not run because the daemon was in low-frequency mode.
  case lowFrequency = "low-frequency"
  /// The entry did not run because a limit was reached.
  case limited
  /// The entry did not run because the daemon was shutting down and its ledger does not record the entry as waiting:
  /// entries of the job are only counted, or the entry is part of a rehearsal.
  case shutDown = "shut-down"

  /// Class of the outcome. The class decides how the outcome is shown and which reaction it triggers.
  package var kind: Kind {
    switch self {
    case .succeeded: .success
    case .failed, .timedOut, .lost, .unknown: .failure
    case .cancelled: .cancellation
    case .missed, .overlapped, .limited: .miss
    case .superseded, .paused, .leftToCron, .excluded, .daylightSavingGap, .daylightSavingFold, .lowFrequency,
      .shutDown:
      .omission
    }
  }

  /// Classes of outcomes: succeeded, failed, stopped on request, should have run but did not, and was not to run.
  package enum Kind: String, Sendable {
    case success, failure, cancellation, miss, omission
  }

  /// Names of all outcomes of a kind, in the order of the cases.
  package static func names(of kind: Kind) -> [String] {
    allCases.filter { $0.kind == kind }.map(\.rawValue)
  }

  /// The part of the system that decided the outcome; `why` looks up its reason there.
  package var decider: Decider {
    switch self {
    case .succeeded, .failed, .cancelled, .lost: .run
    case .timedOut: .timeout
    case .unknown: .delivery
    case .overlapped, .superseded: .overlap
    case .limited: .limit
    case .missed: .missed
    case .paused: .pause
    case .leftToCron: .cron
    case .excluded, .daylightSavingGap, .daylightSavingFold: .schedule
    case .lowFrequency: .mode
    case .shutDown: .stop
    }
  }

  /// Parts of the system that decide outcomes: the run itself, a policy, a limit, the schedule, the mode, cron, or an operator.
  package enum Decider: Sendable {
    case run, timeout, delivery, overlap, limit, missed, pause, cron, schedule, mode, stop
  }

  /// Whether the plugin was called for the entry, or may have been.
  public var ran: Bool {
    switch self {
    case .succeeded, .failed, .timedOut, .cancelled, .lost, .unknown: true
    case .overlapped, .superseded, .missed, .paused, .leftToCron, .excluded, .daylightSavingGap,
      .daylightSavingFold, .lowFrequency, .limited, .shutDown:
      false
    }
  }
}

extension Outcome {
  /// The meaning of the outcome, as a sentence for people.
  package var meaning: String {
    switch self {
    case .succeeded: "It ran and reported success."
    case .failed: "It ran and reported failure, or its host died."
    case .timedOut: "It ran longer than the job's timeout and was stopped."
    case .cancelled: "It ran and was stopped."
    case .lost: "It ran, and its result could not be collected."
    case .unknown: "It may have run: the daemon died between the claim and the result."
    case .overlapped: "It did not run: the job was still running, or an entry before it still waited."
    case .superseded: "It did not run: a later entry took its place."
    case .missed: "It did not run: timelined did not get to it in time."
    case .paused: "It did not run: the job was paused."
    case .leftToCron: "It did not run here: cron was active, and the job is a line of its crontab."
    case .excluded: "It does not run: a window or a holiday excludes it."
    case .daylightSavingGap: "It does not run: clocks skip its time that day."
    case .daylightSavingFold:
      "It does not run: clocks show its time twice that day, and it is run the other time."
    case .lowFrequency: "It did not run: timelined was in low-frequency mode."
    case .limited: "It did not run: a limit was reached."
    case .shutDown:
      "It did not run: the daemon was stopping, and of entries that are only counted none is kept."
    }
  }
}
