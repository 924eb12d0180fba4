/// A zone that is written as an offset from UTC, such as `UTC+3`, `GMT-05:00` or `+0530`. The zone database has names for whole
/// hours only, with the sign of POSIX.
public struct FixedOffset: Sendable, Hashable {
  /// Minutes ahead of UTC.
  public let minutes: Int

  /// Reads an offset with or without `UTC` or `GMT` in front; `nil` for any other text.
  public init?(_ text: String) {
    var cursor = ByteCursor(Array(text.utf8.prefix(16)).map(\.asLowercase))
    if !cursor.take("utc") { _ = cursor.take("gmt") }
    let isWest = cursor.take("-")
    guard isWest || cursor.take("+") else { return nil }
    let digits = cursor.takeDigits(upTo: 4)
    guard let number: Int = digits.decimal(), !digits.isEmpty else { return nil }
    var (hours, rest) = digits.count > 2 ? (number / 100, number % 100) : (number, 0)
    if digits.count <= 2, cursor.take(":") {
      let part = cursor.takeDigits(upTo: 2)
      guard part.count == 2, let number: Int = part.decimal() else { return nil }
      rest = number
    }
    guard cursor.isAtEnd, hours <= 14, rest < 60 else { return nil }
    if isWest { (hours, rest) = (-hours, -rest) }
    minutes = hours * 60 + rest
  }

  /// The name of the zone of this offset; `nil` if the database has none.
  public var zoneName: String? {
    guard minutes % 60 == 0, (-12 * 60...14 * 60).contains(minutes) else { return nil }
    if minutes == 0 { return "UTC" }
    return minutes > 0 ? "Etc/GMT-\(minutes / 60)" : "Etc/GMT+\(-minutes / 60)"
  }

  /// A note about ``zoneName``, or the text to write if there is none.
  public var hint: String {
    zoneName == nil
      ? "no zone has just this offset: name a place, such as \"Asia/Kolkata\""
      : "the sign is POSIX's: \"Etc/GMT-3\" is three hours ahead of UTC; a place's name also follows its clock changes"
  }
}
