/// A day and a time of day as a clock shows them, without a zone.
///
/// A ``Zone`` maps it to no instant, one instant or two.
public struct CivilDateTime: Sendable, Hashable {
  /// The day.
  public let date: CivilDate
  /// The time of the day.
  public let time: CivilTime

  /// Puts a day and a time together.
  public init(date: CivilDate, time: CivilTime) {
    self.date = date
    self.time = time
  }

  /// Makes the date and time shown at `instant` by a clock that is `offset` seconds, at most ±26 hours, ahead of UTC.
  public init(_ instant: WallInstant, offset: Int) {
    let (seconds, nanosecond) = instant.wholeSeconds
    let local = Int(seconds) + offset
    let days = local.flooredQuotient(by: 86_400)
    self.date = CivilDate(uncheckedDaysSinceEpoch: days)
    self.time = CivilTime(uncheckedSecondOfDay: local - days * 86_400, nanosecond: nanosecond)
  }

  /// Whole seconds from 1970-01-01T00:00:00 to this time on the same clock.
  var secondsSinceEpoch: Int { date.daysSinceEpoch * 86_400 + time.secondOfDay }

  /// The instant at which a clock that is `offset` seconds ahead of UTC shows this time, or `nil` outside the range.
  public func instant(offset: Int) -> WallInstant? {
    WallInstant(wholeSeconds: Int64(secondsSinceEpoch - offset), nanosecond: time.nanosecond)
  }
}

extension CivilDateTime: Comparable {
  /// Orders times on one clock from past to future.
  public static func < (left: CivilDateTime, right: CivilDateTime) -> Bool {
    left.date == right.date ? left.time < right.time : left.date < right.date
  }
}

extension CivilDateTime: CustomStringConvertible {
  /// Day and time with a space between, such as `2026-03-29 03:30:00`.
  public var description: String {
    var text = ASCIIText()
    text.append(date)
    text.append(UInt8(ascii: " "))
    text.append(time)
    return text.string
  }
}

extension WallInstant {
  /// Whole seconds since the epoch, rounded down, and the nanoseconds that are left.
  var wholeSeconds: (seconds: Int64, nanosecond: Int) {
    let seconds = nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000_000)
    // In the first second of the range the product can overflow; the wrapped difference is correct.
    return (seconds, Int(nanosecondsSinceEpoch &- seconds &* 1_000_000_000))
  }

  /// The instant of whole seconds since the epoch and some nanoseconds more, or `nil` outside the range.
  init?(wholeSeconds seconds: Int64, nanosecond: Int) {
    // In the first second of the range the whole seconds alone lie below the range, so the next second is used and
    // the rest is negative.
    let (base, rest) =
      seconds < 0 ? (seconds + 1, Int64(nanosecond) - 1_000_000_000) : (seconds, Int64(nanosecond))
    let (product, overflow) = base.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(rest)
    if overflow || carry { return nil }
    self.init(nanosecondsSinceEpoch: sum)
  }
}
