import TimelineCore
import TimelineLedger
import TimelineSystem

/// State machine of the ledger's writer: decides when to write, to sync and to tidy.
///
/// A pure value: it receives events with their instants, and returns the work to do now. Only ``LedgerWriter`` reads the clock,
/// sets the timer and uses the file. There is one timer, for ``wakeUp``.
///
/// | phase | ends with | next phase |
/// |---|---|---|
/// | idle | an event that makes work due or schedules it | waiting, syncing |
/// | waiting | its instant, or any other event | idle, waiting, syncing |
/// | syncing | the end of the sync | idle, waiting, syncing |
/// | failed, from any phase, after a failure | a write that succeeds | idle, waiting, syncing |
struct WriterState {
  /// Phase of the writer.
  enum Phase: Equatable {
    /// No work is scheduled.
    case idle
    /// The first scheduled work is due at the instant `until`.
    case waiting(until: MonotonicInstant)
    /// The disk thread has the file. Only changes that a caller waits for are written.
    case syncing
    /// Writing fails. Only writing is tried again: at the ends of iterations of the loop, and at `retryAt` at the latest.
    case failed(retryAt: MonotonicInstant)
  }

  /// Work of the writer.
  enum Work: Equatable {
    /// Writes the claims of entries that are due soon.
    case claims
    /// Writes the pending changes.
    case commit
    /// Saves a portion of the watermarks of busy jobs.
    case watermarks
    /// Reports that the ledger works again.
    case recovery
    /// Removes a portion of the old records.
    case tidying
    /// Syncs the file, or makes a checkpoint of a long log. `isQuiet`: no deadline comes soon, so deferrable work is done too.
    case sync(isQuiet: Bool)
  }

  /// Result of a piece of work.
  enum Outcome {
    case done
    /// The work is done in part.
    case more
    /// The work was begun on another thread.
    case begun
    case failed
  }

  /// Event that may make work due.
  enum Event {
    /// An iteration of the loop has ended; the value is the engine's next deadline.
    case iterationEnded(nextDeadline: WallInstant?)
    /// The instant ``WriterState/wakeUp`` has come.
    case wokeUp
    case ended(Work, Outcome)
    /// The sync on another thread has ended.
    case synced(isOnDisk: Bool)
    case tidyingAsked
  }

  private(set) var phase = Phase.idle
  private var agenda = WriterAgenda()

  /// Pause after a portion of work before the next one, so that other work comes in between.
  private static let portionPause = ElapsedTime.milliseconds(100)
  /// Pause before a failed write or sync is tried again, if no iteration of the loop tries it before.
  static let retryPause = ElapsedTime.seconds(1)
  /// Time for which writing must work before the recovery is reported: a disk that becomes full every few milliseconds counts as
  /// full.
  static let recoveryTime = ElapsedTime.seconds(1)
  /// Time for which watermarks of busy jobs gather before they are saved.
  static let watermarkPause = ElapsedTime.seconds(1)
  /// Time for which old records gather before they are tidied.
  static let tidyingPause = ElapsedTime.minutes(10)

  /// Instant at which ``Event/wokeUp`` is to come; `nil` for none.
  var wakeUp: MonotonicInstant? {
    switch phase {
    case .idle, .syncing: nil
    case .waiting(let instant), .failed(let instant): instant
    }
  }

  /// Schedules the saving of busy jobs' watermarks. The next event sets ``wakeUp``.
  mutating func scheduleWatermarks(at now: @autoclosure () -> ClockStepDetector.Reading) {
    agenda.watermarks = agenda.watermarks ?? now().monotonic + Self.watermarkPause
  }

  /// Schedules tidying. The next event sets ``wakeUp``.
  mutating func scheduleTidying(at now: @autoclosure () -> ClockStepDetector.Reading) {
    agenda.tidying = agenda.tidying ?? now().monotonic + Self.tidyingPause
  }

