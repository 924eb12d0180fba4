import TimelineCore
import TimelineEngine
import TimelineLedger

extension WhyQuestion {
  /// The actions of operators that had a part in what became of an entry, oldest first.
  func actions(at finding: WhyFinding, _ ledger: some LedgerReader) -> [OperatorAction] {
    switch finding.kind {
    case .running(_, let entry): entry?.actions ?? []
    case .settled(let entry): entry.actions + surroundings(of: entry.record, ledger)
    default: []
    }
  }

  /// The change of the mode that left an entry out, or because of which an animation stood still at a moment without one.
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
    // After a clock step backward the last change before an instant may be a later one, to the normal mode.
    let change = ledger.modeChange(atOrBefore: instant)
    return change?.mode == .lowFrequency ? change : nil
  }

  /// The pause in which an entry fell due, or the stop of the daemon that left it out.
  private func surroundings(of record: EntryRecord, _ ledger: some LedgerReader) -> [OperatorAction] {
    switch record.outcome.decider {
    case .pause: pause(at: record.entry.nominal, ledger)
    case .stop: stop(before: record.endedAt, ledger).map { [$0] } ?? []
    case .run, .timeout, .delivery, .overlap, .limit, .missed, .cron, .schedule, .mode:
      record.cause == .missed ? pause(at: record.entry.nominal, ledger) : []
    }
  }

  /// The beginning and the end of the job's pause at an instant; none where it was not paused then.
  private func pause(at instant: WallInstant, _ ledger: some LedgerReader) -> [OperatorAction] {
    guard let pause = ledger.lastAction(.pause, on: job, atOrBefore: instant) else { return [] }
    if let former = ledger.lastAction(.resume, on: job, atOrBefore: instant), former.at >= pause.at {
      return []
    }
    return [pause] + (ledger.firstAction(.resume, on: job, atOrAfter: instant).map { [$0] } ?? [])
  }

  /// The stop that an entry which was left out by one followed.
  private func stop(before instant: WallInstant, _ ledger: some LedgerReader) -> OperatorAction? {
    ledger.lastAction(.stop, on: nil, atOrBefore: instant).flatMap {
      instant - $0.at < Self.stopLengthMax ? $0 : nil
    }
  }

  /// An older stop is that of an earlier daemon: this one was stopped from a terminal, which has no name.
  private static let stopLengthMax = ElapsedTime.hours(1)
}
