/// The entries of a schedule from some instant on, ascending.
///
/// It takes them from the schedule some at a time, so that most steps are a few instructions; a rule in a zone is
/// searched anew only near a change of the clocks.
public struct ScheduleEntries: Sequence, IteratorProtocol, Sendable {
  /// Entries that are known.
  @usableFromInline var run: EntryRun
  /// The last entry of the run: where the next one begins.
  private var last: WallInstant
  private var cursor: Cursor
  private let rule: ScheduleRule

  /// What finds the next run of rules that are read from clocks, away from their changes.
  private enum Cursor: Sendable {
    case search
    case cron(CivilCursor<CronExpression>)
    case calendar(CivilCursor<CalendarExpression>)

    /// Goes on behind an entry of `rule`.
    init(behind entry: WallInstant, of rule: ScheduleRule) {
      self =
        switch rule {
        case .cron(let schedule): CivilCursor(behind: entry, of: schedule.search).map(Cursor.cron) ?? .search
        case .calendar(let schedule):
          CivilCursor(behind: entry, of: schedule.search).map(Cursor.calendar) ?? .search
        default: .search
        }
    }

    mutating func nextRun() -> EntryRun? {
      switch self {
      case .search: return nil
      case .cron(var cursor):
        defer { self = .cron(cursor) }
        return cursor.nextRun()
      case .calendar(var cursor):
        defer { self = .calendar(cursor) }
        return cursor.nextRun()
      }
    }
  }

  /// The entries of `rule` from `first` on, which must be one; `nil` for none.
  init(from first: WallInstant?, of rule: ScheduleRule) {
    run = EntryRun(first)
    last = first ?? .max
    cursor = first.map { Cursor(behind: $0, of: rule) } ?? .search
    self.rule = rule
  }

  /// The next entry, or `nil` after the last.
  @inlinable
  public mutating func next() -> WallInstant? { run.popFirst() ?? nextOfNextRun() }

  @usableFromInline
  mutating func nextOfNextRun() -> WallInstant? {
    if let next = cursor.nextRun() {
      run = next
    } else {
      guard let entry = rule.next(after: last) else { return nil }
      switch rule {
      case .periodic(let schedule): run = EntryRun(from: entry, by: schedule.interval)
      case .everyMinute(let schedule) where schedule.isRegular(since: entry):
        run = EntryRun(from: entry, by: .minutes(1))
      default:
        run = EntryRun(entry)
        cursor = Cursor(behind: entry, of: rule)
      }
    }
    last = run.last
    return run.popFirst()
  }
}
