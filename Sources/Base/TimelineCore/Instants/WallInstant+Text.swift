/// Writes instants one after the other; fast when days or instants repeat.
///
/// Caches the text of the day, which is the most expensive part, and the whole text of the last instant.
package struct InstantWriter: Sendable {
  private var instant: WallInstant
  private var zone: Zone?
  /// The day of the cached text: days since the epoch in the zone's local time; `Int64.min` at first.
  private var day = Int64.min
  private var text = ASCIIText()

  /// Makes a writer that has written `instant` last.
  package init(_ instant: WallInstant = .epoch) {
    self.instant = instant
    rewrite(instant)
  }

  /// The instant as RFC 3339 writes it in UTC, with as many fraction digits as it needs: 20 to 30 characters. With a
  /// zone, date, time to the millisecond and abbreviation as a clock there shows them: up to 32 characters.
  package mutating func text(of instant: WallInstant, in zone: Zone? = nil) -> ASCIIText {
    turn(to: instant, in: zone)
    return text
  }

  /// Writes the text of ``text(of:in:)`` into `span` at `offset` and returns its end; always writes
  /// ``ASCIIText/room`` bytes.
  package mutating func put(
    _ instant: WallInstant, in zone: Zone? = nil, into span: inout MutableRawSpan, at offset: Int
  ) -> Int {
    turn(to: instant, in: zone)
    return text.put(into: &span, at: offset)
  }

  private mutating func turn(to instant: WallInstant, in zone: Zone?) {
    if zone != self.zone {
      self.zone = zone
    } else if instant == self.instant {
      return
    }
    rewrite(instant)
  }

  private mutating func rewrite(_ instant: WallInstant) {
    self.instant = instant
    let local = zone?.localTime(at: instant)
    let (utc, nanosecond) = instant.wholeSeconds
    let seconds = utc + Int64(local?.offset ?? 0)
    let day = seconds.flooredQuotient(by: 86_400)
    if day == self.day {
      text.shorten(to: Self.dateLength)
    } else {
      self.day = day
      text.shorten(to: 0)
      text.append(CivilDate(uncheckedDaysSinceEpoch: Int(day)))
    }
    text.append(local == nil ? UInt8(ascii: "T") : UInt8(ascii: " "))
    text.append(
      CivilTime(uncheckedSecondOfDay: Int(seconds - day * 86_400), nanosecond: nanosecond),
      toMillisecond: local != nil)
    guard let local else { return text.append(UInt8(ascii: "Z")) }
    text.append(UInt8(ascii: " "))
    // A damaged zone file may have a longer abbreviation, for which there is no room.
    for byte in local.abbreviation.utf8.prefix(8) { text.append(byte) }
  }

  /// The length of `2026-03-29`.
  private static let dateLength = 10
}

extension WallInstant: CustomStringConvertible {
  /// The instant as RFC 3339 writes it in UTC, with as many fraction digits as it needs.
  ///
  /// For example `2026-01-01T00:00:00Z` or `2026-01-01T00:00:00.25Z`; ``init(rfc3339:)`` reads it back exactly.
  public var description: String {
    var writer = InstantWriter(self)
    return writer.text(of: self).string
  }

  /// Date, time and abbreviation as a clock in `zone` shows them, for people: `2026-03-29 03:30:00 CEST`.
  ///
  /// The text has milliseconds if they are not zero, and nothing finer: `2026-03-29 03:30:00.250 CEST`.
  public func text(in zone: Zone) -> String {
    let civil = zone.civil(at: self)
    return "\(civil.date) \(civil.time.shown) \(zone.abbreviation(at: self))"
  }
}

extension WallInstant {
  /// The instant rounded down to a millisecond, the precision of dates for people.
  package var wholeMilliseconds: WallInstant {
    let millisecond: Int64 = 1_000_000
    let whole = nanosecondsSinceEpoch.flooredQuotient(by: millisecond)
    return WallInstant(nanosecondsSinceEpoch: whole.multipliedSaturating(by: millisecond))
  }
}
