/// Why a schedule was refused where it was written.
public enum ScheduleError: Error, Sendable, Hashable {
  /// An interval was zero or negative.
  case intervalNotPositive(ElapsedTime)
  /// The date at `index`, counted from 0, is not later than the one before it.
  case datesNotAscending(index: Int, date: WallInstant, previous: WallInstant)
}

extension ScheduleError: CustomStringConvertible {
  /// What is wrong and what to write instead, in one sentence without a full stop.
  public var description: String {
    switch self {
    case .intervalNotPositive(let interval):
      "the interval \(interval) is not positive; give at least 1ns"
    case .datesNotAscending(let index, let date, let previous) where date == previous:
      "date \(index + 1), \(date), is given twice; leave one of the two out"
    case .datesNotAscending(let index, let date, let previous):
      "date \(index + 1), \(date), is earlier than the one before it, \(previous); put the dates in ascending order"
    }
  }
}
