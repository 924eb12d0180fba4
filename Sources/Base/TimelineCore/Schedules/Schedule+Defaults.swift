// Default implementations for a schedule that has only its entries.
extension Schedule {
  /// The first of the entries from `instant` on that is strictly later.
  ///
  /// It visits the entries one by one. A schedule that can compute the answer implements this function.
  public func next(after instant: WallInstant) -> WallInstant? {
    entries(from: instant, mode: .normal).first { $0 > instant }
  }

  /// The last of the entries from `instant` on that is not later than `instant`: the current one.
  ///
  /// `nil` for a schedule whose entries from `instant` on begin after it.
  public func latest(atOrBefore instant: WallInstant) -> WallInstant? {
    var latest: WallInstant?
    for entry in entries(from: instant, mode: .normal) {
      guard entry <= instant else { break }
      latest = entry
    }
    return latest
  }

  /// Returns the number of entries in (`start`, `end`], counted one by one.
  public func count(after start: WallInstant, through end: WallInstant) -> Int {
    var count = 0
    for entry in entries(from: start, mode: .normal) {
      guard entry <= end else { break }
      if entry > start { count += 1 }
    }
    return count
  }
}
