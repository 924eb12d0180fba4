import TimelineCore
import TimelineLedger
import TimelineSystem

/// State of the ledger's writer, and the rules by which it does its work.
///
/// A pure value: events come in with the instant at which they happened, and the work to do now comes out. It reads no clock, sets
/// no timer and touches no file; ``LedgerWriter`` does. There is one timer, for ``wakeUp``.
///
/// | phase | ends with | next phase |
/// |---|---|---|
/// | idle | an event that has something to do or to wait for | waiting, syncing |
/// | waiting | its instant, or any other event | idle, waiting, syncing |
/// | syncing | the end of the sync | idle, waiting, syncing |
/// | failed, from any phase, when something fails | a write that succeeds | idle, waiting, syncing |
struct WriterState {
  /// Phase of the writer.
  enum Phase: Hashable {
    /// Nothing waits for its time.
    case idle
    /// The first work that has a time is due then.
    case waiting(until: MonotonicInstant)
    /// The file is with the thread that waits for the disk. Only what somebody waits for is written.
    case syncing
    /// Writing fails. Only writing is tried: by loop iterations, and at `retryAt` at the latest.
    case failed(retryAt: MonotonicInstant)
  }

  /// Work of the writer.
  enum Work: Hashable {
    /// Writes the claims of entries that are due soon.
    case claims
    /// Writes what has gathered.
    case commit
    /// Saves a portion of the watermarks of busy jobs.
    case watermarks
    /// Reports that the ledger works again.
    case recovery
    /// Drops a portion of what is old.
    case tidying
    /// Waits for the disk, or puts a long log into the file. `isQuiet`: no deadline comes soon, so work that can wait is done too.
    case sync(isQuiet: Bool)
  }

  /// Result of a piece of work.
  enum Outcome {
    case done
    /// Done in part.
    case more
    /// Begun, on another thread.
    case begun
    case failed
  }

  /// Occasion to decide what is done next.
  enum Event {
    /// A loop iteration has ended; the engine's next deadline is this.
    case iterationEnded(nextDeadline: WallInstant?)
    /// The instant ``WriterState/wakeUp`` has come.
    case wokeUp
    /// A piece of work is over.
    case ended(Work, Outcome)
    /// The sync of another thread is over.
    case synced(isOnDisk: Bool)
    /// Tidying is asked for at once.
    case tidyingAsked
  }

  private(set) var phase = Phase.idle
  private var agenda = WriterAgenda()

  /// Pause after a portion of work before the next one, so that other work comes in between.
  private static let portionPause = ElapsedTime.milliseconds(100)
  /// Pause before a write or a sync that failed is tried again, if no loop iteration tries it before.
  static let retryPause = ElapsedTime.seconds(1)
  /// Time for which writing must work before that is reported: a disk that fills and empties by the millisecond counts as full.
  static let recoveryTime = ElapsedTime.seconds(1)
  /// Time for which busy jobs go on before their watermarks are saved.
  static let watermarkPause = ElapsedTime.seconds(1)
  /// Time for which work that can wait is left to gather.
  static let tidyingPause = ElapsedTime.minutes(10)

  /// Instant at which ``Event/wokeUp`` is to come; `nil` for none.
  var wakeUp: MonotonicInstant? {
    switch phase {
    case .idle, .syncing: nil
    case .waiting(let instant), .failed(let instant): instant
    }
  }

  /// Has the watermarks of busy jobs saved soon. The next event sets ``wakeUp``.
  mutating func scheduleWatermarks(at now: @autoclosure () -> ClockStepDetector.Reading) {
    agenda.watermarks = agenda.watermarks ?? now().monotonic + Self.watermarkPause
  }

  /// Has records tidied when some have gathered. The next event sets ``wakeUp``.
  mutating func scheduleTidying(at now: @autoclosure () -> ClockStepDetector.Reading) {
    agenda.tidying = agenda.tidying ?? now().monotonic + Self.tidyingPause
  }

  /// Takes in that the clock was set or the machine slept: the times of claims are computed anew at ``wakeUp``, which is now.
  mutating func clockStepped(at now: ClockStepDetector.Reading) {
    agenda.forgetClaim()
    switch phase {
    case .idle, .waiting: phase = .waiting(until: now.monotonic)
    case .syncing, .failed: break
    }
  }

  /// Takes in that something failed on the ledger.
  mutating func fail(at now: ClockStepDetector.Reading) {
    agenda.recovery = nil
    phase = .failed(retryAt: now.monotonic + Self.retryPause)
  }

  /// Takes in an event; returns the work to do now, whose end is the next event, or `nil` for none.
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

  /// Returns the first work that is due, or waits for what is due next.
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

  /// Returns the write that may end a failure, if it is time for it.
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
    // A file that is with another thread is not waited for, unless somebody waits for what is to be written.
    if isTime, !needs.isSyncing || needs.gathered == .awaited { return .commit }
    phase = .failed(retryAt: retryAt <= now.monotonic ? now.monotonic + Self.retryPause : retryAt)
    return nil
  }
}
