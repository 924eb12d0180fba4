package import TimelineCore

/// The stretch of the past whose entries are known to a client, and the decision which entries make room for others.
package struct KnownStretch: Sendable, Equatable {
  /// Instant from which all entries are known; `nil` before the first page.
  package private(set) var from: WallInstant?
  /// Instant from which later entries were dropped to make room for older entries; `nil` if all entries up to now are known.
  package private(set) var until: WallInstant?
  /// Whether more entries have the same instant than fit on a page, so that no earlier entry can be read.
  private var isStuck = false
  /// Whether the stretch that is shown ends now or later.
  private var reachesNow = false
  /// Whether older entries were dropped for new entries of a stretch that reaches now: the stretch has more than fit.
  private var hasNoRoom = false

  package init(from: WallInstant? = nil, until: WallInstant? = nil) {
    (self.from, self.until) = (from, until)
  }

  /// Whether entries from `instant` on are missing and can be read, if there is room for them.
  package func lacks(_ instant: WallInstant) -> Bool {
    !isStuck && !hasNoRoom && from.map { instant < $0 } ?? true
  }

  /// Whether there may be older entries that can be read. The limit of kept entries does not end the history: a search drops
  /// newer entries for older ones.
  package var hasOlder: Bool { !isStuck && (from ?? .max) > .min }

  /// Whether nothing is known of a past instant.
  package func isUnknown(_ instant: WallInstant) -> Bool {
    from.map { instant < $0 } ?? true || until.map { instant >= $0 } ?? false
  }

  /// Moves to the stretch of the past that the only view shows, so that the view can go back without limit. Returns the instant
  /// from which the finished entries must be dropped; `nil` for none.
  package mutating func turn(to shown: PastStretch, now: WallInstant, isFull: Bool) -> WallInstant? {
    reachesNow = !shown.isSearch && shown.until >= now
    if !reachesNow { hasNoRoom = false }
    if shown.isSearch { return isFull && lacks(shown.readFrom) ? end(at: .min) : nil }
    // Reaches beyond the shown stretch, so that a view that moves forward again does not need another stretch at once.
    let ahead = shown.until + (shown.until - shown.from)
    let isLater = until.map { $0 < min(shown.until, now) } ?? false
    let isEarlier = from.map { ahead < $0 } ?? false
    if isLater || isEarlier {
      begin(at: ahead < now ? ahead : nil)
      return .min
    }
    return isFull && shown.until < now ? end(at: shown.until) : nil
  }

  /// Forgets everything. The next page ends at `instant`, or at the present time if `instant` is `nil`.
  package mutating func begin(at instant: WallInstant?) {
    (from, until) = (instant, instant)
    (isStuck, hasNoRoom) = (false, false)
  }

  /// Reads everything again from the end of the known entries.
  package mutating func beginAgain() { begin(at: until) }

  /// Adds a page that ends at ``from`` and has all entries from `reached` on; `isCut` if older entries did not fit.
  package mutating func add(downTo reached: WallInstant, isCut: Bool) {
    if isCut, let from, reached >= from { isStuck = true }
    from = min(from ?? .max, reached)
  }

  /// Records that entries before `instant` were dropped for new ones.
  package mutating func drop(before instant: WallInstant) {
    from = max(from ?? .min, instant)
    hasNoRoom = reachesNow
  }

  private mutating func end(at instant: WallInstant) -> WallInstant {
    until = min(until ?? .max, max(instant, from ?? .max))
    return instant
  }
}
