/// A point in time as somebody wrote it, and no finer than they wrote it: `02:30` names a minute, `now` an instant.
///
/// An entry at a moment is looked for in its stretches, in their order.
public struct Moment: Sendable, Hashable {
  /// The stretches of the moment, ascending and never empty; times that clocks skip or show twice have two.
  public var stretches: [Range<WallInstant>]
  /// The effect of daylight saving on the written time, if any.
  public var oddity: Oddity?

  /// A civil time that is not one instant.
  public enum Oddity: Sendable, Hashable {
    /// Clocks never showed it: at `transition` they were put forward over it.
    ///
    /// The stretches are the transition, and where the time lies for a clock that was not put forward.
    case skipped(CivilDateTime, transition: WallInstant)
    /// Clocks showed it twice; both stretches are given.
    case shownTwice(CivilDateTime)
  }

  /// Makes a moment of one instant, exact to the nanosecond.
  public init(_ instant: WallInstant) {
    stretches = [instant..<instant + .nanoseconds(1)]
  }

  init(stretches: [Range<WallInstant>], oddity: Oddity? = nil) {
    precondition(!stretches.isEmpty, "a moment lies somewhere")
    self.stretches = stretches
    self.oddity = oddity
  }

  /// The first instant of the first stretch.
  public var start: WallInstant { stretches[0].lowerBound }

  /// The forms that ``init(parsing:now:in:)`` takes, for a sentence that says what is expected.
  public static let forms =
    "`now`, `02:30`, `yesterday 02:30`, `2026-11-21 02:30`, `2026-11-21`, `2h ago`, `in 2h` or `2026-11-21T02:30:00Z`"
}

extension Moment {
  /// Reads a moment as people write it: one of ``forms``, with seconds and up to 9 fraction digits where need be.
  ///
  /// A time without an offset (`Z`, `+01:00`) is one of `zone`. A time without a day is the last such one that is not later
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
