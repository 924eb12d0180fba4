/// The move of entries that windows or holidays exclude: to the same local time of a day that lets them through.
///
/// The local time of an entry is the one that clocks show at its instant. An entry whose time no window lets through on any day
/// within reach stays excluded. Entries that come to lie at one instant are one entry.
public struct EntryMove: Sendable, Hashable {
  /// The days to which an excluded entry can move, in their order.
  public enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The days before its own, the last of them first.
    case before
    /// The days after its own, the first of them first.
    case after
    /// The days on both sides, by their distance; of two days at one distance the earlier.
    case nearest
  }

  /// The days to which an entry can move.
  public let direction: Direction
  /// The most days by which an entry moves.
  public let dayMax: Int
  /// Whether an entry stays in its month. It moves in the other direction rather than leave the month.
  public let isWithinMonth: Bool

  /// The days by which an entry can move: at most as many as the longest month has.
  public static let days = 1...31
  /// The days by which an entry moves unless a number is given: longer than any row of holidays with its weekends.
  public static let dayMaxDefault = 7
  /// The most entries of a day, one in each hour; a day with more hours has as many more. A search looks at each entry of the days
  /// from which one can move.
  public static let dayEntryCountMax = 24

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - direction: The days to which an entry can move.
  ///   - dayMax: The most days by which an entry moves.
  ///   - isWithinMonth: Whether an entry stays in its month.
  public init(
    _ direction: Direction, dayMax: Int = Self.dayMaxDefault, isWithinMonth: Bool = false
  ) throws(ScheduleError) {
    guard Self.days.contains(dayMax) else {
      throw .moveRefused(
        "an entry cannot move by \(dayMax) days; give \(Self.days.lowerBound) to \(Self.days.upperBound)")
    }
    self.direction = direction
    self.dayMax = dayMax
    self.isWithinMonth = isWithinMonth
  }
}

extension EntryMove: CustomStringConvertible {
  /// The move in words, such as `excluded entries move to the next day that lets them through, within 7 days`.
  public var description: String {
    let day =
      switch direction {
      case .before: "previous"
      case .after: "next"
      case .nearest: "nearest"
      }
    return "excluded entries move to the \(day) day that lets them through, within \(dayMaxText)"
      + (isWithinMonth ? " and the month" : "")
  }

  /// The most days by which an entry moves, such as `7 days`.
  var dayMaxText: String { dayMax == 1 ? "1 day" : "\(dayMax) days" }
}
