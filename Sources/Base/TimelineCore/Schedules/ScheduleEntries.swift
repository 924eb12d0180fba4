/// The entries of a schedule from some instant on, ascending.
///
/// It computes several entries at a time, so that most steps are a few instructions; a rule in a zone is searched only
/// near a clock change.
public struct ScheduleEntries: Sequence, IteratorProtocol, Sendable {
  /// Entries that are already computed.
  @usableFromInline var run: EntryRun
  /// The last entry of the run, after which the next run begins.
  private var last: WallInstant
  /// The cursors that find the next run of a cron or calendar rule away from clock changes; at most one is set. They
  /// are two properties so that a step changes one in place.
  private var cron: CivilCursor<CronExpression>?
  private var calendar: CivilCursor<CalendarExpression>?
  private let rule: ScheduleRule

  /// The entries of `rule` from `first` on, which must be an entry; `nil` for none.
  init(from first: WallInstant?, of rule: ScheduleRule) {
    run = EntryRun(first)
    last = first ?? .max
    self.rule = rule
    if let first { placeCursor(behind: first) }
  }

  /// The next entry, or `nil` after the last.
  @inlinable
  public mutating func next() -> WallInstant? { run.popFirst() ?? nextOfNextRun() }

  @usableFromInline
  mutating func nextOfNextRun() -> WallInstant? {
    if let next = nextRunOfCursor() {
      run = next
    } else {
      guard let entry = rule.next(after: last) else { return nil }
      if let stride = rule.stride(from: entry) {
        run = EntryRun(from: entry, by: stride)
      } else {
        run = EntryRun(entry)
        placeCursor(behind: entry)
      }
    }
    last = run.last
    return run.popFirst()
  }

  private mutating func nextRunOfCursor() -> EntryRun? {
    switch rule {
    case .cron(let schedule): cron?.nextRun(of: schedule.search.rule)
    case .calendar(let schedule): calendar?.nextRun(of: schedule.search.rule)
    default: nil
    }
  }

  private mutating func placeCursor(behind entry: WallInstant) {
    switch rule {
    case .cron(let schedule): cron = CivilCursor(behind: entry, of: schedule.search)
    case .calendar(let schedule): calendar = CivilCursor(behind: entry, of: schedule.search)
    default: break
    }
  }
}
