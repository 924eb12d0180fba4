import TimelineControl
import TimelineCore
import TimelineEngine
import TimelineLedger

/// Search for entries of a job's schedule that have an outcome and no success.
struct GapSearch {
  let schedule: ScheduleRule
  /// Start of the stretch, included.
  let from: WallInstant
  /// End of the stretch, not included, and not later than now.
  let until: WallInstant
  /// Records of entries of the schedule in the stretch, ascending. A record of several entries may reach over both ends.
  var records: [LedgerEntry] = []
  /// Outcomes of repetitions, by the entries in the stretch that they repeat.
  var repetitions: [WallInstant: Outcome] = [:]
  /// Entries that wait or run.
  var active: Set<WallInstant> = []
  /// The first entries without a record that are not decided yet: the job's next entry, and the start of its pause.
  var undecidedSince: [WallInstant] = []
  /// Entries that do not run because they have run where they had moved.
  var movedAway: Set<WallInstant> = []
  /// The end of the stretch if only its beginning could be read; `nil` for the whole stretch.
  var end: WallInstant?

  /// Entries without a success.
  struct Result {
    /// The records, oldest first. Each stands for those of its entries that are consecutive gaps.
    var gaps: [LedgerEntry] = []
    /// Number of entries without a record.
    var unknownCount = 0
    /// Instant before which the search ended; `nil` if it has reached the end of the stretch.
    var end: WallInstant?
  }

  /// Returns at most `limit` gaps.
  func run(limit: Int) -> Result {
    var (result, former) = (Result(), EntryKey?.none)
    result.end = visit { nominal, state in
      switch state {
      case .decided: former = nil
      case .unknown:
        result.unknownCount += 1
        former = nil
      case .gap(let entry) where former == entry.record.entry:
        result.gaps[result.gaps.count - 1].extend(to: nominal)
      case .gap(let entry):
        guard result.gaps.count < limit else { return false }
        former = entry.record.entry
        result.gaps.append(entry.narrowed(to: nominal))
      }
      return true
    }
    return result
  }

  /// Entries that a backfill runs again.
  struct Repeatable {
    /// Their nominal instants, ascending.
    var entries: [WallInstant] = []
    /// Number of entries without a record that are left out.
    var unrecordedCount = 0
    /// Instant before which the search ended; `nil` if it has reached the end of the stretch.
    var end: WallInstant?
  }

  /// Returns the gaps with one of the outcomes, and the entries without a record if they are included. The outcome of an entry that
  /// was repeated is that of its last repetition: it may have run.
  func repeatable(_ outcomes: Set<Outcome>, includingUnrecorded: Bool) -> Repeatable {
    var found = Repeatable()
    found.end = visit { nominal, state in
      let outcome: Outcome? =
        switch state {
        case .decided: .succeeded
        case .gap(let entry): repetitions[nominal] ?? entry.record.outcome
        case .unknown: repetitions[nominal]
        }
      if outcome.map(outcomes.contains) ?? includingUnrecorded {
        found.entries.append(nominal)
      } else if outcome == nil {
        found.unrecordedCount += 1
      }
      return true
    }
    return found
  }

  /// Calls `body` with each entry of the stretch, ascending, until it returns `false`. Returns the entry at which the visit ended;
  /// `nil` if it has reached the end of the stretch.
  private func visit(_ body: (WallInstant, State) -> Bool) -> WallInstant? {
    let singles = Dictionary(
      records.lazy.filter { !$0.record.isRange }.map { ($0.record.entry.nominal, $0) },
      uniquingKeysWith: { first, _ in first })
    var ranges = records.filter(\.record.isRange)[...]
    var count = 0
    var next = schedule.next(after: from - .nanoseconds(1))
    while let nominal = next, nominal < until {
      while let range = ranges.first, range.record.entry.nominal < nominal { ranges.removeFirst() }
      let range = ranges.first.flatMap { $0.record.firstNominal <= nominal ? $0 : nil }
      guard body(nominal, state(of: nominal, singles[nominal] ?? range)) else { return nominal }
      count += 1
      next = schedule.next(after: nominal)
      guard count < ControlLimits.gapEntriesMax else { return next.flatMap { $0 < until ? $0 : nil } }
    }
    return nil
  }

  private enum State {
    /// A success, or no outcome yet.
    case decided
    case unknown
    case gap(LedgerEntry)
  }

  private func state(of nominal: WallInstant, _ found: LedgerEntry?) -> State {
    if active.contains(nominal) || repetitions[nominal] == .succeeded { return .decided }
    if let found {
      return found.isOpen || found.record.outcome.kind == .success ? .decided : .gap(found)
    }
    let isUndecided = undecidedSince.contains { $0 <= nominal }
    return isUndecided || movedAway.contains(nominal) ? .decided : .unknown
  }
}

extension EntryRecord {
  /// Whether the record stands for consecutive entries that did not run.
  fileprivate var isRange: Bool { firstNominal < entry.nominal }
}

extension LedgerEntry {
  /// Returns the record for one of its entries.
  fileprivate func narrowed(to nominal: WallInstant) -> LedgerEntry {
    var entry = self
    entry.record.entry.nominal = nominal
    (entry.record.firstNominal, entry.record.entryCount) = (nominal, 1)
    return entry
  }

  /// Adds the next of the entries that share the record.
  fileprivate mutating func extend(to nominal: WallInstant) {
    record.entry.nominal = nominal
    record.entryCount += 1
  }
}
