/// A time of day on a 24-hour clock, to the nanosecond, without a zone and without leap seconds.
public struct CivilTime: Sendable, Hashable {
  /// The hour, 0 to 23.
  public let hour: Int
  /// The minute, 0 to 59.
  public let minute: Int
  /// The second, 0 to 59.
  public let second: Int
  /// The nanosecond, 0 to 999,999,999.
  public let nanosecond: Int

  /// 00:00:00.
  public static let midnight = CivilTime(uncheckedHour: 0, minute: 0, second: 0, nanosecond: 0)

  /// Makes the time; `nil` if there is no such time. 24:00 and second 60 are not times.
  public init?(hour: Int, minute: Int, second: Int = 0, nanosecond: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second),
      (0...999_999_999).contains(nanosecond)
    else { return nil }
    self.init(uncheckedHour: hour, minute: minute, second: second, nanosecond: nanosecond)
  }

  /// The time that lies `secondOfDay`, 0 to 86,399, and `nanosecond` after midnight; the caller must ensure the ranges.
  init(uncheckedSecondOfDay secondOfDay: Int, nanosecond: Int) {
    self.init(
      uncheckedHour: secondOfDay / 3_600,
      minute: secondOfDay / 60 % 60,
      second: secondOfDay % 60,
      nanosecond: nanosecond)
  }

  private init(uncheckedHour hour: Int, minute: Int, second: Int, nanosecond: Int) {
    self.hour = hour
    self.minute = minute
    self.second = second
    self.nanosecond = nanosecond
  }

  /// Whole seconds since midnight, 0 to 86,399.
  public var secondOfDay: Int { hour * 3_600 + minute * 60 + second }
}

extension CivilTime: Comparable {
  /// Orders times from midnight to midnight.
  public static func < (left: CivilTime, right: CivilTime) -> Bool {
    (left.secondOfDay, left.nanosecond) < (right.secondOfDay, right.nanosecond)
  }
}

extension CivilTime: CustomStringConvertible {
  /// The time with as many fraction digits as it needs, such as `03:30:00` or `03:30:00.5`.
  public var description: String {
    var text = ASCIIText()
    text.append(self)
    return text.string
  }

  /// The time to the millisecond, for people, such as `03:30:00` or `03:30:00.500`; a moment of that precision finds it.
  package var shown: String {
    var text = ASCIIText()
    text.append(self, toMillisecond: true)
    return text.string
  }
}
