import TimelineCore
import TimelineLedger
import TimelineSystem

/// Due times of the ledger writer's work.
struct WriterAgenda {
  /// Next deadline of the engine. Deferrable work is not begun just before the deadline.
  var nextDeadline: WallInstant?
  /// Due times of scheduled work; `nil` for none.
  var watermarks: MonotonicInstant?
  var recovery: MonotonicInstant?
  var tidying: MonotonicInstant?
  /// The ledger's next claim, and its due time.
  private var claim: (instant: WallInstant, due: MonotonicInstant)?
  private var writtenAt: MonotonicInstant?

  /// Pause between two writes of the ledger, unless a caller waits for a write. A transaction costs as much as some tens of its
  /// rows, so successive ends of runs share a transaction. The pause is short because a killed process loses its unwritten
  /// changes.
  static let writePause = ElapsedTime.milliseconds(5)
  /// Idle time before the next deadline that deferrable work needs: longer than a portion of the work takes.
  static let quietTime = ElapsedTime.milliseconds(20)
  /// Longest time for which claims are deferred until the loop is idle: short, because they must be on the disk by their
  /// deadlines.
  static let claimPatience = ElapsedTime.milliseconds(50)
  /// Longest time for which a portion of tidying is deferred until the loop is idle.
  static let tidyingPatience = ElapsedTime.seconds(5)

  /// Sets the instant of the ledger's next claim. The due time of an unchanged claim is not computed again.
  mutating func follow(_ nextClaim: WallInstant?, at now: ClockStepDetector.Reading) {
    guard nextClaim != claim?.instant else { return }
    claim = nextClaim.map { ($0, now.monotonic + ($0 - now.wall)) }
  }

  /// Discards the due time of the next claim, so that it is computed anew.
  mutating func forgetClaim() { claim = nil }

  /// Records that the ledger was written.
  mutating func noteWrite(at now: ClockStepDetector.Reading) { writtenAt = now.monotonic }

  /// Returns the instant from which `work` can be done; `nil` if there is no `work` to do.
  func due(_ work: WriterState.Work, _ needs: LedgerNeeds, at now: ClockStepDetector.Reading)
    -> MonotonicInstant?
  {
    switch work {
    case .claims: claim.map { quietInstant(from: $0.due, patience: Self.claimPatience, at: now) }
    case .commit:
      switch needs.gathered {
      case .nothing: nil
      case .some: writtenAt.map { $0 + Self.writePause } ?? now.monotonic
      case .awaited: now.monotonic
      }
    case .watermarks: watermarks
    case .recovery: recovery
    case .tidying: tidying.map { quietInstant(from: $0, patience: Self.tidyingPatience, at: now) }
    case .sync(let isQuiet):
      needs.disk == .atOnce || needs.disk == .whenQuiet && isQuiet ? now.monotonic : nil
    }
  }

  /// Whether no deadline comes soon.
  func isQuiet(at now: ClockStepDetector.Reading) -> Bool { delay(at: now) == nil }

  private func delay(at now: ClockStepDetector.Reading) -> ElapsedTime? {
    IdleWindow.delay(of: Self.quietTime, at: now.wall, before: nextDeadline, atLatest: .max)
  }

  /// Returns the first instant from `due` on at which no deadline comes soon, but at most `patience` later.
  private func quietInstant(
    from due: MonotonicInstant, patience: ElapsedTime, at now: ClockStepDetector.Reading
  ) -> MonotonicInstant {
    // Before `due` it is not known whether that instant is quiet.
    guard due <= now.monotonic, let delay = delay(at: now) else { return due }
    return min(now.monotonic + delay, due + patience)
  }
}
