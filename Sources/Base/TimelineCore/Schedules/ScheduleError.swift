/// Reasons to refuse a schedule when it is made.
public enum ScheduleError: Error, Sendable, Hashable {
  /// An interval was zero or negative.
  case intervalNotPositive(ElapsedTime)
  /// The date at `index`, counted from 0, is not later than the previous date.
  case datesNotAscending(index: Int, date: WallInstant, previous: WallInstant)
  /// A union without rules.
  case nothingToCompose
  /// More parts than a schedule may have.
  case tooMany(what: String, count: Int, limit: Int)
  /// A closed-loop rule, whose entries depend on its runs, cannot be part of a union or have windows.
  case closedLoopComposed(String)
  /// The last instant lies before the first.
  case endsBeforeStart(starts: WallInstant, ends: WallInstant)
  /// A number of entries is given without a start from which to count them.
  case limitWithoutStart
  /// A number of entries is not positive or too large to be counted.
  case limitOutOfRange(limit: Int, most: Int)
  /// A value of a recurrence is out of range, missing or not of its unit; with the remedy.
  case recurrenceRefused(String)
  /// Positions to pick are out of range, are given twice, are among too many entries or choose none; with the remedy.
  case pickRefused(String)
  /// Excluded entries cannot move: by a number of days out of range, without windows, or with too many entries of a day; with the
  /// remedy.
  case moveRefused(String)
  /// No entry was found in an open window.
  case neverMeets(stepCount: Int)
}

extension ScheduleError: CustomStringConvertible {
  /// The error and its remedy, in one sentence without a full stop.
  public var description: String {
    switch self {
    case .intervalNotPositive(let interval):
      "the interval \(interval) is not positive; give at least 1ns"
    case .datesNotAscending(let index, let date, let previous) where date == previous:
      "date \(index + 1), \(date), is given twice; leave one of the two out"
    case .datesNotAscending(let index, let date, let previous):
      "date \(index + 1), \(date), is earlier than the one before it, \(previous); put the dates in ascending order"
    case .nothingToCompose:
      "a union of no rules has no entries; give at least one"
    case .tooMany(let what, let count, let limit):
      "there are \(count) \(what), and at most \(limit) are taken; make a second job of the rest"
    case .closedLoopComposed(let rule):
      "\(rule) waits for the run before, so that it cannot be part of a union or have windows; give it a periodic rule"
    case .endsBeforeStart(let starts, let ends):
      "it ends at \(ends), before it starts at \(starts); exchange the two"
    case .limitWithoutStart:
      "a limit counts from the start, and there is none; give \"starts\" too"
    case .limitOutOfRange(let limit, let most):
      "the limit \(limit) is not from 1 to \(most); give an end instead"
    case .recurrenceRefused(let reason), .pickRefused(let reason), .moveRefused(let reason): reason
    case .neverMeets(let stepCount):
      "in \(stepCount) steps no entry was found that the windows let through; let the windows and the rule meet"
    }
  }
}
