extension WallInstant: CustomStringConvertible {
  /// The instant as RFC 3339 writes it in UTC, with as many fraction digits as it needs.
  ///
  /// Such as `2026-01-01T00:00:00Z` or `2026-01-01T00:00:00.25Z`; ``init(rfc3339:)`` takes it back exactly.
  public var description: String {
    let civil = CivilDateTime(self, offset: 0)
    var text = ASCIIText()
    text.append(civil.date)
    text.append(UInt8(ascii: "T"))
    text.append(civil.time)
    text.append(UInt8(ascii: "Z"))
    return text.string
  }

  /// Date, time and abbreviation as a clock in `zone` shows them, for people: `2026-03-29 03:30:00 CEST`.
  public func text(in zone: Zone) -> String { "\(zone.civil(at: self)) \(zone.abbreviation(at: self))" }
}
