import TimelineCore
import TimelineLedger
import TimelineSystem

/// Due times of the ledger writer's work.
struct WriterAgenda {
  /// Next deadline of the engine. Work that can wait is not begun just before it.
  var nextDeadline: WallInstant?
  /// Due times of work that was scheduled; `nil` for none.
  var watermarks: MonotonicInstant?
  var recovery: MonotonicInstant?
  var tidying: MonotonicInstant?
  /// The ledger's next claim, and its due time.
  private var claim: (instant: WallInstant, due: MonotonicInstant)?
  /// Instant of the last write.
  private var writtenAt: MonotonicInstant?

  /// Pause between two writes of the ledger, unless somebody waits for one. A transaction costs as much as some tens of its rows, so
  /// ends that come one after the other share one. The pause is short because a killed process loses what it has not written.
  static let writePause = ElapsedTime.milliseconds(5)
  /// Idle time before the next deadline that work needs that can wait: longer than a portion of it takes.
  static let quietTime = ElapsedTime.milliseconds(20)
  /// Longest time for which claims are put off for that: short, because they must be on the disk by their deadlines.
  static let claimPatience = ElapsedTime.milliseconds(50)
  /// Longest time for which a portion of tidying is put off for that.
  static let tidyingPatience = ElapsedTime.seconds(5)

  /// Takes in the instant of the ledger's next claim. Its due time stays as it was computed once.
  mutating func follow(_ nextClaim: WallInstant?, at now: ClockStepDetector.Reading) {
    guard nextClaim != claim?.instant else { return }
    claim = nextClaim.map { ($0, now.monotonic + ($0 - now.wall)) }
  }

  /// Has the due time of the next claim computed anew.
  mutating func forgetClaim() { claim = nil }

  /// Takes in that the ledger was written.
  mutating func noteWrite(at now: ClockStepDetector.Reading) { writtenAt = now.monotonic }

  /// Returns the instant from which `work` can be done; `nil` if there is none to do.
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
    // Whether that moment is quiet is known when it has come.
    guard due <= now.monotonic, let delay = delay(at: now) else { return due }
    return min(now.monotonic + delay, due + patience)
  }
}
