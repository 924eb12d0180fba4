// Windows on the zone's clocks. At an edge, a window opens or closes, or clocks are changed. Nothing changes between two edges.
extension ComposedSchedule.Storage {
  /// Whether windows allow an instant, and the index of the `except` window that excludes it.
  func access(at instant: WallInstant) -> (isOpen: Bool, exception: Int?) {
    if conditions.only.isEmpty && conditions.except.isEmpty { return (true, nil) }
    return access(atLocal: Int(instant.wholeSeconds.seconds) + zone.offset(at: instant))
  }

  /// Whether windows allow a local time, in seconds since 1970, and the index of the `except` window that excludes it.
  func access(atLocal local: Int) -> (isOpen: Bool, exception: Int?) {
    for index in conditions.except.indices where conditions.except[index].contains(local) {
      return (false, index)
    }
    return (conditions.only.isEmpty || conditions.only.contains { $0.contains(local) }, nil)
  }

  /// The first edge after an instant.
  func nextEdge(after instant: WallInstant) -> WallInstant? {
    if conditions.only.isEmpty && conditions.except.isEmpty { return nil }
    return instantOfClock(after: instant) { local in
      var edge = Int.max
      for window in conditions.only { edge = min(edge, window.nextChange(after: local) ?? .max) }
      for window in conditions.except { edge = min(edge, window.nextChange(after: local) ?? .max) }
      return edge
    }
  }

  /// Returns the instant until which the windows that exclude `instant` stay closed; `nil` if they never open.
  ///
  /// Edges of windows that have no effect until then are not checked, for example the hours of a day that a date
  /// excludes.
  func closed(from instant: WallInstant) -> WallInstant? {
    instantOfClock(after: instant) { opening(afterLocal: $0) }
  }

  /// Returns the local time until which the windows that exclude `local` stay closed; `Int.max` if they never open.
  func opening(afterLocal local: Int) -> Int {
    var opening = Int.min
    for window in conditions.except where window.contains(local) {
      opening = max(opening, window.nextChange(after: local) ?? .max)
    }
    if !conditions.only.isEmpty, !conditions.only.contains(where: { $0.contains(local) }) {
      var first = Int.max
      for window in conditions.only { first = min(first, window.nextChange(after: local) ?? .max) }
      opening = max(opening, first)
    }
    return opening
  }

  /// Returns the instant, not later than `instant`, since which the windows that exclude `instant` have been closed; `nil` if
  /// they were never open.
  func closed(through instant: WallInstant) -> WallInstant? {
    let index = zone.storage.index(at: instant.nanosecondsSinceEpoch)
    let offset = Int(zone.storage.offsets[index])
    let closing = closing(atOrBeforeLocal: Int(instant.wholeSeconds.seconds) + offset)
    let change = index > 0 ? WallInstant(nanosecondsSinceEpoch: zone.storage.starts[index]) : nil
    guard closing > .min else { return change }
    return max(WallInstant(secondsSinceEpoch: Int64(closing - offset)), change ?? .min)
  }

  /// Returns the local time, not later than `local`, since which the windows that exclude it have been closed; `Int.min` if they
  /// were never open.
  func closing(atOrBeforeLocal local: Int) -> Int {
    var closing = Int.max
    for window in conditions.except where window.contains(local) {
      closing = min(closing, window.lastChange(atOrBefore: local) ?? .min)
    }
    if !conditions.only.isEmpty, !conditions.only.contains(where: { $0.contains(local) }) {
      var last = Int.min
      for window in conditions.only { last = max(last, window.lastChange(atOrBefore: local) ?? .min) }
      closing = min(closing, last)
    }
    return closing
  }

  /// Returns the instant at which clocks show the local time that `later` returns, by the offset at `instant`; at the latest
  /// the next clock change.
  private func instantOfClock(after instant: WallInstant, _ later: (Int) -> Int) -> WallInstant? {
    let index = zone.storage.index(at: instant.nanosecondsSinceEpoch)
    let offset = Int(zone.storage.offsets[index])
    let change =
      index + 1 < zone.storage.starts.count
      ? WallInstant(nanosecondsSinceEpoch: zone.storage.starts[index + 1]) : nil
    let local = later(Int(instant.wholeSeconds.seconds) + offset)
    guard local < .max else { return change }
    let found = WallInstant(secondsSinceEpoch: Int64(local - offset))
    return found == .max && change == nil ? nil : min(found, change ?? .max)
  }
}
