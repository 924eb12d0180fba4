/// A point in time with the precision of its text: `02:30` names a minute, `now` an instant.
///
/// A search for an entry at a moment checks the moment's stretches in order.
public struct Moment: Sendable, Hashable {
  /// The stretches of the moment, ascending and never empty; times that clocks skip or show twice have two.
  public var stretches: [Range<WallInstant>]
  /// The effect of daylight saving on the written time, if any.
  public var oddity: Ambiguity?

  /// A civil time that is not one instant.
  public enum Ambiguity: Sendable, Hashable {
    /// Clocks never showed the time: at `transition` they were put forward over it.
    ///
    /// The stretches are the transition, and the time on a clock that was not put forward.
    case skipped(CivilDateTime, transition: WallInstant)
    /// Clocks showed the time twice. The moment has both stretches.
    case shownTwice(CivilDateTime)
  }

  /// Makes a moment of one instant, exact to the nanosecond.
  public init(_ instant: WallInstant) {
    stretches = [instant..<instant + .nanoseconds(1)]
  }

  init(stretches: [Range<WallInstant>], oddity: Ambiguity? = nil) {
    precondition(!stretches.isEmpty, "a moment lies somewhere")
    self.stretches = stretches
    self.oddity = oddity
  }

  /// The first instant of the first stretch.
  public var start: WallInstant { stretches[0].lowerBound }

  /// The forms that ``init(parsing:now:in:)`` accepts, as part of an error message.
  public static let forms =
    "`now`, `02:30`, `yesterday 02:30`, `2026-11-21 02:30`, `2026-11-21`, `2h ago`, `in 2h` or `2026-11-21T02:30:00Z`"

  /// The forms of ``forms`` that can name a later moment.
  package static let laterForms =
    "`02:30`, `tomorrow 02:30`, `2026-11-21 02:30`, `2026-11-21`, `in 2h` or `2026-11-21T02:30:00Z`"
}

extension Moment {
  /// Reads a moment as people write it: one of ``forms``, optionally with seconds and up to 9 fraction digits.
  ///
  /// A time without an offset (`Z`, `+01:00`) is in `zone`. A time without a day is the last one that is not later
  /// than `now`. The words are English and may be in capitals; at most 64 bytes are read.
  public init(parsing text: String, now: WallInstant, in zone: Zone) throws(TextError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= MomentReader.lengthMax else {
      throw TextError(
        MomentReader.subject, Array(bytes.prefix(TextError.textLengthMax)), at: MomentReader.lengthMax,
        "it goes on; at most \(MomentReader.lengthMax) bytes are read", suggestion: nil)
    }
    do {
      var reader = MomentReader(bytes)
      self = try reader.read().moment(now: now, in: zone)
    } catch {
      throw TextError(MomentReader.subject, bytes, at: error.offset, error.reason, suggestion: nil)
    }
  }
}
