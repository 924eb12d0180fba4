import TimelineConfiguration
import TimelineCore

/// A date or a time of an event as it is written.
struct IcalMoment: Sendable, Equatable {
  /// The clocks that show the time.
  enum Clock: Sendable, Equatable {
    /// A day without a time.
    case day
    /// A time without a zone.
    case floating
    case utc
    /// A zone by its TZID.
    case zone(String)
  }

  /// Midnight for a day.
  var civil: CivilDateTime
  var clock: Clock

  /// Reads `20261224`, `20261224T180000`, `20261224T170000Z` or `20261224T180000/TZID`.
  init?(_ text: Substring) {
    guard let read = CalendarText(text) else { return nil }
    civil = read.civil
    switch read.rest.first {
    case nil: clock = read.hasTime ? .floating : .day
    case "Z": clock = .utc
    default: clock = .zone(String(read.rest.dropFirst()))
    }
  }
}
