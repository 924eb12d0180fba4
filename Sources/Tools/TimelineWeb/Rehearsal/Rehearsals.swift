import TimelineCore

/// A cache of the rehearsals that were used last, by their begins.
struct Rehearsals {
  private var rehearsals: [Rehearsal] = []

  /// The rehearsal that begins at `instant`; `nil` if the cache does not have it.
  func rehearsal(at instant: WallInstant) -> Rehearsal? {
    rehearsals.last { $0.start.isSameMillisecond(as: instant) }
  }

  /// Keeps a rehearsal in place of its previous state. If there are too many rehearsals, the least recently used one
  /// is removed.
  mutating func keep(_ rehearsal: Rehearsal) {
    rehearsals.removeAll { $0.start.isSameMillisecond(as: rehearsal.start) }
    if rehearsals.count == WebLimits.rehearsalsKeptMax { rehearsals.removeFirst() }
    for index in rehearsals.indices { rehearsals[index].shrink() }
    rehearsals.append(rehearsal)
  }
}

extension WallInstant {
  /// Whether both instants lie in the same millisecond, the resolution of a page.
  fileprivate func isSameMillisecond(as other: WallInstant) -> Bool {
    nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000)
      == other.nanosecondsSinceEpoch.flooredQuotient(by: 1_000_000)
  }
}