  /// Handles a clock step or a suspend: the due times of claims are computed anew at ``wakeUp``, which is set to `now`.
  mutating func clockStepped(at now: ClockStepDetector.Reading) {
    agenda.forgetClaim()
    switch phase {
    case .idle, .waiting: phase = .waiting(until: now.monotonic)
    case .syncing, .failed: break
    }
  }

  /// Handles a failure of the ledger.
  mutating func fail(at now: ClockStepDetector.Reading) {
    agenda.recovery = nil
    phase = .failed(retryAt: now.monotonic + Self.retryPause)
  }

  /// Handles an event. Returns the work to do now, or `nil` for none. The end of the work is the next event.
  mutating func handle(_ event: Event, _ needs: LedgerNeeds, at now: ClockStepDetector.Reading) -> Work? {
    switch event {
    case .iterationEnded(let deadline): agenda.nextDeadline = deadline
    case .wokeUp: break
    case .tidyingAsked: agenda.tidying = now.monotonic
    case .ended(let work, let outcome): end(work, outcome, at: now)
    case .synced(isOnDisk: false): fail(at: now)
    case .synced(isOnDisk: true): if phase == .syncing { phase = .idle }
    }
    switch phase {
    case .idle, .waiting: return next(needs, at: now)
    case .syncing: return needs.gathered == .awaited ? .commit : nil
    case .failed(let retryAt): return retry(after: event, retryAt, needs, at: now)
    }
  }

  private mutating func end(_ work: Work, _ outcome: Outcome, at now: ClockStepDetector.Reading) {
    let next = outcome == .more ? now.monotonic + Self.portionPause : nil
    switch work {
    case .claims:
      agenda.noteWrite(at: now)
      agenda.forgetClaim()
    case .commit: agenda.noteWrite(at: now)
    case .watermarks: agenda.watermarks = next
    case .recovery: agenda.recovery = next
    case .tidying: agenda.tidying = next
    case .sync: break
    }
    switch outcome {
    case .failed: fail(at: now)
    case .begun: phase = .syncing
    case .done, .more:
      guard case .failed = phase else { return }
      phase = .idle
      agenda.recovery = now.monotonic + Self.recoveryTime
    }
  }

  /// Returns the first work that is due. If no work is due, sets the phase to wait for the next work and returns `nil`.
  private mutating func next(_ needs: LedgerNeeds, at now: ClockStepDetector.Reading) -> Work? {
    agenda.follow(needs.nextClaim, at: now)
    var first: MonotonicInstant?
    let sync = Work.sync(isQuiet: agenda.isQuiet(at: now))
    for work in [Work.claims, .commit, .watermarks, .recovery, .tidying, sync] {
      guard let due = agenda.due(work, needs, at: now) else { continue }
      if due <= now.monotonic { return work }
      first = min(first ?? due, due)
    }
    phase = first.map { .waiting(until: $0) } ?? .idle
    return nil
  }

  /// Returns the write that may end a failure, if it is due.
  private mutating func retry(
    after event: Event, _ retryAt: MonotonicInstant, _ needs: LedgerNeeds, at now: ClockStepDetector.Reading
  ) -> Work? {
    var retryAt = retryAt
    let isTime: Bool
    switch event {
    case .iterationEnded:
      retryAt = min(retryAt, agenda.due(.commit, needs, at: now) ?? retryAt)
      isTime = retryAt <= now.monotonic
    case .wokeUp: isTime = retryAt <= now.monotonic
    case .synced(let isOnDisk): isTime = isOnDisk
    case .ended, .tidyingAsked: isTime = false
    }
    // The writer does not wait for a file that another thread has, unless a caller waits for the pending changes.
    if isTime, !needs.isSyncing || needs.gathered == .awaited { return .commit }
    phase = .failed(retryAt: retryAt <= now.monotonic ? now.monotonic + Self.retryPause : retryAt)
    return nil
  }
}
