import TimelineCore
import TimelineEngine
import TimelineLedger

extension WhyQuestion {
  /// Returns the actions of operators that affected an entry, oldest first.
  func actions(at finding: WhyFinding, _ ledger: some LedgerReader) -> [OperatorAction] {
    switch finding.kind {
    case .running(_, let entry): entry?.actions ?? []
    case .settled(let entry): entry.actions + surroundings(of: entry.record, ledger)
    default: []
    }
  }

  /// Returns the change of the mode that left an entry out. At a moment without an entry of an animation, returns the change
  /// that stopped the animation.
  func modeChange(at finding: WhyFinding, _ ledger: some LedgerReader) -> ModeChange? {
    let instant: WallInstant
    switch finding.kind {
    case .settled(let entry) where entry.record.outcome.decider == .mode:
      instant = entry.record.firstNominal
    case .counted, .none:
      guard schedule.isClosedLoop, let stretch = moment.stretches.last else { return nil }
      instant = min(now, stretch.upperBound - .nanoseconds(1))
    default: return nil
    }
    // After a backward clock step, the last change before an instant may have been made later, and may be to the normal mode.
    let change = ledger.modeChange(atOrBefore: instant)
    return change?.mode == .lowFrequency ? change : nil
  }

  /// Returns the pause in which an entry fell due, or the stop of the daemon that left the entry out.
  private func surroundings(of record: EntryRecord, _ ledger: some LedgerReader) -> [OperatorAction] {
    switch record.outcome.decider {
    case .pause: pause(at: record.entry.nominal, ledger)
    case .stop: stop(before: record.endedAt, ledger).map { [$0] } ?? []
    case .run, .timeout, .delivery, .overlap, .limit, .missed, .cron, .schedule, .mode:
      record.cause == .missed ? pause(at: record.entry.nominal, ledger) : []
    }
  }

  /// Returns the beginning and the end of the job's pause at an instant; empty if the job was not paused then.
  private func pause(at instant: WallInstant, _ ledger: some LedgerReader) -> [OperatorAction] {
    guard let pause = ledger.lastAction(.pause, on: job, atOrBefore: instant) else { return [] }
    if let former = ledger.lastAction(.resume, on: job, atOrBefore: instant), former.at >= pause.at {
      return []
    }
    return [pause] + (ledger.firstAction(.resume, on: job, atOrAfter: instant).map { [$0] } ?? [])
  }

  /// Returns the stop of the daemon shortly before `instant`, for an entry that was left out because of the stop.
  private func stop(before instant: WallInstant, _ ledger: some LedgerReader) -> OperatorAction? {
    ledger.lastAction(.stop, on: nil, atOrBefore: instant).flatMap {
      instant - $0.at < Self.stopLengthMax ? $0 : nil
    }
  }

  /// Longest time from the stop to the end of the entry. An older stop belongs to an earlier daemon. In this case this daemon
  /// was stopped from a terminal, which is not recorded as an action.
  private static let stopLengthMax = ElapsedTime.hours(1)
}
