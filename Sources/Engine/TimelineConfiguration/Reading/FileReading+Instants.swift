import TimelineCore

extension FileReading {
  /// Returns the instant of a date-time. Without an offset, the date-time is a local time in `zone`, where it must
  /// occur exactly once.
  ///
  /// If `zone` is `nil`, its error has been reported. A time without an offset then returns `nil` without a further
  /// report.
  func instant(_ item: Item, in zone: Zone?) -> WallInstant? {
    let expected = "a date-time such as 2026-01-31T08:00:00Z"
    switch item.value.content {
    case .offsetDateTime(let civil, let offsetMinutes):
      guard let instant = civil.instant(offset: offsetMinutes * 60) else { return outOfRange(item) }
      return instant
    case .localDateTime(let civil):
      guard let zone else { return nil }
      return resolve(civil, in: zone, of: item)
    case .localDate(let date):
      wrongKind(item, expected: expected, help: ["give a time too: \(date)T00:00:00"])
    case .string(let text):
      let readable = (try? WallInstant(rfc3339: text)) != nil
      wrongKind(item, expected: expected, help: readable ? ["write it without quotes: \(text)"] : [])
    default:
      wrongKind(item, expected: expected)
    }
    return nil
  }

  private func resolve(_ civil: CivilDateTime, in zone: Zone, of item: Item) -> WallInstant? {
    switch zone.instants(of: civil) {
    case .one(let instant): return instant
    case .outOfRange: return outOfRange(item)
    case .gap(let transition, let later, let earlier):
      log.error(
        "\(civil) does not exist in \(zone.name)", at: item.place,
        label: "clocks were put forward to \(zone.civil(at: transition)) before it",
        help: [
          "write \(Self.text(later, in: zone)) for as long after the last hour, or \(Self.text(earlier, in: zone))"
        ])
      return nil
    case .fold(let first, let second):
      log.error(
        "\(civil) comes twice in \(zone.name)", at: item.place, label: "expected an offset that tells which",
        help: [
          "write \(Self.text(first, in: zone)) for the first, \(Self.text(second, in: zone)) for the second"
        ])
      return nil
    }
  }

  private func outOfRange(_ item: Item) -> WallInstant? {
    log.error(
      "`\(item.path)` is out of range", at: item.place,
      label: "expected a date-time from \(WallInstant.min) to \(WallInstant.max)")
    return nil
  }

  /// Returns RFC 3339 text with the zone's offset at the instant. If the offset is not a whole minute, as before 1972, the
  /// text is in UTC.
  private static func text(_ instant: WallInstant, in zone: Zone) -> String {
    guard zone.offset(at: instant).isMultiple(of: 60) else { return instant.description }
    return RFC3339.text(zone.civil(at: instant), offsetMinutes: zone.offset(at: instant) / 60)
  }
}

/// Dates and times in RFC 3339. ``TimelineCore`` only writes instants in UTC.
enum RFC3339 {
  /// Returns day, time and offset, such as `2026-01-31T08:00:00+01:00`.
  static func text(_ civil: CivilDateTime, offsetMinutes: Int) -> String {
    guard offsetMinutes != 0 else { return text(civil) + "Z" }
    let magnitude = abs(offsetMinutes)
    let (hours, minutes) = (twoDigits(magnitude / 60), twoDigits(magnitude % 60))
    return text(civil) + (offsetMinutes < 0 ? "-" : "+") + hours + ":" + minutes
  }

  /// Returns day and time without an offset, such as `2026-01-31T08:00:00`.
  static func text(_ civil: CivilDateTime) -> String { "\(civil.date)T\(civil.time)" }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
