package import TimelineCore

/// A date or a time in a record of `timeline-calendar`, such as `20261224T180000/Europe/Berlin`.
package struct CalendarText {
  /// The local time; midnight for a date.
  package var civil: CivilDateTime
  package var hasTime: Bool
  /// Text after the digits: nothing, `Z`, `/` and the name of a zone, or `=` and a time in UTC.
  package var rest: Substring

  /// Reads a text; `nil` if it does not begin with a date.
  package init?(_ text: Substring) {
    let clock = text.prefix { !"Z/=".contains($0) }
    let digits = clock.split(separator: "T")
    guard let date = Int(digits.first ?? ""), let time = Int(digits.count > 1 ? digits[1] : "0"),
      let day = CivilDate(year: date / 10_000, month: date / 100 % 100, day: date % 100),
      let timeOfDay = CivilTime(
        hour: time / 10_000, minute: time / 100 % 100, second: time % 100, nanosecond: 0)
    else { return nil }
    civil = CivilDateTime(date: day, time: timeOfDay)
    hasTime = digits.count > 1
    rest = text.dropFirst(clock.count)
  }
}
