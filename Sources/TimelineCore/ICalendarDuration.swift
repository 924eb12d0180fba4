/// How long an event of iCalendar is (RFC 5545, 3.3.6): `P3D`, `P1W` or `P1DT12H30M`.
struct ICalendarDuration {
  /// Its length on a clock that is never changed.
  var seconds = 0
  /// Whether hours, minutes or seconds are written.
  var hasTime = false

  /// More digits than a number of an event of a year needs, in seconds too, and no sum of them overflows.
  private static let digitsMax = 9

  /// Reads a duration, or leaves the cursor where something else is expected; one that is negative is none of an event.
  init?(_ cursor: inout ByteCursor) {
    _ = cursor.take("+")
    guard cursor.take("P") else { return nil }
    if cursor.peek != UInt8(ascii: "T") {
      guard let number = Self.number(&cursor) else { return nil }
      // Weeks stand alone.
      if cursor.take("W") {
        seconds = number * 7 * 86_400
        return
      }
      guard cursor.take("D") else { return nil }
      seconds = number * 86_400
    }
    guard cursor.take("T") else { return }
    hasTime = true
    var units = [("H", 3_600), ("M", 60), ("S", 1)][...]
    repeat {
      guard let number = Self.number(&cursor),
        let index = units.firstIndex(where: { unit in cursor.take(unit.0) })
      else { return nil }
      seconds += number * units[index].1
      units = units[(index + 1)...]
    } while !cursor.isAtEnd
  }

  private static func number(_ cursor: inout ByteCursor) -> Int? {
    let digits = cursor.takeDigits(upTo: digitsMax)
    return digits.isEmpty ? nil : digits.decimal()
  }
}
