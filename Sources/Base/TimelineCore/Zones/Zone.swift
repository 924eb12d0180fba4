/// The rules for local time in a zone: a value, built from bytes, that needs no further lookup.
///
/// Copies share their storage. Two zones are equal when they have the same name and the same rules, so a new
/// edition of the zone database is detected as a change.
public struct Zone: Sendable {
  @usableFromInline let storage: ZoneStorage

  init(storage: ZoneStorage) {
    self.storage = storage
  }

  /// Coordinated Universal Time, which has no transitions.
  public static let utc = Zone(
    storage: ZoneStorage(
      name: "UTC",
      types: [ZoneLocalTime(offset: 0, isDaylightSaving: false, abbreviation: "UTC")],
      stretches: [(start: .min, type: 0)]))

  /// The name that the zone was given, such as `Europe/Berlin`.
  public var name: String { storage.name }
}

extension Zone {
  /// The seconds that clocks in the zone are ahead of UTC at `instant`; negative west of it.
  @inlinable
  public func offset(at instant: WallInstant) -> Int {
    Int(storage.offsets[storage.index(at: instant.nanosecondsSinceEpoch)])
  }

  /// Whether the zone calls its time at `instant` daylight saving; Dublin does so in winter.
  public func isDaylightSaving(at instant: WallInstant) -> Bool { localTime(at: instant).isDaylightSaving }

  /// Returns the abbreviation of the local time at `instant`, for example `CEST`.
  public func abbreviation(at instant: WallInstant) -> String { localTime(at: instant).abbreviation }

  /// Returns the local date and time in the zone at `instant`.
  public func civil(at instant: WallInstant) -> CivilDateTime {
    CivilDateTime(instant, offset: offset(at: instant))
  }

  /// The first instant strictly later than `instant` at which offset, daylight saving or abbreviation change.
  public func nextTransition(after instant: WallInstant) -> WallInstant? {
    let index = storage.index(at: instant.nanosecondsSinceEpoch) + 1
    return index < storage.starts.count ? WallInstant(nanosecondsSinceEpoch: storage.starts[index]) : nil
  }

  /// The last instant not later than `instant` at which offset, daylight saving or abbreviation changed.
  public func previousTransition(atOrBefore instant: WallInstant) -> WallInstant? {
    let index = storage.index(at: instant.nanosecondsSinceEpoch)
    return index > 0 ? WallInstant(nanosecondsSinceEpoch: storage.starts[index]) : nil
  }

  /// Instant from which on every offset is a whole number of minutes; `.max` when there is none.
  var wholeMinutesSince: WallInstant { WallInstant(nanosecondsSinceEpoch: storage.wholeMinutesSince) }

  /// Offset, daylight saving and abbreviation at `instant`.
  func localTime(at instant: WallInstant) -> ZoneLocalTime {
    storage.types[Int(storage.typeIndices[storage.index(at: instant.nanosecondsSinceEpoch)])]
  }
}

extension Zone: Hashable {
  /// Whether the name and every rule are the same.
  public static func == (left: Zone, right: Zone) -> Bool {
    left.storage === right.storage
      || left.storage.name == right.storage.name && left.storage.starts == right.storage.starts
        && left.storage.offsets == right.storage.offsets && left.storage.types == right.storage.types
        && left.storage.typeIndices == right.storage.typeIndices
  }

  /// Hashes only the name. Different zones with one name are two editions of the database, and rare.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.name) }
}

extension Zone: CustomStringConvertible {
  /// The name.
  public var description: String { name }
}
